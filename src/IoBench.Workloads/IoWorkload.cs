namespace IoBench.Workloads;

/// <summary>What a name of the catalog stands for.</summary>
public enum IoWorkloadKind
{
    /// <summary>One test.</summary>
    Workload,

    /// <summary>An operation of SQL Server: its two end sizes in each order, reading or writing.</summary>
    Operation,

    /// <summary>Several workloads, one after the other.</summary>
    Suite,
}

/// <summary>A named pattern of SQL Server's I/O, or a suite of them.</summary>
public sealed class IoWorkload
{
    private readonly IReadOnlyList<IoTestSpecification> _specifications;

    internal IoWorkload(
        string name,
        IoWorkloadKind kind,
        WorkloadText text,
        bool isHistoric,
        IReadOnlyList<string> members,
        IReadOnlyList<IoTestSpecification> specifications
    )
    {
        Name = name;
        Kind = kind;
        Role = text.Role;
        Reason = text.Reason;
        Confidence = text.Confidence;
        Sources = text.Sources;
        IsHistoric = isHistoric;
        Members = members;
        _specifications = specifications;
    }

    /// <summary>The name that <c>-Workload</c> takes.</summary>
    public string Name { get; }

    /// <summary>One test, an operation or a suite.</summary>
    public IoWorkloadKind Kind { get; }

    /// <summary>The pattern in words; of several tests, how many they are.</summary>
    public string Pattern => _specifications.Count == 1 ? PatternText.Of(_specifications[0]) : $"{_specifications.Count} tests";

    /// <summary>Several patterns at once on one path, or each on the path of its role.</summary>
    public bool IsMixed => _specifications.Count == 1 && _specifications[0].Targets.Count > 0;

    /// <summary>Threads; null when the tests or patterns differ in it.</summary>
    public int? ThreadCount => Common(s => s.ThreadCount);

    /// <summary>Outstanding I/Os per thread; null when the tests or patterns differ in it.</summary>
    public int? OutstandingIO => Common(s => s.OutstandingIO);

    /// <summary>Caches that may be used; null when the tests or patterns differ in it.</summary>
    public IoBuffering? Buffering => Common(s => s.Buffering);

    /// <summary>Measured time of all its tests together.</summary>
    public TimeSpan Duration => TimeSpan.FromTicks(_specifications.Sum(s => s.Duration.Ticks));

    /// <summary>Where SQL Server does this; empty for a suite.</summary>
    public string Role { get; }

    /// <summary>Why the pattern is as it is.</summary>
    public string Reason { get; }

    /// <summary>How well it is known that SQL Server does this; null for a suite.</summary>
    public WorkloadConfidence? Confidence { get; }

    /// <summary>The evidence; empty for a suite and where it is IoBench's own choice.</summary>
    public IReadOnlyList<WorkloadSource> Sources { get; }

    /// <summary>Kept as it was published years ago, to repeat old tests.</summary>
    public bool IsHistoric { get; }

    /// <summary>For a suite or an operation: the names of its tests in order.</summary>
    public IReadOnlyList<string> Members { get; }

    /// <summary>The suites it is in.</summary>
    public IReadOnlyList<string> Suites { get; internal set; } = [];

    /// <summary>Its tests, without targets; copies that the caller may change.</summary>
    public IReadOnlyList<IoTestSpecification> CreateSpecifications() => [.. _specifications.Select(s => s.Clone())];

    /// <inheritdoc/>
    public override string ToString() => Name;

    private T? Common<T>(Func<IoPattern, T> property)
        where T : struct
    {
        var values = _specifications
            .SelectMany(s => s.Targets.Select(s.PatternOf).DefaultIfEmpty(s))
            .Select(property)
            .Distinct()
            .Take(2)
            .ToList();
        return values.Count == 1 ? values[0] : null;
    }
}

/// <summary>What is said of a workload.</summary>
internal sealed record WorkloadText(string Role, string Reason, WorkloadConfidence? Confidence, IReadOnlyList<WorkloadSource> Sources);
