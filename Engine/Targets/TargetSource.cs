namespace IoBench.Engine;

internal interface ITargetSource
{
    CheckedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options);

    /// <summary>Prepares and opens a target. What the plan is based on is verified again on the open file.</summary>
    OpenTarget Open(CheckedTarget target, IReadOnlyList<OpenTarget> others, PreparationReport? report, CancellationToken token);
}

internal sealed class StorageTargetSource : ITargetSource
{
    public CheckedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options) =>
        TestFiles.Check(specification, target, options);

    public OpenTarget Open(CheckedTarget target, IReadOnlyList<OpenTarget> others, PreparationReport? report, CancellationToken token) =>
        TargetPreparation.Open(target.Request!.ResolveAgain(target.Size), others, report, token);
}

internal sealed class ModeledTargetSource : ITargetSource
{
    public CheckedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options) =>
        CheckedTarget.CreateModeled(specification, target);

    public OpenTarget Open(CheckedTarget target, IReadOnlyList<OpenTarget> others, PreparationReport? report, CancellationToken token) =>
        new(target, file: null, session: null);
}
