using System.Diagnostics;

namespace IoBench.Engine.Tests;

public abstract class TargetFolder : IDisposable
{
    protected const long MB = 1 << 20;

    protected TargetFolder()
        : this(Path.GetTempPath()) { }

    protected TargetFolder(string parent)
    {
        Folder = Path.Combine(parent, "iobench-" + Guid.NewGuid().ToString("N")[..12]);
        Directory.CreateDirectory(Folder);
    }

    protected string Folder { get; }

    protected string At(string name) => Path.Combine(Folder, name);

    protected static IoTestSpecification Spec(string path, long? size = MB, int writePercent = 0) =>
        new()
        {
            FileSize = size,
            WritePercent = writePercent,
            Targets = [new IoTargetSpecification(path)],
        };

    protected static CheckedTarget Prepare(string path, long? size = MB, int writePercent = 0, bool force = false, string? erase = null)
    {
        var spec = Spec(path, size, writePercent);
        return TestFiles.Prepare(spec, spec.Targets[0], Options(force, erase), null, CancellationToken.None);
    }

    private protected static WritingRun BeginWriting(
        string path,
        long? size = MB,
        bool force = false,
        ulong? seed = null,
        IReadOnlyList<OpenTarget>? others = null
    ) => new(Spec(path, size, writePercent: 100), new TestRunOptions { Force = force }, others, seed);

    protected static CheckedTarget Check(
        string path,
        long? size = MB,
        int writePercent = 0,
        bool force = false,
        bool allowSqlServerRead = false,
        string? erase = null
    )
    {
        var spec = Spec(path, size, writePercent);
        return TestFiles.Check(spec, spec.Targets[0], Options(force, erase, allowSqlServerRead));
    }

    private protected static CheckedTarget CheckDevice(string path, string? erase = null)
    {
        var spec = Spec(path, size: null, writePercent: 100);
        return TargetCheck.Check(spec, spec.Targets[0], Options(force: true, erase));
    }

    private protected static Microsoft.Win32.SafeHandles.SafeFileHandle Claim(CheckedTarget device) =>
        DeviceCheck.Claim(device.Path, device.Proof);

    private static TestRunOptions Options(bool force, string? erase, bool allowSqlServerRead = false)
    {
        var options = new TestRunOptions { Force = force, AllowSqlServerRead = allowSqlServerRead };
        if (erase is not null)
            options.EraseDevices.Add(erase);
        return options;
    }

    protected static IoBenchException Refused(string id, Action action)
    {
        var refusal = Assert.Throws<IoBenchException>(action);
        Assert.Equal(id, refusal.ErrorId);
        Assert.DoesNotContain('\n', refusal.Message);
        Assert.EndsWith(".", refusal.Message);
        return refusal;
    }

    protected static string WhyForeign(string path)
    {
        Assert.False(TestFiles.IsOurs(path, out var reason));
        return reason;
    }

    protected static void AssertOurs(string path) => Assert.True(TestFiles.IsOurs(path, out var reason), reason);

    protected string Foreign(string name, int bytes = 65536)
    {
        var content = new byte[bytes];
        new Random(1).NextBytes(content);
        File.WriteAllBytes(At(name), content);
        return At(name);
    }

    protected static string Shell(string command)
    {
        using var shell = Process.Start(
            new ProcessStartInfo("/bin/sh", ["-c", command]) { RedirectStandardError = true, RedirectStandardOutput = true }
        )!;
        var output = shell.StandardOutput.ReadToEnd() + shell.StandardError.ReadToEnd();
        shell.WaitForExit();
        Assert.True(shell.ExitCode == 0, $"{command}: {output}");
        return output.Trim();
    }

    protected static string Everything(string path) =>
        Shell($"stat -c '%i %s %Y %y %Z %z %a %h' '{path}'; sha256sum < '{path}'; getfattr -d -m - '{path}' 2>/dev/null || true");

    /// <summary>Releases what a test uses before the folder is deleted.</summary>
    protected virtual void Clean() { }

    public void Dispose()
    {
        Clean();
        Directory.Delete(Folder, recursive: true);
        GC.SuppressFinalize(this);
    }
}
