using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Commit methods side by side on one file, with advice for SQL Server.</summary>
public sealed record CommitResult : IHasFindings
{
    private readonly IReadOnlyList<CommitMeasurement> _measurements = [];
    private readonly ReplicaResult? _replica;
    private IReadOnlyList<Finding>? _findings;

    public required string Path { get; init; }

    public required DateTimeOffset StartTime { get; init; }

    /// <summary>Measured time of each measurement in seconds, over all rounds.</summary>
    public required double DurationSeconds { get; init; }

    public required CommitStorage Storage { get; init; }

    public required IReadOnlyList<CommitMeasurement> Measurements
    {
        get => _measurements;
        init
        {
            _measurements = value;
            foreach (var measurement in value)
                measurement.Result = this;
        }
    }

    /// <summary>Null without a replica.</summary>
    public ReplicaResult? Replica
    {
        get => _replica;
        init
        {
            _replica = value;
            foreach (var measurement in value?.Measurements ?? [])
                measurement.Result = this;
        }
    }

    /// <summary>Cases that were requested but cannot be measured on this storage, as sentences.</summary>
    public IReadOnlyList<string> Omissions { get; init; } = [];

    public string Summary => Findings[0].What;

    /// <summary>The prediction of an availability group first, then the advice about settings.</summary>
    public IReadOnlyList<Finding> Findings =>
        _findings ??= (Finding[])[.. Replica is null ? [] : ReplicaAdvisor.Advise(this, Replica), .. CommitAdvisor.Advise(this)];

    /// <summary>Measurements by the kind of their writes, in order, such as <c>4 KB, overwriting, aligned</c>.</summary>
    public IEnumerable<IGrouping<string, CommitMeasurement>> GetGroups() =>
        Measurements.GroupBy(measurement => measurement.WriteDescription);

    /// <summary>Advice as printed: each finding, and what was not measured. A warning about the storage states it before the
    /// test.</summary>
    public IEnumerable<string> DescribeAdvice() =>
        [
            .. Findings
                .Where(finding => finding.Code != FindingCodes.CommitNoDisk)
                .Select(finding => (finding.Severity == FindingSeverity.Info ? "" : "Warning: ") + finding.Describe()),
            .. Replica is { } replica ? [replica.Limitations] : Array.Empty<string>(),
            .. Omissions,
        ];

    internal Finding CreateFinding(
        string code,
        string what,
        string? whatToDo,
        FindingSeverity severity = FindingSeverity.Info,
        params FindingEvidence[] evidence
    ) =>
        new()
        {
            Code = code,
            Subject = Path,
            What = what,
            Severity = severity,
            WhatToDo = whatToDo,
            Evidence = evidence,
        };

    public override string ToString() => Summary;
}

/// <summary>Commits with a synchronous replica: the prediction of an availability group.</summary>
public sealed record ReplicaResult
{
    /// <summary>What the prediction does not include, as a sentence.</summary>
    public const string NotIncluded =
        "The prediction does not include the effects of log compression, connection encryption, SQL Server's threads and flow control, or log blocks that several commits share.";

    /// <summary>Host and port of the replica.</summary>
    public required string Address { get; init; }

    /// <summary>Whether the replica was on the same computer.</summary>
    public bool IsLocal { get; init; }

    public required ReplicaFacts Replica { get; init; }

    public required IReadOnlyList<ReplicaMeasurement> Measurements { get; init; }

    /// <summary>What the prediction leaves out.</summary>
    public string Limitations { get; init; } = NotIncluded;
}
