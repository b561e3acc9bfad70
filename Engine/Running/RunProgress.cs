namespace IoBench.Engine;

/// <summary>What a run is doing.</summary>
public enum RunPhase
{
    /// <summary>Not started.</summary>
    Waiting,
    /// <summary>Checking targets, making test files.</summary>
    Preparing,
    /// <summary>I/O that is not counted yet.</summary>
    WarmUp,
    /// <summary>I/O that is counted.</summary>
    Measuring,
    /// <summary>I/O that is no longer counted.</summary>
    CoolDown,
    /// <summary>No more I/O is started; what is in flight is awaited.</summary>
    Draining,
    /// <summary>The result is there.</summary>
    Done,
}

/// <summary>A snapshot of a run for people to watch; taken without locks, so figures may be a moment apart.</summary>
/// <param name="Phase">What the run is doing.</param>
/// <param name="ElapsedSeconds">Time since the phase began.</param>
/// <param name="RemainingSeconds">Time left to the end of the run, or of the file's making; null when it cannot be told.</param>
/// <param name="CurrentIops">I/Os per second over about the last second.</param>
/// <param name="CurrentMBps">MiB per second over about the last second; while a file is made, its speed.</param>
/// <param name="P99Ms">99th percentile so far in milliseconds; null when there are too few I/Os.</param>
/// <param name="PreparingPath">The file being made; null when none is.</param>
/// <param name="PreparedBytes">Bytes of it that are written.</param>
/// <param name="PrepareTotalBytes">Its size in bytes.</param>
public sealed record RunProgress(
    RunPhase Phase,
    double ElapsedSeconds,
    double? RemainingSeconds,
    double CurrentIops,
    double CurrentMBps,
    double? P99Ms,
    string? PreparingPath,
    long PreparedBytes,
    long PrepareTotalBytes)
{
    /// <summary>Whether <see cref="P99Ms"/> is of response times (an open loop), not of service times.</summary>
    public bool IsResponse { get; init; }

    /// <summary>What is done to the file that is being made ready.</summary>
    public PreparationStep Step { get; init; }
}
