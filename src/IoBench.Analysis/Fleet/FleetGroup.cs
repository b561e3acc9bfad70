using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Result of a test that several hosts ran concurrently: the sum, the results of the hosts, and the failures.</summary>
public sealed class FleetGroup : IHasFindings
{
    /// <summary>If the common window is shorter than this percentage of a host's duration, the sum gets a warning.</summary>
    public const double WarnBelowPercent = 95;

    /// <summary>If the common window is shorter than this percentage of a host's duration, the rates are not added up.</summary>
    public const double SumFromPercent = 50;

    public required string GroupId { get; init; }

    /// <summary>Workload, or pattern in words; the tests of all hosts if they differ.</summary>
    public required string Test { get; init; }

    /// <summary>Hosts that completed the test, by name.</summary>
    public required IReadOnlyList<FleetHostResult> Hosts { get; init; }

    /// <summary>Number of hosts that were to run the test, including those that failed.</summary>
    public required int AskedHosts { get; init; }

    public required IReadOnlyList<FleetFailure> Failures { get; init; }

    /// <summary>Seconds in which all hosts measured; null if the start of a result is unknown.</summary>
    public double? CommonSeconds { get; init; }

    /// <summary>Lowest share of a host's duration that the common window covers, in percent.</summary>
    public double? CommonPercent { get; init; }

    /// <summary>Seconds between the first and the last start.</summary>
    public double? StartSpreadSeconds { get; init; }

    /// <summary>Sum of the IOPS in the common window; null if the window is missing or too short.</summary>
    public double? IOPS { get; init; }

    public double? MBps { get; init; }

    public double? MedianIops { get; init; }

    /// <summary>Host with the lowest IOPS; null if the hosts are not compared.</summary>
    public FleetHostResult? Slowest { get; init; }

    public FleetHostResult? Fastest { get; init; }

    /// <summary>Highest minus lowest IOPS, in percent of the median.</summary>
    public double? SpreadPercent { get; init; }

    /// <summary>Average latency of all I/Os in milliseconds; response time for open loops.</summary>
    public double? AverageLatencyMs { get; init; }

    public double? P50Ms { get; init; }

    /// <summary>99th percentile of the latency of all I/Os in milliseconds, from the merged distribution.</summary>
    public double? P99Ms { get; init; }

    public double? P999Ms { get; init; }

    public double? MaxLatencyMs { get; init; }

    /// <summary>Latency distribution of all hosts; null if a host has none.</summary>
    public FleetHistogram? Histogram { get; init; }

    /// <summary>Warnings about the group, and warnings of hosts, each with the number of affected hosts: <c>16 of 16 hosts: …</c>.</summary>
    public required IReadOnlyList<IoWarning> Warnings { get; init; }

    /// <summary>Whether these hosts resumed an interrupted test without the others, so their sum is not that of the group.</summary>
    public bool IsResumedAlone { get; init; }

    public IEnumerable<IoTestResult> Results => Hosts.Select(host => host.Result);

    public IEnumerable<FleetHostResult> Outliers => Hosts.Where(host => host.IsOutlier);

    public string Summary => FleetMessages.DescribeGroup(this);

    public IReadOnlyList<Finding> Findings => FleetMessages.CreateFindings(this);

    public override string ToString() => Summary;
}

/// <summary>A host without a complete result of a test, and the reason.</summary>
/// <param name="GroupId">Id of the group's test; null if the host took part in none.</param>
public sealed record FleetFailure(string Host, string? GroupId, string ErrorId, IoMessage What, IoMessage? Advice = null)
{
    public FleetFailure(string host, string? groupId, IoBenchException reason)
        : this(host, groupId, reason.ErrorId, reason.What, reason.Advice) => Kind = reason.Kind;

    public IoErrorKind Kind { get; init; } = IoErrorKind.Failure;

    public string Text => What.WithSentence(Advice).ToString();

    public string Render(OptionSpelling spelling) => ((IoMessage)$"{Host}: {What.WithSentence(Advice)}").Render(spelling);

    public override string ToString() => Render(OptionSpelling.Neutral);
}

/// <summary>Result of one host in the window in which all hosts of its group measured.</summary>
public sealed record FleetHostResult
{
    public required string Host { get; init; }
    public required IoTestResult Result { get; init; }

    /// <summary>Share of the host's duration that the common window covers, in percent.</summary>
    public double CommonPercent { get; init; }

    /// <summary>IOPS in the common window, from the timeline; null without a common window.</summary>
    public double? IOPS { get; init; }

    public double? MBps { get; init; }

    /// <summary>IOPS in percent of an equal share of the sum; null if the rates are not added up.</summary>
    public double? SharePercent { get; init; }

    public bool IsOutlier { get; init; }

    public override string ToString() => $"{Host}: {NumberFormat.Grouped(IOPS, 0, "?")} IOPS";
}
