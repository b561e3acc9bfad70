namespace IoBench.Engine;

/// <summary>One I/O of a drill. Times are seconds from the start of the drill.</summary>
/// <param name="Ended">Time of the completion, or the end of the drill if the I/O is still pending.</param>
/// <param name="Oldest">Start time of the oldest I/O that was pending when this one completed.</param>
public readonly record struct DrillIO(
    double Started,
    double Ended,
    double Oldest,
    IoRequestKind Kind,
    long Offset,
    int Error,
    bool IsBack = true,
    DrillIOSource Source = DrillIOSource.Load
)
{
    public bool IsDone => IsBack && Error == 0;
}

/// <summary>Period in which the host did not run IoBench, so nothing is known about the storage.</summary>
/// <param name="Begin">Seconds since the start of the drill.</param>
public sealed record DrillPause(double Begin, double Seconds)
{
    public double End => Begin + Seconds;

    /// <summary>Returns a sentence such as <c>IoBench did not run from 3.80 s to 5.80 s, because the host did not schedule
    /// it.</c></summary>
    public override string ToString() =>
        FormattableString.Invariant($"IoBench did not run from {Begin:0.00} s to {End:0.00} s, because the host did not schedule it.");
}

public enum DrillIOSource
{
    Load,

    /// <summary>A read that verified the reopened file. The storage responds again from this I/O on.</summary>
    Proof,

    /// <summary>The load, on a handle that was replaced since. Its errors belong to the outage in which the handle was lost.</summary>
    Lost,
}

public enum DrillTargetState
{
    /// <summary>The file is open, and its name leads to the same file or was not checked.</summary>
    Open,
    Gone,

    /// <summary>The name leads to a file that could not be verified as the drill's file. The drill does not write to it.</summary>
    Foreign,
    Reopened,
}

public enum DrillTargetReason
{
    DoneAgain,
    Same,
    Gone,

    /// <summary>The name cannot be queried, or its file cannot be opened.</summary>
    Unreachable,
    Unmarked,
    OtherTestFile,

    /// <summary>The name leads to a file with the right ownership marker and unknown content.</summary>
    OtherContent,
    Proved,
}

/// <param name="Path">Path of the file; null if the message does not name it.</param>
/// <param name="Detail">Message of the operating system, or a description of the unknown content; null if there is none.</param>
public sealed record DrillTargetChange(double At, DrillTargetReason Reason, string? Path = null, string? Detail = null)
{
    public DrillTargetState State => DrillTargetChange.GetState(Reason);

    public string Text => DrillTargetChange.Describe(this);

    /// <summary>Returns a sentence such as <c>at 12.31 s: /data/iobench.dat is gone</c>.</summary>
    public override string ToString() => FormattableString.Invariant($"at {At:0.00} s: {Text}");

    internal static DrillTargetState GetState(DrillTargetReason reason) =>
        reason switch
        {
            DrillTargetReason.Gone or DrillTargetReason.Unreachable => DrillTargetState.Gone,
            DrillTargetReason.Unmarked or DrillTargetReason.OtherTestFile or DrillTargetReason.OtherContent => DrillTargetState.Foreign,
            DrillTargetReason.Proved => DrillTargetState.Reopened,
            _ => DrillTargetState.Open,
        };

    internal static string Describe(DrillTargetChange change) =>
        change.Reason switch
        {
            DrillTargetReason.DoneAgain => "I/Os complete again",
            DrillTargetReason.Same => $"{change.Path} is the original test file again",
            DrillTargetReason.Gone => $"{change.Path} is no longer available",
            DrillTargetReason.Unreachable => change.Detail ?? $"{change.Path} does not respond",
            DrillTargetReason.Proved => $"{change.Path} is available again. IoBench verified the contents and reopened the file",
            _ => $"{change.Path} {DescribeMismatch(change.Reason, change.Detail)}. IoBench does not write to this file",
        };

    internal static string DescribeMismatch(DrillTargetReason reason, string? detail) =>
        reason switch
        {
            DrillTargetReason.Unmarked => "is a different file, without an ownership marker",
            DrillTargetReason.OtherTestFile => "is a different IoBench test file",
            _ => detail ?? "contains data that IoBench did not write",
        };
}

/// <summary>Receives the events of a drill. All calls come from the drill's own thread.</summary>
public interface IDrillLoopObserver
{
    void OnIO(DrillIO io);

    /// <summary>Reports I/Os that were due but not started, because too many were pending.</summary>
    void OnSkipped(int count);

    void OnTargetChanged(DrillTargetChange change);

    /// <summary>Reports a pause before the I/Os that completed after it.</summary>
    void OnPaused(DrillPause pause);

    /// <summary>Called in each cycle. Times are seconds from the start; <paramref name="oldest"/> is null if no I/O is pending.</summary>
    void OnTick(double now, double? oldest);
}
