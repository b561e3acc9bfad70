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

    public string Summary => FindingBuilder.Summary;

    public IReadOnlyList<Finding> Findings => CreateFindings(TestIdentity.GetDisplayName(Run));

    private IntegrityFindingBuilder FindingBuilder => new(Run.Path, Integrity);

    public IReadOnlyList<Finding> CreateFindings(string name) => FindingBuilder.CreateFindings(name);
}
