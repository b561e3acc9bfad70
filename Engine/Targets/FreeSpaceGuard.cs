namespace IoBench.Engine;

/// <summary>
/// Checks the free space of a volume again while a file is being filled: other programs can have used space since the first check, and two
/// files that would each
/// leave enough space can together leave too little.
/// </summary>
/// <param name="target">The file.</param>
/// <param name="before">Status of the file before it takes more space.</param>
/// <param name="options">States whether the user allows a volume to become full.</param>
internal sealed class FreeSpaceGuard(CheckedTarget target, FileStatus before, TestRunOptions options)
{
    private readonly long _needed = Math.Max(0, target.Size - before.AllocatedBytes);

    /// <summary>Throws if the required free space is not left, or would not be.</summary>
    /// <param name="left">Bytes that the file has yet to take; 0 if the file system reserved all of them at once.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NotEnoughSpace</c>, <c>IoBench.VolumeTooFull</c>.</exception>
    public void CheckFreeSpace(long left)
    {
        var taken = Math.Max(0, _needed - left);
        var now = PlatformFiles.Current.GetSpace(Path.GetDirectoryName(target.Path) ?? target.Path);
        // Add back the space that this file has taken already, so that the same rule applies as before.
        TestFileSizeRules.CheckFreeSpace(
            target.Path,
            target.Size,
            _needed,
            now is { } space ? space with { Available = space.Available + taken } : null,
            TargetCheck.GetVolumeName(target.Volume, target.Path),
            options.Force,
            mayForce: !options.OwnFilesOnly
        );
    }
}
