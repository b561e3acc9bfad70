namespace IoBench.Engine.Drills;

/// <summary>An I/O of a drill that came back, or was given up at the end. Times are seconds from the drill's beginning.</summary>
/// <param name="Started">When it was started.</param>
/// <param name="Ended">When it came back, or when the drill was over.</param>
/// <param name="Oldest">When the oldest I/O in flight was started, at the moment this one came back.</param>
/// <param name="Kind">What it did.</param>
/// <param name="Offset">Its place in bytes.</param>
/// <param name="Error">The operating system's error number; 0 = none.</param>
/// <param name="IsBack">Whether it came back.</param>
/// <param name="Source">Where it comes from.</param>
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
    /// <summary>Whether it did what it should.</summary>
    public bool IsDone => IsBack && Error == 0;
}

/// <summary>Where an I/O of a drill comes from.</summary>
public enum DrillIOSource
{
    Load,

    /// <summary>A read by which a file that came back was proved to be ours: the storage does I/Os again from then on, whatever our proof and the opening take.</summary>
    Proof,

    /// <summary>The load, on a handle that was given up since: what fails there belongs to the outage in which it was lost.</summary>
    Lost,
}

/// <summary>What became of a drill's file.</summary>
public enum DrillTargetState
{
    /// <summary>It is open, and what its name leads to was not looked at or is the same.</summary>
    Open,

    /// <summary>Its name leads nowhere, or cannot be asked.</summary>
    Gone,

    /// <summary>Its name leads to a file that is not proved to be ours: nothing is written there.</summary>
    Foreign,

    /// <summary>Its name leads to our file again, which was opened anew.</summary>
    Reopened,
}

/// <summary>What was seen of a drill's file.</summary>
public enum DrillTargetReason
{
    /// <summary>Its I/Os are done again.</summary>
    DoneAgain,

    /// <summary>Its name leads to the file that is open.</summary>
    Same,

    /// <summary>Its name leads nowhere.</summary>
    Gone,

    /// <summary>Its name cannot be asked, or what it leads to cannot be opened.</summary>
    Unreachable,

    /// <summary>Its name leads to a file without IoBench's mark.</summary>
    Unmarked,

    /// <summary>Its name leads to another test file of IoBench's.</summary>
    OtherTestFile,

    /// <summary>Its name leads to a file with its mark and content of others.</summary>
    OtherContent,

    /// <summary>Its name leads to our file: it was proved and opened anew.</summary>
    Proved,
}

/// <summary>A drill's file was lost or found.</summary>
/// <param name="At">When that was seen, in seconds from the drill's beginning.</param>
/// <param name="Reason">What was seen.</param>
/// <param name="Path">The file; null where it is not named.</param>
/// <param name="Detail">The system's words, or what of the content is another's, to stand behind the file's name; null where there is nothing to add.</param>
public sealed record DrillTargetChange(double At, DrillTargetReason Reason, string? Path = null, string? Detail = null)
{
    /// <summary>What became of the file.</summary>
    public DrillTargetState State => DrillText.StateOf(Reason);

    /// <summary>The reason, in words.</summary>
    public string Text => DrillText.Of(this);

    /// <summary>In words: <c>at 12.31 s: /data/iobench.dat is gone</c>.</summary>
    public override string ToString() => FormattableString.Invariant($"at {At:0.00} s: {Text}");
}

/// <summary>Hears what a drill does. All calls come on the drill's own thread.</summary>
internal interface IDrillEvents
{
    /// <summary>An I/O is over.</summary>
    void OnIO(DrillIO io);

    /// <summary>I/Os were due that could not be started, since too many were in flight.</summary>
    void OnNotStarted(int count);

    /// <summary>The file was lost or found.</summary>
    void OnTarget(DrillTargetChange change);

    /// <summary>A look of the loop: the time, and when the oldest I/O in flight was started; null when none is.</summary>
    void OnLook(double now, double? oldest);
}
