using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Result of the data integrity check of a test or after a crash.</summary>
/// <param name="Integrity">Errors and counts.</param>
public sealed record IntegrityAnswer(IoTestResult Run, IoIntegrity Integrity) : IHasFindings
{
    /// <summary>Returns the runs with an integrity check, in order.</summary>
    public static IReadOnlyList<IntegrityAnswer> Find(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        return [.. results.Where(run => run.Integrity is not null).Select(run => new IntegrityAnswer(run, run.Integrity!))];
    }

    /// <summary>The result in one sentence.</summary>
    public string Summary => Inner.Summary;

    /// <inheritdoc/>
    public IReadOnlyList<Finding> Findings => FindingsFor(Run.Workload ?? Run.IOPattern ?? Run.Label ?? "run");

    private IntegrityFindings Inner => new(Run.Path, Integrity);

    /// <summary>Creates the findings with a name for the run.</summary>
    public IReadOnlyList<Finding> FindingsFor(string name) => Inner.For(name);
}
