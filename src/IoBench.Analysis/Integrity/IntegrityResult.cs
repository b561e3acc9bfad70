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

    /// <summary>A sentence that begins with the verdict.</summary>
    public string Summary => FindingBuilder.Summary;

    /// <summary><c>PASS</c>, <c>FAIL</c>, <c>NOT VERIFIED</c>, or <c>NOT RATED</c> if the check did not finish.</summary>
    public string Verdict => FindingBuilder.Verdict;

    /// <summary>Reads that were checked; after a crash, the writes that were looked for.</summary>
    public long CheckedCount => Integrity.Crash?.CheckedCount ?? Integrity.ReadCount;

    /// <summary>Errors of these kinds.</summary>
    public long CountErrors(params IoIntegrityErrorKind[] kinds) =>
        Integrity.ErrorsByKind.Where(count => kinds.Contains(count.Kind)).Sum(count => count.Count);

    /// <summary>Errors of all other kinds, and errors without a kind.</summary>
    public long OtherErrorCount =>
        Integrity.ErrorCount
        - CountErrors(
            IoIntegrityErrorKind.LostWrite,
            IoIntegrityErrorKind.TornWrite,
            IoIntegrityErrorKind.StaleRead,
            IoIntegrityErrorKind.MisdirectedWrite,
            IoIntegrityErrorKind.MisdirectedRead
        );

    public long MisplacedCount => CountErrors(IoIntegrityErrorKind.MisdirectedWrite, IoIntegrityErrorKind.MisdirectedRead);

    public IReadOnlyList<Finding> Findings => CreateFindings(TestIdentity.GetDisplayName(Run));

    private IntegrityFindingBuilder FindingBuilder => new(Run.Path, Integrity);

    public IReadOnlyList<Finding> CreateFindings(string name) => FindingBuilder.CreateFindings(name);
}
