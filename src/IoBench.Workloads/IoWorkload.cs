using IoBench.Engine;

namespace IoBench.Workloads;

public enum CatalogEntryKind : long
{
    Workload,

    /// <summary>A SQL Server operation: its smallest and largest size, in each order, as reads or writes.</summary>
    Operation,

    /// <summary>Several workloads in order.</summary>
    Suite,
}

/// <summary>A named SQL Server I/O pattern, or a suite of them.</summary>
public sealed class IoWorkload
{
    private readonly IReadOnlyList<IoTestSpecification> _specifications;

    internal IoWorkload(IReadOnlyList<IoTestSpecification> specifications) => _specifications = specifications;

    public string Name { get; internal init; } = "";

    public CatalogEntryKind Kind { get; internal init; }

    /// <summary>Description of the pattern; for several tests, their number.</summary>
    public string Pattern => _specifications.Count == 1 ? PatternText.Describe(_specifications[0]) : $"{_specifications.Count} tests";

    /// <summary>Whether several patterns run concurrently, on one path or each on the path of its file role.</summary>
    public bool IsMixed => _specifications.Count == 1 && _specifications[0].Targets.Count > 0;

    /// <summary>Threads; null if the tests or patterns differ.</summary>
    public int? ThreadCount => GetCommonValue(s => s.ThreadCount);

    /// <summary>Outstanding I/Os per thread; null if the tests or patterns differ.</summary>
    public int? OutstandingIO => GetCommonValue(s => s.OutstandingIO);

    /// <summary>Caches that I/Os can use; null if the tests or patterns differ.</summary>
    public IoBuffering? Buffering => GetCommonValue(s => s.Buffering);

    public TimeSpan Duration => TimeSpan.FromTicks(_specifications.Sum(s => s.Duration.Ticks));

    public string Role { get; internal init; } = "";

    public string Reason { get; internal init; } = "";

    /// <summary>Confidence that SQL Server uses the pattern; null for a suite.</summary>
    public WorkloadConfidence? Confidence { get; internal init; }

    /// <summary>Sources; empty for a suite and for IoBench's own choices.</summary>
    public IReadOnlyList<WorkloadSource> Sources { get; internal init; } = [];

    /// <summary>Whether the workload is a pattern published years ago, to repeat old tests.</summary>
    public bool IsHistoric { get; internal init; }

    /// <summary>Names of the tests of a suite or operation, in order.</summary>
    public IReadOnlyList<string> Members { get; internal set; } = [];

    /// <summary>Suites that contain the workload.</summary>
    public IReadOnlyList<string> Suites { get; internal set; } = [];

    /// <summary>Creates the tests, without targets; the caller can change them.</summary>
    public IReadOnlyList<IoTestSpecification> CreateSpecifications() => [.. _specifications.Select(s => s.Clone())];

    public override string ToString() => Name;

    private T? GetCommonValue<T>(Func<IoPattern, T> property)
        where T : struct
    {
        var values = _specifications
            .SelectMany(s => s.Targets.Select(s.GetPattern).DefaultIfEmpty(s))
            .Select(property)
            .Distinct()
            .Take(2)
            .ToList();
        return values.Count == 1 ? values[0] : null;
    }
}
