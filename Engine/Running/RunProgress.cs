namespace IoBench.Engine.Running;

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
    long PrepareTotalBytes
)
{
    /// <summary>Whether <see cref="P99Ms"/> is of response times (an open loop), not of service times.</summary>
    public bool IsResponse { get; init; }

    /// <summary>The I/O that has been out longest, from a second on; null when all come back.</summary>
    public WaitingIO? Waiting { get; init; }

    /// <summary>What the run does to a file outside of the test's I/O, and has not come back for a second or longer; null when nothing hangs.</summary>
    public WaitingCall? Call { get; init; }

    /// <summary>What is done to the file that is being made ready.</summary>
    public PreparationStep Step { get; init; }
}

/// <summary>An I/O that has not come back yet.</summary>
/// <param name="Kind">What it does.</param>
/// <param name="Path">Its target.</param>
/// <param name="Offset">Its place in bytes.</param>
/// <param name="Size">Bytes; 0 for a flush.</param>
/// <param name="Seconds">How long it has been out.</param>
/// <param name="Count">I/Os that have been out for a second or longer, with this one.</param>
/// <param name="InFlight">I/Os that the system has, with this one.</param>
public sealed record WaitingIO(IoRequestKind Kind, string Path, long Offset, int Size, double Seconds, int Count, int InFlight = 0)
{
    /// <summary>From so many nanoseconds on an I/O is looked at.</summary>
    internal const long MinAge = Clock.Second;
}

/// <summary>What a run does to a file outside of the test's I/O.</summary>
public enum RunCallKind
{
    /// <summary>It is looked at before the run.</summary>
    Check,

    /// <summary>It is made, filled or proved.</summary>
    Preparation,

    /// <summary>It is opened for the test.</summary>
    Opening,

    /// <summary>All of it is read, before or after a checked test.</summary>
    Reading,

    /// <summary>Its mark is closed.</summary>
    Closing,

    /// <summary>It is looked at after the test.</summary>
    Look,
}

/// <summary>A call into the system, outside of the test's I/O, that has not come back yet.</summary>
/// <param name="Kind">What it does.</param>
/// <param name="Path">The file; null when none can be named.</param>
/// <param name="Seconds">How long ago it began, or last got further.</param>
public sealed record WaitingCall(RunCallKind Kind, string? Path, double Seconds)
{
    /// <summary>In a word: <c>opening</c>.</summary>
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

    /// <summary>For people: <c>the opening of T:\x.dat</c>.</summary>
    public override string ToString() => $"the {Noun} {(Kind == RunCallKind.Look ? "at" : "of")} {Path ?? "a file of the run"}";
}
