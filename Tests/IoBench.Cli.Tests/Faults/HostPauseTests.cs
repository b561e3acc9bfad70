using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace IoBench.Cli.Tests;

/// <summary>The host does not run IoBench for a while: the storage is not to blame.</summary>
public class HostPauseTests
{
    [LinuxTheory]
    [InlineData("--qd", "4")]
    [InlineData("--target-iops", "500")]
    public void Stopped_process_is_reported_as_a_pause_and_not_as_a_stall(string option, string value)
    {
        using var folder = new TestFolder();
        string[] command = ["run", "t.dat", "--size", "8MB", "--buffering", "both", "--duration", "4", "--warmup", "0", option, value];
        using var process = Cli.StartProcess(folder.Path, [.. command, "--output", "r.json", "--require", "hard-limits"]);
        // The run begins after the file was created.
        for (var watch = Stopwatch.StartNew(); !File.Exists(folder.GetPath("t.dat")) && watch.Elapsed.TotalSeconds < 30; )
            Thread.Sleep(20);
        Thread.Sleep(1500);
        SendSignal(process, "STOP");
        Thread.Sleep(1500);
        SendSignal(process, "CONT");
        var error = process.StandardError.ReadToEnd();
        Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)));

        var result = JsonDocument.Parse(File.ReadAllText(folder.GetPath("r.json"))).RootElement[0];
        var pauses = result.GetProperty("hostPauses").EnumerateArray().Select(pause => pause.GetProperty("lengthSeconds").GetDouble());
        Assert.InRange(pauses.Max(), 1.3, 4);
        Assert.Contains("IoBench did not run for ", error, StringComparison.Ordinal);
        // A busy computer can delay I/Os for a short time, but the pause of 1.5 s is not a stall.
        if (result.TryGetProperty("stalls", out var stalls))
            Assert.All(stalls.EnumerateArray(), stall => Assert.InRange(stall.GetProperty("lengthSeconds").GetDouble(), 0, 1));
        Assert.InRange(result.GetProperty("maxLatencyMs").GetDouble(), 0, 1000);
        Assert.DoesNotContain("almost no I/O completed", error, StringComparison.Ordinal);
        Assert.DoesNotContain("not steady", error, StringComparison.Ordinal);
    }

    private static void SendSignal(Process process, string signal)
    {
        using var kill = Process.Start("kill", [$"-{signal}", process.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }
}
