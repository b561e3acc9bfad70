using System.Text.Json.Serialization;

namespace IoBench.Application.Drills;

/// <summary>Where a drill is now.</summary>
/// <param name="Seconds">Since its beginning.</param>
/// <param name="Remaining">Seconds left; null when a key ends it.</param>
/// <param name="Iops">I/Os that were done per second, over about the last second.</param>
/// <param name="Current">The outage that goes on; null when none does.</param>
/// <param name="Outages">Outages so far, without that.</param>
/// <param name="LongestOutage">The longest so far in seconds, with that.</param>
/// <param name="Errors">I/Os that failed so far.</param>
public sealed record DrillLive(
    double Seconds,
    double? Remaining,
    double Iops,
    Outage? Current,
    int Outages,
    double LongestOutage,
    long Errors
)
{
    /// <summary>In a line: <c>83 s   200 IOPS   2 outages, longest 4.87 s   12 errors</c>; in an outage its length first.</summary>
    public string Text =>
        string.Join(
            "   ",
            new[]
            {
                Current is { } now ? FormattableString.Invariant($"OUTAGE {now.Seconds:0.0} s") : "",
                FormattableString.Invariant($"{Seconds:0} s"),
                FormattableString.Invariant($"{Iops:0} IOPS"),
                Outages == 0 && Current is null
                    ? "no outage"
                    : FormattableString.Invariant(
                        $"{Outages} {(Outages == 1 ? "outage" : "outages")} over, longest {LongestOutage:0.00} s"
                    ),
                Errors == 0 ? "" : Figures.CountedGrouped(Errors, "error"),
                Remaining is { } left ? FormattableString.Invariant($"{left:0} s left") : "",
            }.Where(part => part.Length > 0)
        );
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

/// <summary>What a drill does to its file.</summary>
/// <param name="Rate">I/Os due per second.</param>
/// <param name="WritePercent">Share of writes.</param>
/// <param name="Path">The file.</param>
public sealed record DrillLoad(double Rate, int WritePercent, string Path);

/// <summary>Something new in a drill, for people and programs: what belongs to its kind is there, the rest is null.</summary>
/// <param name="Event">What it is.</param>
/// <param name="At">Seconds from the drill's beginning.</param>
public sealed record DrillEvent(DrillEventKind Event, double At)
{
    /// <summary>Of a warning: what it is about, one of <see cref="WarningCodes"/>.</summary>
    public string? Code => Warning?.Code;

    /// <summary>In words, with the options' neutral names.</summary>
    public string Text => Words.ToString();

    /// <summary>In words, with the options in them still to be spelled.</summary>
    [JsonIgnore]
    public IoText Words => DrillWords.Of(this);

    /// <summary>The moment by the calendar.</summary>
    public DateTimeOffset Time { get; init; } = DateTimeOffset.Now;

    /// <summary>What the drill does, at its beginning.</summary>
    public DrillLoad? Load { get; init; }

    /// <summary>What became of the file.</summary>
    public DrillTargetChange? Target { get; init; }

    /// <summary>Something to beware of.</summary>
    [JsonIgnore]
    public IoWarning? Warning { get; init; }

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
