using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Formats the progress of a suite in one line, with the same words for all front ends.</summary>
public static class SuiteProgressText
{
    /// <summary>
    /// Formats the progress with the time left: <c>6/9 checkpoint 12 s left 25,380 IOPS 397 MiB/s p99 6.4 ms</c>.
    /// </summary>
    public static string Line(SuiteProgress progress) => Join(Parts(progress, hasTime: true));

    /// <summary>Formats the progress without the time left, for front ends that show it separately.</summary>
    public static string Status(SuiteProgress progress) => Join(Parts(progress, hasTime: false));

    /// <summary>Formats the progress of a file: <c>making T:\iobench.dat   11.2 GB of 20 GB   1,946 MiB/s</c>.</summary>
    /// <param name="step">Step of the preparation.</param>
    /// <param name="path">The file.</param>
    /// <param name="done">Completed bytes.</param>
    /// <param name="total">Bytes of the file.</param>
    /// <param name="mebibytesPerSecond">Throughput in MiB/s; 0 if unknown.</param>
    public static string OfFile(PreparationStep step, string path, long done, long total, double mebibytesPerSecond) =>
        Join(FileParts(step, path, done, total, mebibytesPerSecond));

    private static IEnumerable<string> Parts(SuiteProgress progress, bool hasTime)
    {
        var run = progress.Run;
        var test = string.Create(CultureInfo.InvariantCulture, $"{progress.Number}/{progress.Count} {progress.Name}");
        var left = hasTime ? Left(run.RemainingSeconds) : "";
        return run switch
        {
            { Phase: RunPhase.Preparing or RunPhase.Waiting, PreparingPath: { } path } =>
            [
                .. FileParts(run.Step, path, run.PreparedBytes, run.PrepareTotalBytes, run.CurrentMBps),
                left,
                Silence(run),
            ],
            { Phase: RunPhase.Preparing or RunPhase.Waiting, Call: { } call } => [test, $"{call}", Silence(run)],
            // Checking an existing file takes almost no time, so the rest of this phase is the idle time. No front end shows its time
            // separately.
            { Phase: RunPhase.Preparing or RunPhase.Waiting } => progress.Rest is { } rest
                ? [test, "resting", Left(rest.TotalSeconds)]
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
                $"{Figures.Grouped(run.CurrentIops)} IOPS",
                Speed(run.CurrentMBps),
                run.P99Ms is { } p99 ? $"{(run.IsResponse ? "response p99" : "p99")} {Figures.Milliseconds(p99)}" : "",
                Silence(run),
            ],
        };
    }

    private static string[] FileParts(PreparationStep step, string path, long done, long total, double rate) =>
        [
            $"{step.Words()} {path}",
            $"{new IoSize(done).ToDisplayString()} of {new IoSize(total).ToDisplayString()}",
            rate > 0 ? Speed(rate) : "",
        ];

    private static string Join(IEnumerable<string> parts) => string.Join("   ", parts.Where(part => part.Length > 0));

    private static string Speed(double mebibytesPerSecond) => $"{Figures.Grouped(Throughput.In(mebibytesPerSecond))} {Throughput.Unit}";

    private static string Silence(RunProgress run) =>
        (run.Waiting?.Seconds ?? run.Call?.Seconds) is { } seconds ? $"no answer for {Figures.Grouped(Math.Floor(seconds))} s" : "";

    private static string Left(double? seconds) =>
        seconds switch
        {
            null => "",
            < 100 => $"{Figures.Grouped(Math.Ceiling(seconds.Value))} s left",
            _ => TestPlanEstimate.Words(TimeSpan.FromSeconds(seconds.Value)) + " left",
        };
}
