namespace IoBench.Engine.Targets;

/// <summary>
/// Looks again at the room of a volume while a file takes it: between the check and the taking others may have taken theirs, and two files that each would
/// leave enough may together leave too little.
/// </summary>
/// <param name="target">The file.</param>
/// <param name="before">What it was before it takes more.</param>
/// <param name="options">Whether the user allows a volume to become full.</param>
internal sealed class RoomWatch(CheckedTarget target, FileStatus before, TestRunOptions options)
{
    private readonly long _needed = Math.Max(0, target.Size - before.AllocatedBytes);

    /// <summary>Throws when what must stay free does not, or would not.</summary>
    /// <param name="left">Bytes that the file has yet to take; 0 when the file system took all of them at once.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NotEnoughSpace</c>, <c>IoBench.VolumeTooFull</c>.</exception>
    public void Check(long left)
    {
        var taken = Math.Max(0, _needed - left);
        var now = PlatformFiles.Current.GetSpace(Path.GetDirectoryName(target.Path) ?? target.Path);
        // As it would be without what this file has taken: then the same rule holds as before.
        SizePlan.CheckRoom(
            target.Path,
            target.Size,
            _needed,
            now is { } space ? space with { Available = space.Available + taken } : null,
            TargetCheck.VolumeName(target.Volume, target.Path),
            options.Force,
            mayForce: !options.OwnFilesOnly
        );
    }
}
