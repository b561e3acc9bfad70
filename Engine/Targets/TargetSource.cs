namespace IoBench.Engine;

internal interface ITargetSource
{
    CheckedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options);

    /// <summary>
    /// Creates, extends, or fills a target's file if needed, and opens it for the run. What the plan is based on is verified again on the
    /// open file.
    /// </summary>
    OpenTarget Open(CheckedTarget target, IReadOnlyList<OpenTarget> others, PreparationReport? report, CancellationToken token);
}

internal sealed class RealTargets : ITargetSource
{
    public CheckedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options) =>
        TestFiles.Check(specification, target, options);

    public OpenTarget Open(CheckedTarget target, IReadOnlyList<OpenTarget> others, PreparationReport? report, CancellationToken token) =>
        TargetOpening.Open(target.Request!.Planned(target.Size), others, report, token);
}

internal sealed class ImaginedTargets : ITargetSource
{
    public CheckedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options) =>
        CheckedTarget.Imagined(specification, target);

    public OpenTarget Open(CheckedTarget target, IReadOnlyList<OpenTarget> others, PreparationReport? report, CancellationToken token) =>
        new(target, file: null, session: null);
}
