using System.Diagnostics;

namespace IoBench.Cli.Tests;

public class RawDeviceTests
{
    private sealed class LoopFactAttribute : FactAttribute
    {
        public LoopFactAttribute() =>
            Skip =
                LinuxFactAttribute.Reason
                ?? (
                    !Environment.IsPrivilegedProcess ? "needs root"
                    : ProgramFinder.FindOnPath("losetup") is null || !File.Exists("/dev/loop-control") ? "needs loop devices"
                    : null
                );
    }

    [LoopFact]
    public void Run_needs_the_name_of_a_device_even_if_it_is_empty()
    {
        using var folder = new TestFolder();
        using var disk = new TestLoopDevice(folder);
        string[] write = ["--write", "100", "--duration", "100ms", "--warm-up", "0", "--quiet"];
        AssertRefused("--erase-device loop", "run", [disk.Device, .. write]);
        AssertRefused("--erase-device loop", "run", [disk.Device, .. write, "--force"]);
        AssertRefused("--erase-device loop", "run", [disk.Device, .. write, "--erase-device", "loop"]);
        Assert.Equal(0, Cli.Run(["run", disk.Device, .. write, "--erase-device", disk.Device]).ExitCode);
        AssertRefused("is not empty", "run", [disk.Device, .. write]);
        Assert.Equal(0, Cli.Run(["run", disk.Device, .. write, "--erase-device", disk.Device]).ExitCode);
        AssertRefused("a value is missing", "run", [disk.Device, .. write, "--erase-device", ""]);
    }

    [LoopFact]
    public void Later_tests_of_a_run_need_no_further_confirmation()
    {
        using var folder = new TestFolder();
        using var disk = new TestLoopDevice(folder);
        var outcome = Cli.Run(
            "run",
            disk.Device,
            "--write",
            "100",
            "--block",
            "4KB,8KB",
            "--repeat",
            "2",
            "--duration",
            "100ms",
            "--warm-up",
            "0",
            "--format",
            "json",
            "--erase-device",
            disk.Device,
            "--quiet"
        );
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Contains("IoBench.TargetOverwritten", outcome.Output, StringComparison.Ordinal);
        AssertRefused("--erase-device", "run", [disk.Device, "--write", "100", "--duration", "100ms"]);
    }

    [LoopFact]
    public void Limit_and_drop_ins_accept_the_erase_device_option()
    {
        using var folder = new TestFolder();
        using var disk = new TestLoopDevice(folder);
        disk.WriteData();
        string[] limit =
        [
            disk.Device,
            "--write",
            "100",
            "--duration",
            "200ms",
            "--warm-up",
            "0",
            "--max-latency-ms",
            "1000",
            "--max-probes",
            "5",
            "--max-iops",
            "50",
            "--quiet",
        ];
        AssertRefused("--erase-device", "limit", limit);
        var found = Cli.Run(["limit", .. limit, "--erase-device", disk.Device]);
        Assert.True(found.ExitCode is 0 or 3, found.Error);

        string[] sqlio = ["sqlio", "-kW", "-s1", "-frandom", "-b8", disk.Device];
        Assert.Contains("before the name of the tool: iobench --erase-device …", Cli.Run(sqlio).Error);
        Assert.Equal(0, Cli.Run(["--erase-device", disk.Device, .. sqlio]).ExitCode);
        Assert.Equal(0, Cli.Run(["--erase-device=" + Path.GetFileName(disk.Device), "--fill-volume", .. sqlio]).ExitCode);
        Assert.Equal(0, Cli.Run("--erase-device", disk.Device, "diskspd", "-w100", "-d1", "-W0", "-b8K", disk.Device).ExitCode);
        Assert.Contains("--erase-device", Cli.Run("cap", "--help").Output);
    }

    private static void AssertRefused(string text, string command, string[] args)
    {
        var outcome = Cli.Run([command, .. args]);
        Assert.Equal(2, outcome.ExitCode);
        // On a busy computer, a warning that a check takes long can precede the error.
        Assert.Contains(text, Assert.Single(outcome.ErrorLines, line => line.StartsWith("iobench: ", StringComparison.Ordinal)));
    }

    private sealed class TestLoopDevice : IDisposable
    {
        public TestLoopDevice(TestFolder folder)
        {
            var image = folder.GetPath("disk.img");
            using (var file = File.Create(image))
                file.SetLength(16 << 20);
            Device = RunProgram("losetup", "--find", "--show", image);
        }

        public string Device { get; }

        public void WriteData()
        {
            using var file = new FileStream(Device, FileMode.Open, FileAccess.Write, FileShare.ReadWrite, 1);
            file.Write([1, 2, 3]);
        }

        public void Dispose() => RunProgram("losetup", "--detach", Device);

        private static string RunProgram(string program, params string[] args)
        {
            using var process = Process.Start(new ProcessStartInfo(program, args) { RedirectStandardOutput = true })!;
            var output = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            Assert.Equal(0, process.ExitCode);
            return output.Trim();
        }
    }
}
