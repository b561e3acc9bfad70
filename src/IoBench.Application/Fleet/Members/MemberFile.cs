using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>A test file of a member.</summary>
/// <param name="Keys">Keys of the file and of its name in its folder. A key that two members have in common means one file, also if the
/// paths differ because of a linked folder, a hard link, or a bind mount.</param>
public sealed record MemberFile(string Path, IReadOnlyList<string> Keys)
{
    /// <summary>Device numbers and inodes are unique only on one running system.</summary>
    private static readonly string s_system = MachineId.HashId(ReadBootId()) ?? MachineId.Current ?? Environment.MachineName;

    public bool IsSameFile(MemberFile other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return Keys.Intersect(other.Keys, StringComparer.Ordinal).Any();
    }

    /// <param name="path">Full path that is not a link, of a device, or of a file that exists or is to be created.</param>
    internal static MemberFile FromPath(string path, bool isDevice = false)
    {
        var keys = new List<string>();
        if (PlatformFiles.Current.TryGetStatus(path) is { } file)
            keys.Add(CreateKey(file));
        // A file that does not exist yet has only this key. The other member might have created it in the meantime.
        if (!isDevice && System.IO.Path.GetDirectoryName(path) is { } folder && TryGetFolderStatus(folder) is { } parent)
        {
            var name = System.IO.Path.GetFileName(path);
            keys.Add($"{CreateKey(parent)}/{(OperatingSystem.IsWindows() ? name.ToUpperInvariant() : name)}");
        }
        return new MemberFile(path, keys);
    }

    private static FileStatus? TryGetFolderStatus(string folder) =>
        PlatformFiles.Current.TryGetStatus(new DirectoryInfo(folder).ResolveLinkTarget(returnFinalTarget: true)?.FullName ?? folder);

    private static string CreateKey(FileStatus file) =>
        file is { Kind: FileKind.BlockDevice, Device: not 0 }
            ? string.Create(CultureInfo.InvariantCulture, $"{s_system}:device:{file.Device}")
            : string.Create(CultureInfo.InvariantCulture, $"{s_system}:{file.Device}:{file.Identity}");

    private static string? ReadBootId()
    {
        try
        {
            return OperatingSystem.IsLinux() ? File.ReadAllText("/proc/sys/kernel/random/boot_id") : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Without /proc, the machine id identifies the system.
            return null;
        }
    }
}
