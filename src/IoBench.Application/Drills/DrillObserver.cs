namespace IoBench.Application.Drills;

/// <summary>Where a drill is now.</summary>
/// <param name="Seconds">Since its beginning.</param>
/// <param name="Remaining">Seconds left; null when a key ends it.</param>
/// <param name="Iops">I/Os that were done per second, over about the last second.</param>
/// <param name="Current">The outage that goes on; null when none does.</param>
/// <param name="Outages">Outages so far, without that.</param>
/// <param name="LongestOutage">The longest so far in seconds, with that.</param>
/// <param name="Errors">I/Os that failed so far.</param>
public sealed record DrillLive(double Seconds, double? Remaining, double Iops, Outage? Current, int Outages, double LongestOutage, long Errors)
{
    /// <summary>In a line: <c>83 s   200 IOPS   2 outages, longest 4.87 s   12 errors</c>; in an outage its length first.</summary>
    public string Text => string.Join("   ", new[]
    {
        Current is { } now ? FormattableString.Invariant($"OUTAGE {now.Seconds:0.0} s") : "",
        FormattableString.Invariant($"{Seconds:0} s"),
        FormattableString.Invariant($"{Iops:0} IOPS"),
        Outages == 0 && Current is null ? "no outage" : FormattableString.Invariant($"{Outages} {(Outages == 1 ? "outage" : "outages")} over, longest {LongestOutage:0.00} s"),
        Errors == 0 ? "" : Figures.CountedGrouped(Errors, "error"),
        Remaining is { } left ? FormattableString.Invariant($"{left:0} s left") : "",
    }.Where(part => part.Length > 0));
}

/// <summary>What is new in a drill.</summary>
public enum DrillEventKind
{
    /// <summary>The load runs.</summary>
    Begin,
    /// <summary>How it goes, once per second.</summary>
    Live,
    /// <summary>An outage was noticed.</summary>
    OutageBegan,
    /// <summary>An outage is over.</summary>
    OutageEnded,
    /// <summary>The file was lost or found.</summary>
    Target,
    /// <summary>A read brought something else than was written and acknowledged.</summary>
    Mismatch,
    /// <summary>An I/O hangs, or is back.</summary>
    Warning,
    /// <summary>It is over.</summary>
    End,
}

/// <summary>Something new in a drill, for people and programs.</summary>
/// <param name="Event">What it is.</param>
/// <param name="At">Seconds from the drill's beginning.</param>
/// <param name="Text">In words.</param>
public sealed record DrillEvent(DrillEventKind Event, double At, string Text)
{
    /// <summary>The moment by the calendar.</summary>
    public DateTimeOffset Time { get; init; } = DateTimeOffset.Now;
    /// <summary>The outage it is about.</summary>
    public Outage? Outage { get; init; }
    /// <summary>What was wrong with a read.</summary>
    public IoIntegrityError? Error { get; init; }
    /// <summary>How the drill goes.</summary>
    public DrillLive? Live { get; init; }
    /// <summary>What it came to.</summary>
    public DrillResult? Result { get; init; }
}

/// <summary>Whoever shows a drill. All calls come on the thread that runs it.</summary>
public interface IDrillObserver
{
    /// <summary>The file is made or proved.</summary>
    void OnPreparing(string path, PreparationStep step, long done, long total);

    /// <summary>Ten times per second: for a live line.</summary>
    void OnLive(DrillLive live);

    /// <summary>Something new.</summary>
    void OnEvent(DrillEvent happened);
}
