namespace IoBench.Engine.Targets;

/// <summary>Where a run gets its targets from: the seam between running and test files.</summary>
internal interface ITargetSource
{
    /// <summary>Says what a target would be, and changes nothing.</summary>
    CheckedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options);

    /// <summary>Makes, extends or fills a target's file where needed, and keeps it open for the run. What the plan was made of is proved again on the open file.</summary>
    OpenTarget Open(CheckedTarget target, IReadOnlyList<OpenTarget> others, PreparationReport? report, CancellationToken token);
}

/// <summary>Real files and devices: checked, made and marked by <see cref="TestFiles"/>.</summary>
internal sealed class RealTargets : ITargetSource
{
    /// <inheritdoc/>
    public CheckedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options) =>
        TestFiles.Check(specification, target, options);

    /// <inheritdoc/>
    public OpenTarget Open(CheckedTarget target, IReadOnlyList<OpenTarget> others, PreparationReport? report, CancellationToken token) =>
        TargetOpening.Open(target.Request!.Planned(target.Size), others, report, token);
}

/// <summary>For a modelled device: targets that exist only in the plan. No file is looked at.</summary>
internal sealed class ImaginedTargets : ITargetSource
{
    /// <inheritdoc/>
    public CheckedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options) =>
        CheckedTarget.Imagined(specification, target);

    /// <inheritdoc/>
    public OpenTarget Open(CheckedTarget target, IReadOnlyList<OpenTarget> others, PreparationReport? report, CancellationToken token) =>
        new(target, file: null, session: null);
}
