using System.Globalization;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

internal sealed unsafe partial class WindowsFiles
{
    internal WindowsFileCalls Calls => calls;

    internal override (long Total, long Available)? GetSpace(string path)
    {
        var folder = Directory.Exists(path) ? path : Path.GetDirectoryName(path) ?? path;
        return
            calls.GetFreeSpace(WindowsPath.ToNativePath(folder.EndsWith('\\') ? folder : folder + "\\"), out var available, out var total)
                == 0
            && total > 0
            ? ((long)total, (long)available)
            : null;
    }

    // A volume has many names: the drive letter in either case, a folder that it is mounted in, and its own name.
    internal override string? GetVolumeId(string folder)
    {
        var error = calls.Open(
            WindowsPath.ToNativePath(folder),
            FILE_READ_ATTRIBUTES,
            ShareAll,
            OPEN_EXISTING,
            FILE_FLAG_BACKUP_SEMANTICS | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION,
            out var handle
        );
        using (handle)
        {
            if (error != 0)
                return null;
            FileIdInfo id;
            if (calls.GetInformation(handle, FileIdInfoClass, &id, sizeof(FileIdInfo)) == 0)
                return id.VolumeSerial.ToString("x", CultureInfo.InvariantCulture);
            return calls.GetInformation(handle, out var information) == 0
                ? information.VolumeSerial.ToString("x", CultureInfo.InvariantCulture)
                : null;
        }
    }

    internal override void CollectFacts(VolumeFacts facts, string existing, SafeFileHandle? file) =>
        facts.CollectWindows(this, existing, file);

    internal (string Root, uint Flags, string FileSystem)? FindVolume(string path)
    {
        if (calls.GetVolumeRoot(WindowsPath.ToNativePath(path), out var root) != 0)
            return null;
        return calls.GetFileSystem(root, out var flags, out var fileSystem) == 0
            ? (WindowsPath.ToDisplayPath(root), flags, fileSystem)
            : null;
    }
}
