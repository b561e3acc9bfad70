using System.Text.Json.Serialization;

namespace IoBench.Analysis;

/// <summary>Verdict on the latency of one database file, as SQL Server observed it.</summary>
public sealed class FileVerdict : IHasFindings
{
    /// <summary>File role: <c>data</c>, <c>log</c>, or <c>tempdb</c>.</summary>
    public required string Role { get; init; }

    /// <summary>Name of the file, or else its ids.</summary>
    public required string File { get; init; }

    /// <summary>Number of reads between the snapshots, or since SQL Server started if there is only one.</summary>
    public required long Reads { get; init; }

    /// <summary>Null if there is only one snapshot.</summary>
    public double? ReadIOPS { get; init; }

    /// <summary>Average size of a read; null if there was none.</summary>
    public double? ReadBlockSizeKB { get; init; }

    /// <summary>Average latency in milliseconds; null if there was no read.</summary>
    public double? ReadLatencyMs { get; init; }

    /// <summary>Highest average of a window with at least 100 reads; null with fewer than three snapshots.</summary>
    public double? HighestReadLatencyMs { get; init; }

    public required long Writes { get; init; }

    /// <summary>Null if there is only one snapshot.</summary>
    public double? WriteIOPS { get; init; }

    /// <summary>Average size of a write; null if there was none.</summary>
    public double? WriteBlockSizeKB { get; init; }

    /// <summary>Average latency in milliseconds; null if there was no write.</summary>
    public double? WriteLatencyMs { get; init; }

    /// <summary>Highest average of a window with at least 100 writes; null with fewer than three snapshots.</summary>
    public double? HighestWriteLatencyMs { get; init; }

    public required string RuleSet { get; init; }

    /// <summary>Every limit on the reads and the writes of the file.</summary>
    public required IReadOnlyList<RuleVerdict> Rules { get; init; }

    public VerdictOutcome Outcome => Verdict.Combine(Rules).Outcome;

    public FindingSeverity Severity => Verdict.Combine(Rules).Severity;

    /// <summary>Outcome as tables show it, such as <c>pass</c>, <c>fail (critical)</c>, or <c>not rated</c>.</summary>
    [JsonIgnore]
    public string Word => VerdictWords.DescribeRule(Outcome, Severity);

    /// <summary>Why the file has this outcome: its failures, or else its warnings, or else all rules.</summary>
    public string Reason =>
        Reads + Writes == 0 ? "no I/O"
        : Rules.Count == 0 ? $"rule set {RuleSet} has no limit for this file"
        : string.Join(
            "; ",
            Rules
                .Where(rule => rule.Outcome == Outcome && rule.Severity == Severity)
                .DefaultIfEmpty(Rules[0])
                .Select(rule => $"{(rule.Workload!.Contains("reads of", StringComparison.Ordinal) ? "reads" : "writes")}: {rule.Reason}")
                .Distinct()
        );

    public IReadOnlyList<Finding> Findings => Finding.CollectFrom(Rules);

    public override string ToString() => $"{File}: {Word}: {Reason}";
}
