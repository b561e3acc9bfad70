using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Result of the data integrity check of a test or after a crash.</summary>
public sealed record IntegrityResult(IoTestResult Run, IoIntegrity Integrity) : IHasFindings
{
    public static IReadOnlyList<IntegrityResult> Find(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        return [.. results.Where(run => run.Integrity is not null).Select(run => new IntegrityResult(run, run.Integrity!))];
    }

    /// <summary>Returns the checks that found errors or that could not verify all content.</summary>
    public static IReadOnlyList<IntegrityResult> FindProblems(IReadOnlyList<IoTestResult> results) =>
        [.. Find(results).Where(answer => answer.Integrity.Outcome != IoIntegrityOutcome.Verified)];

    /// <summary>Returns the checks that could not verify all content.</summary>
    public static IReadOnlyList<IntegrityResult> FindUnverified(IReadOnlyList<IoTestResult> results) =>
        [.. Find(results).Where(answer => answer.Integrity.Outcome == IoIntegrityOutcome.NotVerified)];

    public string Summary => FindingBuilder.Summary;

    public IReadOnlyList<Finding> Findings => CreateFindings(TestIdentity.GetDisplayName(Run));

    private IntegrityFindingBuilder FindingBuilder => new(Run.Path, Integrity);

    public IReadOnlyList<Finding> CreateFindings(string name) => FindingBuilder.CreateFindings(name);
}
