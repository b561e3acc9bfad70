using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>A test file of a member.</summary>
/// <param name="Keys">Keys of the file and of its name in its folder. A key that two members have in common means one file, also if the
/// paths differ because of a linked folder, a hard link, or a bind mount.</param>
public sealed record MemberFile(string Path, IReadOnlyList<string> Keys)
{
    /// <summary>Hash of this machine's id, to distinguish machines with the same name; null if the system has none.</summary>
    public static string? MachineId { get; } =
        HashId(OperatingSystem.IsWindows() ? ReadWindowsId() : TryRead("/etc/machine-id") ?? TryRead("/var/lib/dbus/machine-id"));

    /// <summary>Device numbers and inodes are unique only on one running system.</summary>
    private static readonly string s_system = HashId(TryRead("/proc/sys/kernel/random/boot_id")) ?? MachineId ?? Environment.MachineName;

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

    /// <summary>First 12 hexadecimal digits of a hash, from which the id cannot be derived; null if there is no id.</summary>
    private static string? HashId(string? id) =>
        string.IsNullOrWhiteSpace(id)
            ? null
            : Convert.ToHexString(CryptoLibrary.ComputeSha256(Encoding.UTF8.GetBytes("IoBench " + id.Trim())))[..12].ToLowerInvariant();

    [System.Runtime.Versioning.SupportedOSPlatform("windows")]
    private static string? ReadWindowsId() =>
        Microsoft.Win32.Registry.GetValue(@"HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Cryptography", "MachineGuid", null) as string;

    private static string? TryRead(string file)
    {
        try
        {
            return OperatingSystem.IsLinux() ? File.ReadAllText(file) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Without this id, another id or the computer name identifies the machine.
            return null;
        }
    }
}
