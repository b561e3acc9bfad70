namespace IoBench.Engine;

/// <summary>How a run gets its targets ready: the seam between execution and test files.</summary>
internal interface ITargetPreparer
{
    /// <summary>Says what a target would be, and changes nothing.</summary>
    PreparedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options);

    /// <summary>Checks a target and makes, extends or fills its file where needed.</summary>
    PreparedTarget Prepare(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options, Action<long, long>? progress, CancellationToken token);

    /// <summary>Marks a target as being written until the returned object is disposed.</summary>
    IDisposable BeginWriting(PreparedTarget target);
}

/// <summary>Real files and devices: checked, made and marked by <see cref="TestFiles"/>.</summary>
internal sealed class RealTargets : ITargetPreparer
{
    /// <inheritdoc/>
    public PreparedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options) => TestFiles.Check(specification, target, options);

    /// <inheritdoc/>
    public PreparedTarget Prepare(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options, Action<long, long>? progress, CancellationToken token)
        => TestFiles.Prepare(specification, target, options, progress, token);

    /// <inheritdoc/>
    public IDisposable BeginWriting(PreparedTarget target) => TestFiles.BeginWriting(target, target.ContentSeed);
}

/// <summary>For the null backend: targets that exist only in the plan. No file is looked at.</summary>
internal sealed class ImaginaryTargets : ITargetPreparer
{
    private const long DefaultSize = 1L << 30;

    /// <inheritdoc/>
    public PreparedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options)
        => new() { Path = target.Path, Size = target.FileSize ?? specification.FileSize ?? DefaultSize };

    /// <inheritdoc/>
    public PreparedTarget Prepare(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options, Action<long, long>? progress, CancellationToken token)
        => Check(specification, target, options);

    /// <inheritdoc/>
    public IDisposable BeginWriting(PreparedTarget target) => new Nothing();

    private sealed class Nothing : IDisposable
    {
        public void Dispose()
        {
        }
    }
}
