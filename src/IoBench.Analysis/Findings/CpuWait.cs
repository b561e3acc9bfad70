using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Decides whether waiting for a CPU can be the cause of a result, so that no sentence blames the storage for it.</summary>
internal static class CpuWait
{
    /// <summary>Share of the duration, in percent, from which the wait counts. Averages of latency are then a tenth too high.</summary>
    public const double NotablePercent = 5;

    /// <summary>From this share on, the wait can explain a latency of any height.</summary>
    public const double DominantPercent = 15;

    /// <summary>Largest excess over a limit that a shorter wait can explain, as a factor.</summary>
    private const double MaxExplainedExcess = 1.5;

    /// <summary>Whether the wait can be the reason that a latency exceeds its limit.</summary>
    /// <param name="isAverage">Whether it is an average. If the device's own average exceeds the limit, the storage is the reason.</param>
    public static bool CanExplainLatency(IoTestResult run, double measuredMs, double limitMs, bool isAverage) =>
        !(isAverage && run.GetDeviceLatencyMs() > limitMs)
        && (
            run.ProcessorWaitPercent >= DominantPercent
            || IsNotable(run) && measuredMs / limitMs <= MaxExplainedExcess
            || GetPauseShare(run) >= MinPauseShare
        );

    /// <summary>Whether the wait can be the reason that a rate is below its limit: a thread that waits half of the time loses half of its
    /// I/Os.</summary>
    /// <param name="excess">Limit / value.</param>
    public static bool CanExplainRate(IoTestResult run, double excess)
    {
        var lost = GetLostShare(run);
        return lost >= MinPauseShare && excess * (1 - lost) <= MaxExplainedExcess;
    }

    /// <summary>Share of the duration (0 to 1) in which a run could do no I/O, because the host did not run its threads.</summary>
    public static double GetLostShare(IoTestResult run) =>
        Math.Min(1, GetPauseShare(run) + (IsNotable(run) ? run.ProcessorWaitPercent!.Value / 100 : 0));

    private static double GetPauseShare(IoTestResult run) =>
        run.HostPauses.Count == 0 || run.DurationSeconds is not > 0
            ? 0
            : run.HostPauses.Sum(pause => pause.LengthSeconds) / run.DurationSeconds.Value;

    /// <summary>Why a result does not show the storage, such as <c>worker threads waited 58% of the time for a CPU</c>.</summary>
    public static string DescribeReason(IoTestResult run) =>
        GetPauseShare(run) >= MinPauseShare
            ? Invariant($"the host did not run IoBench for {run.HostPauses.Sum(pause => pause.LengthSeconds):0.0} s")
            : Invariant($"worker threads waited {run.ProcessorWaitPercent:0}% of the time for a CPU");

    /// <summary>Smallest share of the duration in which the host did not run IoBench that can explain a value.</summary>
    private const double MinPauseShare = 0.01;

    /// <summary>
    /// Whether a busy host can be the cause of a stall or a slow I/O. The engine removes those in which the host did not run IoBench for
    /// half of the time, so the rest is of the storage if it is also much longer than the longest pause of the run.
    /// </summary>
    public static bool CanExplainStall(IoTestResult run, double seconds) =>
        IsNotable(run)
        && (seconds < MinStallSeconds || seconds < MinPauseFactor * run.HostPauses.Select(p => p.LengthSeconds).DefaultIfEmpty().Max());

    private const double MinStallSeconds = 0.5;
    private const double MinPauseFactor = 3;

    public const string Advice =
        "Repeat the test when the computer is less busy, or with fewer threads. The cause can be the CPUs instead of the storage";

    public static bool IsNotable(IoTestResult run) => run.ProcessorWaitPercent >= NotablePercent;

    /// <summary>A sentence that begins with a space; empty if the wait is short or unknown.</summary>
    public static string Describe(double? percent) =>
        percent >= NotablePercent
            ? Invariant($" Worker threads waited {percent:0}% of the time for a CPU, so this computer can be the cause.")
            : "";
}
