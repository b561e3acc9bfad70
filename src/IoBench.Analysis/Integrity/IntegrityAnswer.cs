namespace IoBench.Analysis.Integrity;

/// <summary>Whether the storage kept what it acknowledged, in a checked test or after a crash.</summary>
/// <param name="Integrity">What was found.</param>
public sealed record IntegrityAnswer(IoTestResult Run, IoIntegrity Integrity) : IHasFindings
{
    /// <summary>The results that were checked, in their order.</summary>
    public static IReadOnlyList<IntegrityAnswer> Find(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        return [.. results.Where(run => run.Integrity is not null).Select(run => new IntegrityAnswer(run, run.Integrity!))];
    }

    /// <summary>All in a sentence.</summary>
    public string Summary => Inner.Summary;

    /// <inheritdoc/>
    public IReadOnlyList<Finding> Findings => FindingsFor(Run.Workload ?? Run.IOPattern ?? Run.Label ?? "run");

    private IntegrityFindings Inner => new(Run.Path, Integrity);

    /// <summary>The findings about a run of this name.</summary>
    public IReadOnlyList<Finding> FindingsFor(string name) => Inner.For(name);
}
