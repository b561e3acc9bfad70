using IoBench.Engine;

namespace IoBench.Analysis;

/// <param name="TolerancePercent">Width of the bracket, in percent of its upper end, at which the bisection stops.</param>
/// <param name="Repeats">Number of probes for a rate whose latency is near the limit, and for both ends of the last bracket.</param>
/// <param name="MaxIops">Highest rate to try; null = the rate of a closed loop with the same threads and outstanding I/Os.</param>
public sealed record LimitOptions(double TolerancePercent = 2, int Repeats = 3, int MaxProbes = 60, double? MaxIops = null);

/// <param name="TargetIops">Target rate; null for the closed loop that finds the upper end.</param>
/// <param name="LatencyMs">Latency that the limit applies to; null if the run had too few I/Os.</param>
/// <param name="IsWithinLimit">Whether the rate was reached and the latency meets the limit.</param>
/// <param name="IsDoubtful">Whether the run exceeds the limit, but waiting for a CPU or a pause of the host can be the reason.</param>
public sealed record LimitProbe(
    double? TargetIops,
    double IOPS,
    double? LatencyMs,
    bool IsWithinLimit,
    IoTestResult Result,
    bool IsDoubtful = false
)
{
    /// <summary>Whether the run reached its target rate; true for the closed loop.</summary>
    public bool IsRateReached =>
        TargetIops is not { } rate || (Result.RateReachedPercent ?? 100 * Result.IOPS / rate) >= IoTestResult.MinRateReachedPercent;
}

public enum LimitOutcome : long
{
    Found,

    /// <summary>No rate meets the limit, not even the lowest.</summary>
    NeverMet,

    /// <summary>Every rate up to the highest tested rate meets the limit.</summary>
    AlwaysMet,

    /// <summary>A run was canceled or failed; the result contains the bracket so far.</summary>
    Interrupted,

    /// <summary>The runs do not tell the storage from a busy or paused host; the result contains the bracket so far.</summary>
    Unknown,
}

/// <summary>The highest rate that meets a latency limit, with all runs of the search.</summary>
public sealed class LimitResult : IHasFindings
{
    public required LimitOutcome Outcome { get; init; }

    /// <summary>Highest IOPS that meet the limit; null if no rate does.</summary>
    public double? IOPS { get; init; }

    public double? MBps { get; init; }

    public double? ConfidenceLow { get; init; }

    /// <summary>Upper end of the confidence interval of <see cref="IOPS"/>; null if every rate meets the limit.</summary>
    public double? ConfidenceHigh { get; init; }

    /// <summary>Type of the interval: 95% confidence by regression, or the range from certain pass to certain failure.</summary>
    public required string Confidence { get; init; }

    public required string Limit { get; init; }

    /// <summary>Latency at the lowest tested rate in milliseconds.</summary>
    public double? IdleLatencyMs { get; init; }

    public required string IOPattern { get; init; }

    public string? Path { get; init; }

    public int ProbeCount => Probes.Count;

    public required string Summary { get; init; }

    public override string ToString() => Summary;

    /// <summary>Tested rates in words, each with its runs and their latency.</summary>
    public string Tried { get; init; } = "";

    public required IReadOnlyList<LimitProbe> Probes { get; init; }

    public IReadOnlyList<Finding> Findings =>
        (Finding[])
            [
                new()
                {
                    Code = Outcome switch
                    {
                        LimitOutcome.Found => FindingCodes.LimitFound,
                        LimitOutcome.NeverMet => FindingCodes.LimitNeverMet,
                        LimitOutcome.AlwaysMet => FindingCodes.LimitAlwaysMet,
                        LimitOutcome.Unknown => FindingCodes.LimitUnknown,
                        _ => FindingCodes.LimitInterrupted,
                    },
                    Subject = IOPattern,
                    What = Summary,
                    Severity = Outcome == LimitOutcome.NeverMet ? FindingSeverity.Critical : FindingSeverity.Info,
                    Outcome = Outcome switch
                    {
                        LimitOutcome.Found => null,
                        LimitOutcome.NeverMet => VerdictOutcome.Fail,
                        LimitOutcome.AlwaysMet => VerdictOutcome.Pass,
                        _ => VerdictOutcome.NotRated,
                    },
                    Evidence =
                    [
                        new("IOPS", IOPS, "IOPS"),
                        new("BandwidthMBps", MBps, "MiB/s"),
                        new("ConfidenceLow", ConfidenceLow, "IOPS"),
                        new("ConfidenceHigh", ConfidenceHigh, "IOPS"),
                        new("IdleLatencyMs", IdleLatencyMs, "ms"),
                    ],
                    Values = Finding.CreateValues(("Limit", Limit), ("Confidence", Confidence), ("Path", Path), ("Tried", Tried)),
                },
            ];
}
