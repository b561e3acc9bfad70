namespace IoBench.Application.Tests;

/// <summary>Applies the rule of Windows on other systems: an open file, even of this process, cannot be replaced.</summary>
internal sealed class OpenFileRefusal(OutputSystem system) : OutputSystem
{
    public override HeldFile? TryHold(string path, out bool isNew) => system.TryHold(path, out isNew) is { } held ? new Held(held) : null;

    public override NewFile Begin(string path) => system.Begin(path);

    public override HeldFile? TryPlace(NewFile file, string path, HeldFile? held)
    {
        if (held is Held { IsOpen: true })
            throw new UnauthorizedAccessException($"Access to {path} is denied.");
        return system.TryPlace(file, path, (held as Held)?.File) is { } placed ? new Held(placed) : null;
    }

    public override void Remove(HeldFile held, string path) => system.Remove(((Held)held).File, path);

    public override void ClearLeftovers(string path) => system.ClearLeftovers(path);

    private sealed class Held(HeldFile file) : HeldFile
    {
        private Stream? _reading;

        public HeldFile File => file;

        public bool IsOpen => _reading?.CanRead == true;

        public override string Identity => file.Identity;

        public override bool IsUntouched => file.IsUntouched;

        public override Stream? OpenRead() => _reading = file.OpenRead();

        public override void Dispose() => file.Dispose();
    }
}
