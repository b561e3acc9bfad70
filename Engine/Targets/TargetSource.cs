namespace IoBench.Engine;

internal class TargetSource
{
    public virtual CheckedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options) =>
        TestFiles.Check(specification, target, options);

    /// <summary>Prepares and opens a target. What the plan is based on is verified again on the open file.</summary>
    public virtual OpenTarget Open(
        CheckedTarget target,
        IReadOnlyList<OpenTarget> others,
        Action<PreparationStep, long, long>? report,
        CancellationToken token
    ) => TargetPreparation.Open(target.Request!.ResolveAgain(target.Size), others, report, token);
}

internal sealed class ModeledTargetSource : TargetSource
{
    public override CheckedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options) =>
        CheckedTarget.CreateModeled(specification, target);

    public override OpenTarget Open(
        CheckedTarget target,
        IReadOnlyList<OpenTarget> others,
        Action<PreparationStep, long, long>? report,
        CancellationToken token
    ) => new(target, file: null, session: null);
}
