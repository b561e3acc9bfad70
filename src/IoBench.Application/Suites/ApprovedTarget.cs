namespace IoBench.Application.Suites;

/// <summary>What happens to a target before it is tested.</summary>
public enum TargetChange
{
    /// <summary>It is there and stays as it is, but for what tests write into it.</summary>
    None,

    /// <summary>A test file is made.</summary>
    Make,

    /// <summary>IoBench's own file is made longer, or finished.</summary>
    Extend,
}

/// <summary>A target that may be tested.</summary>
/// <param name="Target">As it will be; of the sizes that tests want, the largest.</param>
/// <param name="Change">What is done to it first.</param>
/// <param name="BytesToMake">Bytes to write before it can be tested.</param>
/// <param name="IsImagined">There is no file: the device is modelled.</param>
public sealed record ApprovedTarget(CheckedTarget Target, TargetChange Change, long BytesToMake, bool IsImagined)
{
    /// <summary>It is a file, which may be kept or removed when its tests are over: neither a device nor an imagined one.</summary>
    public bool IsFile => !Target.IsDevice;

    internal static ApprovedTarget Of(CheckedTarget target)
    {
        if (target.IsDevice)
            return new ApprovedTarget(target, TargetChange.None, 0, IsImagined: false);
        var file = new FileInfo(target.Path);
        var missing = Math.Max(0, target.Size - (file.Exists ? file.Length : 0));
        return new ApprovedTarget(
            target,
            missing == 0 ? TargetChange.None
                : file.Exists ? TargetChange.Extend
                : TargetChange.Make,
            missing,
            IsImagined: false
        );
    }

    /// <summary>A modelled device: there is no file to look at, to make or to keep.</summary>
    internal static ApprovedTarget Imagined(IoTestSpecification test, IoTargetSpecification target) =>
        new(CheckedTarget.Imagined(test, target), TargetChange.None, 0, IsImagined: true);
}

/// <summary>A target that a test may not have.</summary>
/// <param name="Test">The first test that wanted it.</param>
/// <param name="Path">The target.</param>
/// <param name="Error">Why.</param>
public sealed record RefusedTarget(IoTestSpecification Test, string Path, IoBenchException Error);

/// <summary>Tests on the same targets, and what they do there: one thing to say yes or no to.</summary>
/// <param name="Paths">The targets as they will be.</param>
/// <param name="Action">What is done: <c>make a test file of 20 GB, run 9 tests, 3 of them writing to it, about 6 minutes</c>.</param>
public sealed record TargetGroup(IReadOnlyList<string> Paths, string Action, IReadOnlyList<IoTestSpecification> Tests);

/// <summary>What may be refused as one: writing to a path, or reading it.</summary>
internal readonly record struct TargetUse(string Path, bool Writes)
{
    public static TargetUse Of(IoTestSpecification test, IoTargetSpecification target) =>
        new(target.Path, test.PatternOf(target).WritePercent > 0);
}
