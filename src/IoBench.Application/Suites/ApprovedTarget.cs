using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Target">The target as it will be, with the largest size that a test needs.</param>
/// <param name="IsImagined">True if the device is modeled, so that there is no file.</param>
public sealed record ApprovedTarget(CheckedTarget Target, long BytesToMake, bool IsImagined)
{
    /// <summary>True if the target is a file, not a device or a modeled target.</summary>
    public bool IsFile => !Target.IsDevice;

    internal static ApprovedTarget FromCheckedTarget(CheckedTarget target)
    {
        if (target.IsDevice)
            return new ApprovedTarget(target, 0, IsImagined: false);
        var file = new FileInfo(target.Path);
        var missing = Math.Max(0, target.Size - (file.Exists ? file.Length : 0));
        return new ApprovedTarget(target, missing, IsImagined: false);
    }

    internal static ApprovedTarget CreateModeled(IoTestSpecification test, IoTargetSpecification target) =>
        new(CheckedTarget.CreateModeled(test, target), 0, IsImagined: true);
}

/// <summary>Tests on the same targets, which the user confirms together.</summary>
/// <param name="Action">What IoBench does: <c>make a test file of 20 GB, run 9 tests, 3 of them writing to it, about 6 minutes</c>.</param>
public sealed record TargetGroup(IReadOnlyList<string> Paths, string Action, IReadOnlyList<IoTestSpecification> Tests);
