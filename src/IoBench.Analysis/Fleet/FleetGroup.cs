namespace IoBench.Analysis.Fleet;

/// <summary>A test that several hosts ran at one moment: what they gave together, who is slow, who failed.</summary>
public sealed class FleetGroup : IHasFindings
{
    /// <summary>Below this share of the common window, in percent, the sum is of hosts that did not measure together for all of their time.</summary>
    public const double WarnBelowPercent = 95;

    /// <summary>Below this share nothing is added up.</summary>
    public const double SumFromPercent = 50;

    /// <summary>The test of the group.</summary>
    public required string GroupId { get; init; }

    /// <summary>Workload, or pattern in words; of hosts with tests of their own, all of them.</summary>
    public required string Test { get; init; }

    /// <summary>The hosts that ran it completely, by name.</summary>
    public required IReadOnlyList<FleetHostFigure> Hosts { get; init; }

    /// <summary>Hosts that were to run it: with those that failed.</summary>
    public required int AskedHosts { get; init; }

    /// <summary>Hosts without a complete result, and why.</summary>
    public required IReadOnlyList<FleetFailure> Failures { get; init; }

    /// <summary>Seconds in which all of them measured; null when one of them says no start.</summary>
    public double? CommonSeconds { get; init; }

    /// <summary>The lowest share that this is of a host's measured time, in percent.</summary>
    public double? CommonPercent { get; init; }

    /// <summary>Seconds from the first start to the last.</summary>
    public double? StartSpreadSeconds { get; init; }

    /// <summary>Sum of I/Os per second in the common window; null when there is none to speak of.</summary>
    public double? IOPS { get; init; }

    /// <summary>Sum of MiB per second in it.</summary>
    public double? MBps { get; init; }

    /// <summary>Median of the hosts' I/Os per second.</summary>
    public double? MedianIops { get; init; }

    /// <summary>The host with the fewest I/Os per second; null when nothing is compared.</summary>
    public FleetHostFigure? Slowest { get; init; }

    /// <summary>The host with the most.</summary>
    public FleetHostFigure? Fastest { get; init; }

    /// <summary>Highest less lowest, in percent of the median.</summary>
    public double? SpreadPercent { get; init; }

    /// <summary>Average latency of all I/Os in milliseconds; of open loops the response time.</summary>
    public double? AverageLatencyMs { get; init; }

    /// <summary>Median latency of all I/Os.</summary>
    public double? P50Ms { get; init; }

    /// <summary>99th percentile of all I/Os, from the merged distribution.</summary>
    public double? P99Ms { get; init; }

    /// <summary>99.9th percentile of all I/Os.</summary>
    public double? P999Ms { get; init; }

    /// <summary>Longest I/O of any host.</summary>
    public double? MaxLatencyMs { get; init; }

    /// <summary>Latencies of all hosts; null where one has none.</summary>
    public FleetHistogram? Histogram { get; init; }

    /// <summary>What weakens the figures, each once with the number of hosts it is about.</summary>
    public required IReadOnlyList<FleetWarning> Warnings { get; init; }

    /// <summary>These hosts made up for an interrupted test alone: what they gave is not what the whole group would have given.</summary>
    public bool IsResumedAlone { get; init; }

    /// <summary>The results of its hosts.</summary>
    public IEnumerable<IoTestResult> Results => Hosts.Select(host => host.Result);

    /// <summary>Hosts far from the median.</summary>
    public IEnumerable<FleetHostFigure> Outliers => Hosts.Where(host => host.IsOutlier);

    /// <summary>The answer in a sentence.</summary>
    public string Summary => FleetWords.Of(this);

    /// <inheritdoc/>
    public IReadOnlyList<Finding> Findings => FleetFindings.Of(this);

    /// <inheritdoc/>
    public override string ToString() => Summary;
}
