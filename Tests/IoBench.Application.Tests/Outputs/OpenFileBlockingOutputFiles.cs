namespace IoBench.Application.Tests;

/// <summary>Applies the rule of Windows on other systems: an open file, even of this process, cannot be replaced.</summary>
internal sealed class OpenFileBlockingOutputFiles(PlatformOutputFiles system) : PlatformOutputFiles
{
    public override LockedFile? TryLockFile(string path, out bool isNew) =>
        system.TryLockFile(path, out isNew) is { } held ? new BlockingLockedFile(held) : null;

    public override TemporaryFile CreateTemporary(string path) => system.CreateTemporary(path);

    public override LockedFile? TryMoveIntoPlace(TemporaryFile file, string path, LockedFile? held)
    {
        if (held is BlockingLockedFile { IsOpen: true })
            throw new UnauthorizedAccessException($"Access to {path} is denied.");
        return system.TryMoveIntoPlace(file, path, (held as BlockingLockedFile)?.File) is { } placed
            ? new BlockingLockedFile(placed)
            : null;
    }

    public override void RemoveIfUnmodified(LockedFile held, string path) =>
        system.RemoveIfUnmodified(((BlockingLockedFile)held).File, path);

    public override void RemoveLeftovers(string path) => system.RemoveLeftovers(path);

    private sealed class BlockingLockedFile(LockedFile file) : LockedFile
    {
        private Stream? _reading;

        public LockedFile File => file;

        public bool IsOpen => _reading?.CanRead == true;

        public override string Identity => file.Identity;

        public override bool IsUnmodified => file.IsUnmodified;

        public override Stream? OpenRead() => _reading = file.OpenRead();

        public override void Dispose() => file.Dispose();
    }
}
