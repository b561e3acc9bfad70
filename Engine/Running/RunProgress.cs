namespace IoBench.Engine;

public enum RunPhase
{
    Waiting,

    /// <summary>Targets are checked and test files are created.</summary>
    Preparing,

    /// <summary>I/O that is not counted yet.</summary>
    WarmUp,

    /// <summary>I/O that is counted.</summary>
    Measuring,

    /// <summary>I/O that is no longer counted.</summary>
    CoolDown,

    /// <summary>No more I/O is started; the run waits for outstanding I/O.</summary>
    Draining,

    Done,
}

/// <summary>Snapshot of the progress of a run, without locks, so values can be from slightly different times.</summary>
/// <param name="ElapsedSeconds">Seconds since the phase started.</param>
public sealed record RunProgress(RunPhase Phase, double ElapsedSeconds)
{
    /// <summary>Seconds to the end of the run, or of the file's preparation; null if unknown.</summary>
    public double? RemainingSeconds { get; init; }

    public double CurrentIops { get; init; }

    /// <summary>MiB/s of about the last second; during preparation, the speed of the file's preparation.</summary>
    public double CurrentMBps { get; init; }

    /// <summary>p99 latency so far in milliseconds; null if there are too few I/Os.</summary>
    public double? P99Ms { get; init; }

    /// <summary>File that is being prepared; null if there is none.</summary>
    public string? PreparingPath { get; init; }

    public long PreparedBytes { get; init; }

    public long PrepareTotalBytes { get; init; }

    /// <summary>Whether <see cref="P99Ms"/> is a response time (open loop) instead of a service time.</summary>
    public bool IsResponse { get; init; }

    /// <summary>The I/O that has been outstanding longest, if it is at least a second old; otherwise null.</summary>
    public PendingIO? Waiting { get; init; }

    /// <summary>The call outside of the test's I/O that has been pending for at least a second; otherwise null.</summary>
    public PendingCall? Call { get; init; }

    public PreparationStep Step { get; init; }
}

/// <summary>An I/O that has not completed yet.</summary>
/// <param name="Size">Bytes; 0 for a flush.</param>
/// <param name="Count">Number of I/Os that have been outstanding for at least a second, including this one.</param>
public sealed record PendingIO(IoRequestKind Kind, string Path, long Offset, int Size, double Seconds, int Count, int InFlight = 0)
{
    /// <summary>Age in nanoseconds from which on an I/O is reported.</summary>
    internal const long MinAge = Clock.Second;
}

/// <summary>Kind of call of a run outside of the test's I/O.</summary>
public enum RunCallKind
{
    Check,

    /// <summary>Creates, fills, or verifies the file.</summary>
    Preparation,

    Opening,

    /// <summary>Reads the whole file before or after a verified test.</summary>
    Reading,

    /// <summary>Closes the ownership marker.</summary>
    Closing,

    /// <summary>Checks the file after the test.</summary>
    Look,
}

/// <summary>A call into the system, outside of the test's I/O, that has not returned yet.</summary>
/// <param name="Seconds">Seconds since the call started or last made progress.</param>
public sealed record PendingCall(RunCallKind Kind, string? Path, double Seconds)
{
    public string Noun =>
        Kind switch
        {
            RunCallKind.Check => "check",
            RunCallKind.Preparation => "preparation",
            RunCallKind.Opening => "opening",
            RunCallKind.Reading => "reading",
            RunCallKind.Closing => "closing",
            _ => "last check",
        };

    /// <summary>Returns a phrase such as <c>the opening of T:\x.dat</c>.</summary>
    public override string ToString() => $"the {Noun} of {Path ?? "a file of the run"}";
}
