using System.Diagnostics;
using System.Globalization;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>One line of what is going on: which test, and its rate now; while a file is made, how far it is.</summary>
internal static class ProgressText
{
    /// <summary>The line of a suite.</summary>
    public static string Of(SuiteProgress progress)
    {
        var run = progress.Run;
        var invariant = CultureInfo.InvariantCulture;
        if (run is { Phase: RunPhase.Preparing, PrepareTotalBytes: > 0 })
            return OfFile(run.Step.Words(), run.PreparingPath, run.PreparedBytes, run.PrepareTotalBytes, run.CurrentMBps) + Silence(run);
        var test = string.Create(invariant, $"{progress.Number}/{progress.Count} {progress.Name}");
        if (run.Phase is not (RunPhase.WarmUp or RunPhase.Measuring or RunPhase.CoolDown or RunPhase.Draining))
            return $"{test}   {(run.Call is { } call ? $"{call}" : progress.Rest is null ? "checking the file" : "the storage rests")}{Silence(run)}";
        var percentile = run.P99Ms is { } p99 ? string.Create(invariant, $"   {(run.IsResponse ? "response p99" : "p99")} {p99:N1} ms") : "";
        return string.Create(invariant, $"{test}{(run.Phase == RunPhase.WarmUp ? "   warming up" : "")}   {run.CurrentIops:N0} IOPS   {Throughput.In(run.CurrentMBps):N0} {Throughput.Unit}{percentile}{Silence(run)}");
    }

    private static string Silence(RunProgress run)
        => (run.Waiting?.Seconds ?? run.Call?.Seconds) is { } seconds ? string.Create(CultureInfo.InvariantCulture, $"   no answer for {Math.Floor(seconds):N0} s") : "";

    /// <summary>The line of a file.</summary>
    /// <param name="doing">What is done to it.</param>
    /// <param name="path">The file.</param>
    /// <param name="done">Bytes that are done.</param>
    /// <param name="total">Bytes of the file.</param>
    /// <param name="rate">MiB per second.</param>
    public static string OfFile(string doing, string? path, long done, long total, double rate)
        => string.Create(CultureInfo.InvariantCulture, $"{doing} {path}   {new IoSize(done).ToDisplayString()} of {new IoSize(total).ToDisplayString()}   {rate:N0} MiB/s");
}

/// <summary>How fast a test file is made.</summary>
/// <param name="path">The file.</param>
internal sealed class FileRate(string path)
{
    /// <summary>Nobody reads more often.</summary>
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(100);

    private readonly Stopwatch _watch = Stopwatch.StartNew();
    private TimeSpan _due;

    /// <summary>Whether it is time to show it again.</summary>
    public bool IsDue()
    {
        if (_watch.Elapsed < _due)
            return false;
        _due = _watch.Elapsed + s_interval;
        return true;
    }

    /// <summary>The line, percent and seconds left.</summary>
    public (string Text, int Percent, int SecondsLeft) Of(long written, long total)
    {
        var rate = written / Math.Max(_watch.Elapsed.TotalSeconds, 0.001);
        return (ProgressText.OfFile("making", path, written, total, rate / (1 << 20)), total > 0 ? (int)Math.Clamp(100.0 * written / total, 0, 100) : -1,
            rate > 0 ? (int)Math.Min((total - written) / rate, int.MaxValue) : -1);
    }

    /// <summary>The same as a message of a host.</summary>
    public SessionMessage Message(long written, long total)
    {
        var (text, percent, seconds) = Of(written, total);
        return new SessionMessage { Kind = SessionMessageKind.Progress, Text = text, Percent = percent, SecondsLeft = seconds };
    }
}
