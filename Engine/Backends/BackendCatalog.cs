namespace IoBench.Engine.Backends;

/// <summary>The backends, registered once. One more is a file with its class and descriptor, and a line here.</summary>
public static class BackendCatalog
{
    /// <summary>The best that works here; the result names it. No backend has this name.</summary>
    public const string Auto = "Auto";

    /// <summary>All of them, the best first: Auto takes the first that works, is not modelled, and need not be asked for.</summary>
    public static IReadOnlyList<BackendDescriptor> All { get; } =
    [
        IoUringBackend.Descriptor,
        LinuxAioBackend.Descriptor,
        NvmePassthroughBackend.Descriptor,
        OverlappedBackend.Descriptor,
        ThreadsBackend.Descriptor,
        NullBackend.Descriptor,
    ];

    /// <summary>What a test may ask for: Auto, and each by its name.</summary>
    public static IReadOnlyList<string> Names { get; } = [Auto, .. All.Select(backend => backend.Name)];

    /// <summary>The descriptor of a backend that was chosen.</summary>
    public static BackendDescriptor Of(string name) => Find(name) ?? throw new ArgumentOutOfRangeException(nameof(name), name, null);

    /// <summary>The descriptor of a backend, upper or lower case; null for Auto, which is none until one is chosen, and for a name that none has.</summary>
    public static BackendDescriptor? Find(string? name) =>
        All.FirstOrDefault(backend => backend.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>The descriptor of the backend that a result names; null when it names none of ours.</summary>
    public static BackendDescriptor? OfResult(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        // Behind the name may stand what of it was in use.
        return Find(result.Backend?.Split(' ', '(')[0]);
    }

    /// <summary>Whether a test asks for a device that is imagined.</summary>
    public static bool IsModelled(string name) => Find(name)?.IsModelled == true;

    /// <summary>Whether a result was measured on a device that is imagined: it says nothing about storage.</summary>
    public static bool IsModelled(IoTestResult result) => OfResult(result)?.IsModelled == true;

    /// <summary>A name as it is written here, whatever its case; Auto for none. One that no backend has stays as it is: a result of a newer version may name it, and only a run refuses it.</summary>
    internal static string NameOf(string? name) =>
        string.IsNullOrEmpty(name) ? Auto : Names.FirstOrDefault(known => known.Equals(name, StringComparison.OrdinalIgnoreCase)) ?? name;
}
