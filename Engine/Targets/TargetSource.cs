namespace IoBench.Engine;

/// <summary>Checks and opens the targets of a run. Tests replace it to use files without an ownership check.</summary>
internal class TargetSource
{
    public virtual CheckedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options) =>
        BackendCatalog.IsModeled(specification.Backend)
            ? CheckedTarget.CreateModeled(specification, target)
            : TestFiles.Check(specification, target, options);

    /// <summary>Prepares and opens a target. What the plan is based on is verified again on the open file.</summary>
    public virtual OpenTarget Open(
        CheckedTarget target,
        IReadOnlyList<OpenTarget> others,
        Action<PreparationStep, long, long>? report,
        CancellationToken token
    ) =>
        target.Request is { } request
            ? TargetPreparation.Open(request.ResolveAgain(target.Size), others, report, token)
            : new OpenTarget(target, file: null, session: null);
}
