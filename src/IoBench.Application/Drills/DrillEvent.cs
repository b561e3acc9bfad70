using System.Text.Json.Serialization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Seconds">Seconds since the drill began.</param>
/// <param name="Remaining">Seconds left; null if a key ends the drill.</param>
/// <param name="Iops">I/Os completed per second, over about the last second.</param>
/// <param name="LongestOutage">Seconds of the longest outage so far, including the outage in progress.</param>
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
    /// <summary><c>83 s 200 IOPS 2 outages over, longest 4.87 s 12 errors</c>; during an outage, its length comes first.</summary>
    public string Text =>
        string.Join(
            "   ",
            new[]
            {
                Current is { } now ? Invariant($"OUTAGE {now.Seconds:0.0} s") : "",
                Invariant($"{Seconds:0} s"),
                Invariant($"{Iops:0} IOPS"),
                Outages == 0 && Current is null
                    ? "no outage"
                    : Invariant($"{Outages} {(Outages == 1 ? "outage" : "outages")} ended, longest {LongestOutage:0.00} s"),
                Errors == 0 ? "" : NumberFormat.PluralizeGrouped(Errors, "error"),
                Remaining is { } left ? Invariant($"{left:0} s left") : "",
            }.Where(part => part.Length > 0)
        );
}

public enum DrillEventKind
{
    Begin,

    /// <summary>Progress, once per second.</summary>
    Live,

    OutageBegan,

    OutageEnded,

    /// <summary>The file became unavailable or available again.</summary>
    Target,

    /// <summary>The host did not run IoBench for a while.</summary>
    Paused,

    /// <summary>A read returned data other than what was written and acknowledged.</summary>
    Mismatch,

    Warning,

    End,
}

/// <param name="Rate">Target rate in IOPS.</param>
public sealed record DrillLoad(double Rate, int WritePercent, string Path);

/// <summary>An event of a drill. Only the properties that belong to its kind have values; the others are null.</summary>
/// <param name="At">Seconds since the drill began.</param>
public sealed record DrillEvent(DrillEventKind Event, double At)
{
    /// <summary>Code of a warning, one of <see cref="WarningCodes"/>; null for other events.</summary>
    public string? Code => Warning?.Code;

    public string Text => Words.ToString();

    [JsonIgnore]
    public IoMessage Words => DrillEvent.Describe(this);

    public DateTimeOffset Time { get; init; } = DateTimeOffset.Now;

    public DrillLoad? Load { get; init; }

    public DrillTargetChange? Target { get; init; }

    [JsonIgnore]
    public IoWarning? Warning { get; init; }

    public Outage? Outage { get; init; }

    public DrillPause? Pause { get; init; }

    public IoIntegrityError? Error { get; init; }

    public DrillProgress? Live { get; init; }

    public DrillResult? Result { get; init; }

    internal static IoMessage Describe(DrillEvent happened) =>
        happened switch
        {
            { Warning: { } warning } => warning.Text,
            { Target: { } change } => change.Text,
            { Pause: { } pause } => $"{pause.ToString()} Outages and latencies exclude this pause.",
            { Error: { } error } => IntegrityMessages.Describe(error),
            { Live: { } live } => live.Text,
            { Result: { } result } => $"{VerdictWords.Describe(result.Outcome)}: {result.Summary}",
            { Load: { } load } => $"Load: {load.Rate:0.###} IOPS, {load.WritePercent}% writes, on {load.Path}. Start the failover now.",
            { Event: DrillEventKind.OutageBegan, Outage: { } outage } => $"outage since {outage.Begin:0.00} s",
            { Outage: { } outage } => $"outage {outage}",
            _ => happened.Event.ToString(),
        };
}
