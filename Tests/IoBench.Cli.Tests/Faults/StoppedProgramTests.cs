using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace IoBench.Cli.Tests;

/// <summary>
/// Stops the program for a known time by a signal, as a hypervisor or a debugger does. No I/O that was due in that time may be omitted.
/// </summary>
public class StoppedProgramTests
{
    private const int Attempts = 6;
    private const double Rate = 500;

    /// <summary>Stops within the measured time, and across its end.</summary>
    [LinuxTheory]
    [InlineData(4, 1, 1.5)]
    [InlineData(2, 1.5, 2)]
    public void Open_loop_counts_IOs_that_were_due_while_stopped(double window, double at, double length)
    {
        var run = TestTimeouts.RetryUntil(
            IsTrue,
            () => RunAndStop(window, at, length, ["--target-iops", Rate.ToString(CultureInfo.InvariantCulture), "--qd", "64"]),
            Attempts
        );
        var truth = Truth(run);
        Assert.True(
            IsTrue(run),
            $"average {run.Average} of {truth.AverageMs} ms, p99 {run.P99} of {truth.P99Ms} ms, longest {run.Longest} of less than {truth.MaxMs / 2} ms, not done {run.NotDone}"
        );

        // I/Os that were not done at the end of the measured time were due in the rest of it.
        ExpectedStallLatency Truth(StoppedRun seen) =>
            new(Rate, window, seen.Seconds, seen.NotDone > 0.1 * Rate ? Math.Min(seen.Seconds, seen.NotDone / Rate) : seen.Seconds);

        bool IsTrue(StoppedRun seen)
        {
            var expected = Truth(seen);
            return IsNear(seen.Average, expected.AverageMs)
                && IsNear(seen.P99, expected.P99Ms)
                // The stop does not count as latency of the storage.
                && seen.Longest < expected.MaxMs / 2
                && seen.NotDone > 0.1 * Rate == at + length > window;
        }
    }

    [LinuxTheory]
    [InlineData(3, 0.5)]
    [InlineData(2, 1.5)]
    public void Closed_loop_leaves_the_stop_out_of_the_maximum_latency(double window, double at)
    {
        const double length = 1.5;
        var run = TestTimeouts.RetryUntil(seen => seen.Longest < 500, () => RunAndStop(window, at, length, ["--qd", "4"]), Attempts);
        Assert.True(run.Longest < 500, $"longest {run.Longest} ms");
        Assert.True(run.P99 < 500, $"p99 {run.P99} ms");
    }

    private static bool IsNear(double actual, double expected) => actual >= 0.92 * expected && actual <= 1.1 * expected + 40;

    private static StoppedRun RunAndStop(double window, double at, double length, string[] load)
    {
        using var folder = new TestFolder();
        using var program = Cli.StartProcess(
            folder.Path,
            [
                "run",
                "t.dat",
                "--size",
                "16MB",
                "--threads",
                "1",
                "--buffering",
                "both",
                "--warm-up",
                "1",
                "--duration",
                window.ToString(CultureInfo.InvariantCulture),
                "--format",
                "json",
                "--verbose",
                .. load,
            ]
        );
        var output = program.StandardOutput.ReadToEndAsync();
        // The program prints the backend when its workers are ready.
        string? line;
        do line = program.StandardError.ReadLine();
        while (
            line is not null
            && !line.Contains("IoUring:", StringComparison.Ordinal)
            && !line.Contains("LinuxAio:", StringComparison.Ordinal)
            && !line.Contains("Threads:", StringComparison.Ordinal)
        );
        var error = program.StandardError.ReadToEndAsync();
        Thread.Sleep(TimeSpan.FromSeconds(1 + at));
        var clock = Stopwatch.StartNew();
        SendSignal(program.Id, "STOP");
        Thread.Sleep(TimeSpan.FromSeconds(length));
        SendSignal(program.Id, "CONT");
        var seconds = clock.Elapsed.TotalSeconds;
        program.WaitForExit();
        Assert.True(program.ExitCode == 0, error.Result);
        var result = JsonDocument.Parse(output.Result).RootElement[0];
        var isOpen = result.GetProperty("loadModel").GetString() == "Open";
        return new(
            seconds,
            Figure(isOpen ? "responseAverageMs" : "averageLatencyMs"),
            Figure(isOpen ? "responseP99Ms" : "p99Ms"),
            Figure(isOpen ? "responseMaxMs" : "maxLatencyMs"),
            isOpen ? Figure("dueNotDone") : 0
        );

        double Figure(string name) => result.GetProperty(name).GetDouble();
    }

    private static void SendSignal(int process, string signal)
    {
        using var kill = Process.Start("kill", ["-" + signal, process.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
        Assert.Equal(0, kill.ExitCode);
    }

    private sealed record StoppedRun(double Seconds, double Average, double P99, double Longest, double NotDone);
}
