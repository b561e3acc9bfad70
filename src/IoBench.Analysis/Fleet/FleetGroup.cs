using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Result of a test that several hosts ran concurrently: the sum, the results of the hosts, and the failures.</summary>
public sealed class FleetGroup : IHasFindings
{
    /// <summary>If the common window is shorter than this percentage of a host's duration, the sum gets a warning.</summary>
    public const double WarnBelowPercent = 95;

    /// <summary>If the common window is shorter than this percentage of a host's duration, the rates are not added up.</summary>
    public const double SumFromPercent = 50;

    /// <summary>Id of the group's test.</summary>
    public required string GroupId { get; init; }

    /// <summary>Workload, or pattern in words; the tests of all hosts if they differ.</summary>
    public required string Test { get; init; }

    /// <summary>Hosts that completed the test, by name.</summary>
    public required IReadOnlyList<FleetHostResult> Hosts { get; init; }

    /// <summary>Number of hosts that were to run the test, including those that failed.</summary>
    public required int AskedHosts { get; init; }

    /// <summary>Hosts without a complete result, and the reasons.</summary>
    public required IReadOnlyList<FleetFailure> Failures { get; init; }

    /// <summary>Seconds in which all hosts measured; null if the start of a result is unknown.</summary>
    public double? CommonSeconds { get; init; }

    /// <summary>Lowest share of a host's duration that the common window covers, in percent.</summary>
    public double? CommonPercent { get; init; }

    /// <summary>Seconds between the first and the last start.</summary>
    public double? StartSpreadSeconds { get; init; }

    /// <summary>Sum of the IOPS in the common window; null if the window is missing or too short.</summary>
    public double? IOPS { get; init; }

    /// <summary>Sum of the MiB/s in the common window.</summary>
    public double? MBps { get; init; }

    /// <summary>Median of the hosts' IOPS.</summary>
    public double? MedianIops { get; init; }

    /// <summary>Host with the lowest IOPS; null if the hosts are not compared.</summary>
    public FleetHostResult? Slowest { get; init; }

    /// <summary>Host with the highest IOPS; null if the hosts are not compared.</summary>
    public FleetHostResult? Fastest { get; init; }

    /// <summary>Highest minus lowest IOPS, in percent of the median.</summary>
    public double? SpreadPercent { get; init; }

    /// <summary>Average latency of all I/Os in milliseconds; response time for open loops.</summary>
    public double? AverageLatencyMs { get; init; }

    /// <summary>Median latency of all I/Os in milliseconds.</summary>
    public double? P50Ms { get; init; }

    /// <summary>99th percentile of the latency of all I/Os in milliseconds, from the merged distribution.</summary>
    public double? P99Ms { get; init; }

    /// <summary>99.9th percentile of the latency of all I/Os in milliseconds.</summary>
    public double? P999Ms { get; init; }

    /// <summary>Maximum latency of any host in milliseconds.</summary>
    public double? MaxLatencyMs { get; init; }

    /// <summary>Latency distribution of all hosts; null if a host has none.</summary>
    public FleetHistogram? Histogram { get; init; }

    /// <summary>Warnings without duplicates, each with the number of affected hosts.</summary>
    public required IReadOnlyList<FleetWarning> Warnings { get; init; }

    /// <summary>
    /// Whether these hosts ran the test without the others, when an interrupted run was resumed. Their sum is not the sum of the whole
    /// group.
    /// </summary>
    public bool IsResumedAlone { get; init; }

    /// <summary>Results of the hosts.</summary>
    public IEnumerable<IoTestResult> Results => Hosts.Select(host => host.Result);

    /// <summary>Hosts that are far from the median.</summary>
    public IEnumerable<FleetHostResult> Outliers => Hosts.Where(host => host.IsOutlier);

    /// <summary>The result in one sentence.</summary>
    public string Summary => FleetMessages.DescribeGroup(this);

    /// <inheritdoc/>
    public IReadOnlyList<Finding> Findings => FleetMessages.CreateFindings(this);

    /// <inheritdoc/>
    public override string ToString() => Summary;
}
