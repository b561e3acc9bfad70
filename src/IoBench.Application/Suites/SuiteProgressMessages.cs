using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Formats the progress of a suite in one line, with the same words for all front ends.</summary>
public static class SuiteProgressMessages
{
    /// <summary><c>6/9 checkpoint 12 s left 25,380 IOPS 397 MiB/s p99 6.4 ms</c></summary>
    public static string FormatLine(SuiteProgress progress) => JoinParts(GetParts(progress, hasTime: true));

    /// <summary>Formats the progress without the time left, for front ends that show it separately.</summary>
    public static string FormatStatus(SuiteProgress progress) => JoinParts(GetParts(progress, hasTime: false));

    /// <summary>Formats the progress of a file: <c>making T:\iobench.dat   11.2 GB of 20 GB   1,946 MiB/s</c>.</summary>
    /// <param name="mebibytesPerSecond">Throughput in MiB/s; 0 if unknown.</param>
    public static string FormatFileProgress(PreparationStep step, string path, long done, long total, double mebibytesPerSecond) =>
        JoinParts(GetFileParts(step, path, done, total, mebibytesPerSecond));

    private static IEnumerable<string> GetParts(SuiteProgress progress, bool hasTime)
    {
        var run = progress.Run;
        var test = string.Create(CultureInfo.InvariantCulture, $"{progress.Number}/{progress.Count} {progress.Name}");
        var left = hasTime ? FormatTimeLeft(run.RemainingSeconds) : "";
        return run switch
        {
            { Phase: RunPhase.Preparing or RunPhase.Waiting, PreparingPath: { } path } =>
            [
                .. GetFileParts(run.Step, path, run.PreparedBytes, run.PrepareTotalBytes, run.CurrentMBps),
                left,
                FormatPendingTime(run),
            ],
            { Phase: RunPhase.Preparing or RunPhase.Waiting, Call: { } call } => [test, $"{call}", FormatPendingTime(run)],
            // Checking an existing file takes almost no time, so the rest of this phase is the idle time.
            { Phase: RunPhase.Preparing or RunPhase.Waiting } => progress.Rest is { } rest
                ? [test, "resting", FormatTimeLeft(rest.TotalSeconds)]
                : [test, "preparing"],
            _ =>
            [
                test,
                run.Phase switch
                {
                    RunPhase.WarmUp => "warming up",
                    RunPhase.CoolDown => "cooling down",
                    RunPhase.Draining => "ending",
                    _ => "",
                },
                left,
                $"{NumberFormat.Grouped(run.CurrentIops)} IOPS",
                FormatThroughput(run.CurrentMBps),
                run.P99Ms is { } p99 ? $"{(run.IsResponse ? "response p99" : "p99")} {NumberFormat.Milliseconds(p99)}" : "",
                FormatPendingTime(run),
            ],
        };
    }

    private static string[] GetFileParts(PreparationStep step, string path, long done, long total, double rate) =>
        [
            $"{step.DescribeStep()} {path}",
            $"{new IoSize(done).ToDisplayString()} of {new IoSize(total).ToDisplayString()}",
            rate > 0 ? FormatThroughput(rate) : "",
        ];

    private static string JoinParts(IEnumerable<string> parts) => string.Join("   ", parts.Where(part => part.Length > 0));

    private static string FormatThroughput(double mebibytesPerSecond) =>
        $"{NumberFormat.Grouped(ThroughputDisplay.ToUnit(mebibytesPerSecond))} {ThroughputDisplay.Unit}";

    private static string FormatPendingTime(RunProgress run) =>
        (run.Waiting?.Seconds ?? run.Call?.Seconds) is { } seconds ? $"no response for {NumberFormat.Grouped(Math.Floor(seconds))} s" : "";

    private static string FormatTimeLeft(double? seconds) =>
        seconds switch
        {
            null => "",
            < 100 => $"{NumberFormat.Grouped(Math.Ceiling(seconds.Value))} s left",
            _ => TestPlanEstimate.FormatDuration(TimeSpan.FromSeconds(seconds.Value)) + " left",
        };

    /// <summary>Returns <c>creating</c>, <c>verifying</c>, <c>preconditioning</c>, <c>reading</c>, or <c>comparing</c>.</summary>
    public static string DescribeStep(this PreparationStep step) =>
        step switch
        {
            PreparationStep.Making => "creating",
            PreparationStep.Proving => "verifying",
            PreparationStep.Learning => "reading",
            _ => step.ToString().ToLowerInvariant(),
        };
}
