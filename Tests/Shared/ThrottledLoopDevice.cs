using System.Diagnostics;
using System.Globalization;

namespace IoBench.Tests;

/// <summary>
/// A loop device that the kernel's I/O controller (cgroup v1 blkio or v2 io.max) limits to an exact rate for this process. Requires root.
/// </summary>
internal sealed class ThrottledLoopDevice : IDisposable
{
    private static readonly Lazy<string?> s_unavailableReason = new(FindUnavailableReason);

    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-loop-").FullName;
    private readonly string _group;
    private readonly string _number = "";
    private readonly bool _v1 = Directory.Exists("/sys/fs/cgroup/blkio");

    private ThrottledLoopDevice(string limitV1, string limitV2)
    {
        var image = System.IO.Path.Combine(_folder, "disk.img");
        var bytes = new byte[64 << 20];
        new Random(1).NextBytes(bytes);
        File.WriteAllBytes(image, bytes);
        Path = RunProgram("losetup", "--find", "--show", image).Trim();
        var root = _v1 ? "/sys/fs/cgroup/blkio" : "/sys/fs/cgroup";
        _group = System.IO.Path.Combine(root, "iobench-" + Guid.NewGuid().ToString("N")[..8]);
        try
        {
            _number = File.ReadAllText($"/sys/block/{System.IO.Path.GetFileName(Path)}/dev").Trim();
            if (!_v1)
                File.WriteAllText(System.IO.Path.Combine(root, "cgroup.subtree_control"), "+io");
            Directory.CreateDirectory(_group);
            var (file, rate) = _v1 ? ("blkio.throttle." + limitV1.Split('=')[0], limitV1.Split('=')[1]) : ("io.max", limitV2);
            File.WriteAllText(System.IO.Path.Combine(_group, file), $"{_number} {rate}");
            JoinGroup(_group);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    public string Path { get; }

    public static ThrottledLoopDevice CreateWithIopsLimit(int iops) =>
        new($"read_iops_device={iops.ToString(CultureInfo.InvariantCulture)}", $"riops={iops.ToString(CultureInfo.InvariantCulture)}");

    public void SetIopsLimit(int iops) =>
        File.WriteAllText(
            System.IO.Path.Combine(_group, _v1 ? "blkio.throttle.read_iops_device" : "io.max"),
            string.Create(CultureInfo.InvariantCulture, $"{_number} {(_v1 ? "" : "riops=")}{iops}")
        );

    public static ThrottledLoopDevice CreateWithThroughputLimit(long bytes) =>
        new($"read_bps_device={bytes.ToString(CultureInfo.InvariantCulture)}", $"rbps={bytes.ToString(CultureInfo.InvariantCulture)}");

    /// <summary>Reason why such a device cannot be created on this computer; null if it can.</summary>
    public static string? UnavailableReason => s_unavailableReason.Value;

    public void Dispose()
    {
        LeaveGroup(System.IO.Path.GetDirectoryName(_group)!);
        RunProgram("losetup", "--detach", Path);
        Directory.Delete(_folder, recursive: true);
    }

    /// <summary>
    /// Leaves the group together with child processes that other tests have started. The kernel removes a group only after its last process
    /// has left.
    /// </summary>
    private void LeaveGroup(string parent)
    {
        for (var attempt = 0; Directory.Exists(_group); attempt++)
        {
            JoinGroup(parent);
            try
            {
                foreach (var child in File.ReadAllLines(System.IO.Path.Combine(_group, "cgroup.procs")))
                    File.WriteAllText(System.IO.Path.Combine(parent, "cgroup.procs"), child);
                Directory.Delete(_group);
            }
            catch (IOException) when (attempt < 100)
            {
                Thread.Sleep(20);
            }
        }
    }

    private static void JoinGroup(string group) =>
        File.WriteAllText(System.IO.Path.Combine(group, "cgroup.procs"), Environment.ProcessId.ToString(CultureInfo.InvariantCulture));

    private static string? FindUnavailableReason()
    {
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root" || ProgramFinder.FindOnPath("losetup") is null)
            return "needs Linux, root and losetup";
        try
        {
            using var device = CreateWithIopsLimit(1000);
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or InvalidOperationException)
        {
            return "a throttled loop device cannot be made here: " + e.Message;
        }
    }

    private static string RunProgram(string program, params string[] arguments)
    {
        using var process = Process.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true }
        )!;
        var output = process.StandardOutput.ReadToEnd();
        var error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0 ? output : throw new InvalidOperationException($"{program}: {error.Trim()}");
    }
}

[AttributeUsage(AttributeTargets.Method)]
internal sealed class ThrottledDeviceTheoryAttribute : TheoryAttribute
{
    public ThrottledDeviceTheoryAttribute() => Skip = ThrottledLoopDevice.UnavailableReason;
}
