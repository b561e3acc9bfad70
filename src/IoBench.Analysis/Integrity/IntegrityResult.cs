using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Result of the data integrity check of a test or after a crash.</summary>
/// <param name="Integrity">Errors and counts.</param>
public sealed record IntegrityResult(IoTestResult Run, IoIntegrity Integrity) : IHasFindings
{
    /// <summary>Returns the runs with an integrity check, in order.</summary>
    public static IReadOnlyList<IntegrityResult> Find(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        return [.. results.Where(run => run.Integrity is not null).Select(run => new IntegrityResult(run, run.Integrity!))];
    }

    /// <summary>The result in one sentence.</summary>
    public string Summary => FindingBuilder.Summary;

    /// <inheritdoc/>
    public IReadOnlyList<Finding> Findings => CreateFindings(Run.Workload ?? Run.IOPattern ?? Run.Label ?? "run");

    private IntegrityFindingBuilder FindingBuilder => new(Run.Path, Integrity);

    /// <summary>Creates the findings with a name for the run.</summary>
    public IReadOnlyList<Finding> CreateFindings(string name) => FindingBuilder.CreateFindings(name);
}
