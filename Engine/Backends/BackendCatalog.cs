namespace IoBench.Engine;

/// <summary>Catalog of the backends. A new backend needs a class with a descriptor, and a row here.</summary>
public static class BackendCatalog
{
    /// <summary>Selects the best backend that works on this computer. The result names the backend that ran.</summary>
    public const string Auto = "Auto";

    /// <summary>Modeled device, which does no I/O.</summary>
    public const string Null = NullBackend.Name;

    /// <summary>Synchronous I/O by one thread for each outstanding I/O.</summary>
    public const string Threads = ThreadsBackend.Name;

    /// <summary>All backends, the best first. Auto takes the first one that works, is not modeled, and is not on request only.</summary>
    public static IReadOnlyList<BackendDescriptor> All { get; } =
    [
        IoUringBackend.Descriptor,
        LinuxAioBackend.Descriptor,
        OverlappedBackend.Descriptor,
        ThreadsBackend.Descriptor,
        NullBackend.Descriptor,
    ];

    public static IReadOnlyList<string> Names { get; } = [Auto, .. All.Select(backend => backend.Name)];

    /// <exception cref="ArgumentOutOfRangeException">No backend has this name.</exception>
    public static BackendDescriptor Get(string name) => Find(name) ?? throw new ArgumentOutOfRangeException(nameof(name), name, null);

    /// <summary>Finds a backend by its name, ignoring case; null for Auto and for an unknown name.</summary>
    public static BackendDescriptor? Find(string? name) =>
        All.FirstOrDefault(backend => backend.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>Finds the backend that a result names; null if the result names no backend of IoBench.</summary>
    public static BackendDescriptor? FindForResult(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        // The name can be followed by the features that were in use.
        return Find(result.Backend?.Split(' ', '(')[0]);
    }

    public static bool IsModeled(string name) => Find(name)?.IsModeled == true;

    /// <summary>Tests whether a result was measured on the modeled device. Such a result does not measure storage.</summary>
    public static bool IsModeled(IoTestResult result) => FindForResult(result)?.IsModeled == true;

    /// <summary>Returns the canonical case; Auto for an empty name. Unknown names (of newer versions) stay unchanged.</summary>
    internal static string NormalizeName(string? name) =>
        string.IsNullOrEmpty(name) ? Auto : Names.FirstOrDefault(known => known.Equals(name, StringComparison.OrdinalIgnoreCase)) ?? name;
}
