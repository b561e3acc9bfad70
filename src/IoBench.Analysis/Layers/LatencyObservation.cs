using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>What a breakdown is calculated from.</summary>
/// <param name="Result">Test with one outstanding I/O that only reads or only writes.</param>
/// <param name="Sample">What the system counted in the same time; null if nothing.</param>
/// <param name="Idle">What the system counted while IoBench issued no I/O; null if unknown.</param>
/// <param name="OverheadMs">Average latency of the same test with the null backend.</param>
public sealed record LatencyObservation(
    IoTestResult Result,
    IReadOnlyList<StorageLevel> Levels,
    IReadOnlyList<StorageLimit> Limits,
    StorageSample? Sample,
    StorageSample? Idle,
    double OverheadMs
)
{
    /// <summary>Whether the user requested a report, which the advice can mention.</summary>
    public bool HasReport { get; init; }

    /// <summary>Seconds of the measured time in which the host did not run IoBench.</summary>
    internal double PauseSeconds =>
        Result.HostPauses.Sum(pause =>
            Math.Max(
                0,
                Math.Min(pause.Seconds + pause.LengthSeconds, Result.DurationSeconds ?? double.MaxValue) - Math.Max(0, pause.Seconds)
            )
        );
}
