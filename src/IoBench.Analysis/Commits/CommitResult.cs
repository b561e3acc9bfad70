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

    /// <summary>Advice as printed, one line per finding.</summary>
    public IEnumerable<string> DescribeAdvice() => Findings.Select(Describe);

    /// <summary>Finding as printed: what was found, and what to do.</summary>
    public static string Describe(Finding finding)
    {
        ArgumentNullException.ThrowIfNull(finding);
        return finding.WhatToDo is null ? finding.What : $"{finding.What} To do: {finding.WhatToDo}.";
    }

    public override string ToString() => Summary;
}
