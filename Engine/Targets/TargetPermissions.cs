namespace IoBench.Engine;

/// <summary>What the user allows tests to do with their targets. Each danger has its own switch.</summary>
public sealed record TargetPermissions
{
    /// <summary>No permission: only files that IoBench created, within the free-space rule.</summary>
    public static TargetPermissions None { get; } = new();

    /// <summary>Files that IoBench did not create and that a test may overwrite: the file's name, or its path. A link's own name does not
    /// count. Never applies to SQL Server files or files that back a device.</summary>
    public IReadOnlyList<string> OverwriteFiles { get; init; } = [];

    /// <summary>Raw devices that a test may write, by path or kernel's name (<c>/dev/sdx</c>, <c>PhysicalDrive1</c>). A device with known
    /// content (such as a file system or a partition table) is refused anyway.</summary>
    public IReadOnlyList<string> EraseDevices { get; init; } = [];

    /// <summary>Whether a test file may leave less free space than 10% of its volume or 10 GB.</summary>
    public bool FillVolume { get; init; }

    /// <summary>Whether a test may read SQL Server files.</summary>
    public bool ReadDatabase { get; init; }

    /// <summary>The options that grant the permissions.</summary>
    public static IReadOnlyList<OptionName> Options { get; } =
    [OptionNames.OverwriteFile, OptionNames.EraseDevice, OptionNames.FillVolume, OptionNames.ReadDatabase];

    internal bool CanOverwrite(TargetPath file, string givenPath)
    {
        var name = Path.GetFileName(file.Path);
        return OverwriteFiles.Any(allowed =>
            AreSame(allowed, name)
            || AreSame(allowed, file.Path)
            || (AreSame(allowed, givenPath) && AreSame(Path.GetFileName(givenPath), name))
        );
    }

    internal bool CanErase(TargetPath device, string kernelName, string givenPath) =>
        EraseDevices.Any(allowed =>
            AreSame(allowed, kernelName) || AreSame(allowed, givenPath) || device.Names.Any(name => AreSame(allowed, name))
        );

    private static bool AreSame(string allowed, string name) =>
        string.Equals(allowed, name, OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal);
}
