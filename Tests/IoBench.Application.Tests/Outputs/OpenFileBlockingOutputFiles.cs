using IoBench.Engine;

namespace IoBench.Application.Tests;

/// <summary>Applies the rule of Windows on other systems: an open file, even of this process, cannot be replaced.</summary>
internal sealed class OpenFileBlockingOutputFiles(PlatformOutputFiles system) : PlatformOutputFiles
{
    public override LockedFile? TryLockFile(OutputName name, out bool isNew) =>
        system.TryLockFile(name, out isNew) is { } held ? new BlockingLockedFile(held) : null;

    public override TemporaryFile CreateTemporary(OutputName name) => system.CreateTemporary(name);

    public override LockedFile? TryMoveIntoPlace(TemporaryFile file, OutputName name, LockedFile? held)
    {
        if (held is BlockingLockedFile { IsOpen: true })
            throw new UnauthorizedAccessException($"Access to {name.Path} is denied.");
        return system.TryMoveIntoPlace(file, name, (held as BlockingLockedFile)?.File) is { } placed
            ? new BlockingLockedFile(placed)
            : null;
    }

    public override void RemoveIfUnmodified(LockedFile held, OutputName name) =>
        system.RemoveIfUnmodified(((BlockingLockedFile)held).File, name);

    public override void RemoveLeftovers(OutputName name, bool isNew) => system.RemoveLeftovers(name, isNew);

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
