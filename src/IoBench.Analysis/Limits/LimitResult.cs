namespace IoBench.Analysis.Limits;

/// <summary>How a search for a limit works.</summary>
/// <param name="TolerancePercent">The bracket's width, in percent of its upper end, at which bisection stops.</param>
/// <param name="Repeats">Probes of a rate whose latency lies near the limit, and of both ends of the last bracket.</param>
/// <param name="MaxProbes">Runs at most.</param>
/// <param name="MaxIops">Highest rate to try; null = what a closed loop with the same threads and outstanding I/Os reaches.</param>
public sealed record LimitOptions(double TolerancePercent = 2, int Repeats = 3, int MaxProbes = 60, double? MaxIops = null);

/// <summary>One run of the search.</summary>
/// <param name="TargetIops">I/Os per second that were asked for; null of the closed loop that finds the upper end.</param>
/// <param name="IOPS">I/Os per second that came.</param>
/// <param name="LatencyMs">The figure that the limit is about; null when the run had too few I/Os.</param>
/// <param name="Kept">The rate was held and the limit kept.</param>
/// <param name="Result">The run's result.</param>
public sealed record LimitProbe(double? TargetIops, double IOPS, double? LatencyMs, bool Kept, IoTestResult Result);

/// <summary>How a search ended.</summary>
public enum LimitOutcome
{
    /// <summary>The highest rate was found.</summary>
    Found,

    /// <summary>No rate keeps the limit, not even the lowest.</summary>
    NeverKept,

    /// <summary>Every rate up to the highest that was asked for keeps it.</summary>
    AlwaysKept,

    /// <summary>A run was cancelled or failed: the bracket so far.</summary>
    Interrupted,
}

/// <summary>The highest rate that keeps a limit on latency, with every run of the search.</summary>
public sealed class LimitResult : IHasFindings
{
    /// <summary>How the search ended.</summary>
    public required LimitOutcome Outcome { get; init; }

    /// <summary>Highest I/Os per second that keep the limit; null when none does.</summary>
    public double? IOPS { get; init; }

    /// <summary>The same in MiB per second.</summary>
    public double? MBps { get; init; }

    /// <summary>Lower end of the confidence interval of <see cref="IOPS"/>.</summary>
    public double? ConfidenceLow { get; init; }

    /// <summary>Its upper end; null when every rate keeps the limit.</summary>
    public double? ConfidenceHigh { get; init; }

    /// <summary>What the interval is: 95 % by regression over the probes near the limit, or the rates that all runs kept and missed.</summary>
    public required string Confidence { get; init; }

    /// <summary>The limit in words.</summary>
    public required string Limit { get; init; }

    /// <summary>Latency of the lowest rate that was tried, in milliseconds: what an idle device gives.</summary>
    public double? IdleLatencyMs { get; init; }

    /// <summary>Pattern in words.</summary>
    public required string IOPattern { get; init; }

    /// <summary>Path; several joined by <c>; </c>.</summary>
    public string? Path { get; init; }

    /// <summary>Number of runs.</summary>
    public int ProbeCount => Probes.Count;

    /// <summary>The answer in a sentence.</summary>
    public required string Summary { get; init; }

    /// <inheritdoc/>
    public override string ToString() => Summary;

    /// <summary>What was tried, in words: each rate with its runs and their latency.</summary>
    public string Tried { get; init; } = "";

    /// <summary>All the runs, in order.</summary>
    public required IReadOnlyList<LimitProbe> Probes { get; init; }

    /// <summary>The answer as a finding.</summary>
    public IReadOnlyList<Finding> Findings =>
        (Finding[])
            [
                new()
                {
                    Code = Outcome switch
                    {
                        LimitOutcome.Found => FindingCodes.LimitFound,
                        LimitOutcome.NeverKept => FindingCodes.LimitNeverKept,
                        LimitOutcome.AlwaysKept => FindingCodes.LimitAlwaysKept,
                        _ => FindingCodes.LimitInterrupted,
                    },
                    Subject = IOPattern,
                    What = Summary,
                    Severity = Outcome switch
                    {
                        LimitOutcome.Found => FindingSeverity.Info,
                        LimitOutcome.NeverKept => FindingSeverity.Bad,
                        LimitOutcome.AlwaysKept => FindingSeverity.Good,
                        _ => FindingSeverity.Unknown,
                    },
                    Evidence =
                    [
                        new("IOPS", IOPS, "IOPS"),
                        new("BandwidthMBps", MBps, "MiB/s"),
                        new("ConfidenceLow", ConfidenceLow, "IOPS"),
                        new("ConfidenceHigh", ConfidenceHigh, "IOPS"),
                        new("IdleLatencyMs", IdleLatencyMs, "ms"),
                    ],
                    Values = Finding.ValuesOf(("Limit", Limit), ("Confidence", Confidence), ("Path", Path), ("Tried", Tried)),
                },
            ];
}
