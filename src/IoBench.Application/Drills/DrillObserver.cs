using System.Text.Json.Serialization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Progress of a drill.</summary>
/// <param name="Seconds">Seconds since the drill began.</param>
/// <param name="Remaining">Seconds left; null if a key ends the drill.</param>
/// <param name="Iops">I/Os completed per second, over about the last second.</param>
/// <param name="Current">The outage in progress; null if there is none.</param>
/// <param name="Outages">Number of outages that have ended.</param>
/// <param name="LongestOutage">Seconds of the longest outage so far, including the outage in progress.</param>
/// <param name="Errors">I/Os that failed so far.</param>
public sealed record DrillProgress(
    double Seconds,
    double? Remaining,
    double Iops,
    Outage? Current,
    int Outages,
    double LongestOutage,
    long Errors
)
{
    /// <summary>
    /// One line: <c>83 s 200 IOPS 2 outages over, longest 4.87 s 12 errors</c>; during an outage, its length comes first.
    /// </summary>
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
                Errors == 0 ? "" : NumberFormat.PluralizeGrouped(Errors, "error"),
                Remaining is { } left ? FormattableString.Invariant($"{left:0} s left") : "",
            }.Where(part => part.Length > 0)
        );
}

/// <summary>Kind of a drill event.</summary>
public enum DrillEventKind
{
    /// <summary>The load started.</summary>
    Begin,

    /// <summary>Progress, once per second.</summary>
    Live,

    OutageBegan,

    OutageEnded,

    /// <summary>The file became unavailable or available again.</summary>
    Target,

    /// <summary>A read returned data other than what was written and acknowledged.</summary>
    Mismatch,

    /// <summary>A warning, such as an I/O that does not complete.</summary>
    Warning,

    /// <summary>The drill ended.</summary>
    End,
}

/// <summary>Load of a drill.</summary>
/// <param name="Rate">Target rate in IOPS.</param>
/// <param name="WritePercent">Percentage of writes.</param>
/// <param name="Path">Path of the test file.</param>
public sealed record DrillLoad(double Rate, int WritePercent, string Path);

/// <summary>
/// An event of a drill, for display and for JSON. Only the properties that belong to its kind have values; the others are null.
/// </summary>
/// <param name="Event">Kind of the event.</param>
/// <param name="At">Seconds since the drill began.</param>
public sealed record DrillEvent(DrillEventKind Event, double At)
{
    /// <summary>Code of a warning, one of <see cref="WarningCodes"/>; null for other events.</summary>
    public string? Code => Warning?.Code;

    /// <summary>Description with neutral option names.</summary>
    public string Text => Words.ToString();

    /// <summary>Description with placeholders for the option names of a front end.</summary>
    [JsonIgnore]
    public IoMessage Words => DrillEvent.Describe(this);

    /// <summary>Local time of the event.</summary>
    public DateTimeOffset Time { get; init; } = DateTimeOffset.Now;

    /// <summary>Load of the drill; only for <see cref="DrillEventKind.Begin"/>.</summary>
    public DrillLoad? Load { get; init; }

    /// <summary>Change of the file's availability.</summary>
    public DrillTargetChange? Target { get; init; }

    [JsonIgnore]
    public IoWarning? Warning { get; init; }

    /// <summary>The outage that began or ended.</summary>
    public Outage? Outage { get; init; }

    /// <summary>The data mismatch that a read found.</summary>
    public IoIntegrityError? Error { get; init; }

    /// <summary>Progress of the drill.</summary>
    public DrillProgress? Live { get; init; }

    /// <summary>Result of the drill; only for <see cref="DrillEventKind.End"/>.</summary>
    public DrillResult? Result { get; init; }

    internal static IoMessage Describe(DrillEvent happened) =>
        happened switch
        {
            { Warning: { } warning } => warning.Text,
            { Target: { } change } => change.Text,
            { Error: { } error } => IntegrityMessages.Describe(error),
            { Live: { } live } => live.Text,
            { Result: { } result } => result.Summary,
            { Load: { } load } => $"{load.Rate:0.###} I/Os per second, {load.WritePercent} % writes, on {load.Path}: pull now",
            { Event: DrillEventKind.OutageBegan, Outage: { } outage } => $"outage since {outage.Begin:0.00} s",
            { Outage: { } outage } => $"outage {outage}",
            _ => happened.Event.ToString(),
        };
}

/// <summary>Displays a drill. All calls come on the thread that runs the drill.</summary>
public interface IDrillObserver
{
    /// <summary>Reports progress while the file is created or verified.</summary>
    void OnPreparing(string path, PreparationStep step, long done, long total);

    /// <summary>Reports progress 10 times per second, for a line that is updated in place.</summary>
    void OnLive(DrillProgress live);

    /// <summary>Reports an event.</summary>
    void OnEvent(DrillEvent happened);
}
