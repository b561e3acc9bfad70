namespace IoBench.Engine;

/// <summary>Phase of a run.</summary>
public enum RunPhase
{
    /// <summary>Not started.</summary>
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

    /// <summary>The result is available.</summary>
    Done,
}

/// <summary>Snapshot of the progress of a run. It is taken without locks, so the values can be from slightly different times.</summary>
/// <param name="Phase">Phase of the run.</param>
/// <param name="ElapsedSeconds">Seconds since the phase started.</param>
/// <param name="RemainingSeconds">Seconds to the end of the run, or of the file's preparation; null if unknown.</param>
/// <param name="CurrentIops">IOPS of about the last second.</param>
/// <param name="CurrentMBps">MiB/s of about the last second; during preparation, the speed of the file's preparation.</param>
/// <param name="P99Ms">p99 latency so far in milliseconds; null if there are too few I/Os.</param>
/// <param name="PreparingPath">File that is being prepared; null if there is none.</param>
/// <param name="PreparedBytes">Bytes of the file that are done.</param>
/// <param name="PrepareTotalBytes">Size of the file in bytes.</param>
public sealed record RunProgress(
    RunPhase Phase,
    double ElapsedSeconds,
    double? RemainingSeconds,
    double CurrentIops,
    double CurrentMBps,
    double? P99Ms,
    string? PreparingPath,
    long PreparedBytes,
    long PrepareTotalBytes
)
{
    /// <summary>Whether <see cref="P99Ms"/> is a response time (open loop) instead of a service time.</summary>
    public bool IsResponse { get; init; }

    /// <summary>The I/O that has been outstanding longest, if it is at least a second old; otherwise null.</summary>
    public PendingIO? Waiting { get; init; }

    /// <summary>The call outside of the test's I/O that has been pending for at least a second; otherwise null.</summary>
    public PendingCall? Call { get; init; }

    /// <summary>Step of the file's preparation.</summary>
    public PreparationStep Step { get; init; }
}

/// <summary>An I/O that has not completed yet.</summary>
/// <param name="Kind">Kind of I/O.</param>
/// <param name="Path">Target.</param>
/// <param name="Offset">Position in bytes.</param>
/// <param name="Size">Bytes; 0 for a flush.</param>
/// <param name="Seconds">Age in seconds.</param>
/// <param name="Count">Number of I/Os that have been outstanding for at least a second, including this one.</param>
/// <param name="InFlight">Number of outstanding I/Os, including this one.</param>
public sealed record PendingIO(IoRequestKind Kind, string Path, long Offset, int Size, double Seconds, int Count, int InFlight = 0)
{
    /// <summary>Age in nanoseconds from which on an I/O is reported.</summary>
    internal const long MinAge = Clock.Second;
}

/// <summary>Kind of call of a run outside of the test's I/O.</summary>
public enum RunCallKind
{
    /// <summary>Checks the file before the run.</summary>
    Check,

    /// <summary>Creates, fills, or verifies the file.</summary>
    Preparation,

    /// <summary>Opens the file for the test.</summary>
    Opening,

    /// <summary>Reads the whole file before or after a verified test.</summary>
    Reading,

    /// <summary>Closes the ownership marker.</summary>
    Closing,

    /// <summary>Checks the file after the test.</summary>
    Look,
}

/// <summary>A call into the system, outside of the test's I/O, that has not returned yet.</summary>
/// <param name="Kind">Kind of call.</param>
/// <param name="Path">File; null if no file can be named.</param>
/// <param name="Seconds">Seconds since the call started or last made progress.</param>
public sealed record PendingCall(RunCallKind Kind, string? Path, double Seconds)
{
    /// <summary>Noun for the kind of call, such as <c>opening</c>.</summary>
    public string Noun =>
        Kind switch
        {
            RunCallKind.Check => "check",
            RunCallKind.Preparation => "preparation",
            RunCallKind.Opening => "opening",
            RunCallKind.Reading => "reading",
            RunCallKind.Closing => "closing",
            _ => "last look",
        };

    /// <summary>Returns a phrase such as <c>the opening of T:\x.dat</c>.</summary>
    public override string ToString() => $"the {Noun} {(Kind == RunCallKind.Look ? "at" : "of")} {Path ?? "a file of the run"}";
}
