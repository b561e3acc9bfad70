using System.Globalization;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

internal sealed unsafe partial class WindowsFiles
{
    internal IWindowsFileCalls Calls => calls;

    public override VolumeSpace? GetSpace(string path)
    {
        var folder = Directory.Exists(path) ? path : Path.GetDirectoryName(path) ?? path;
        return
            calls.Space(WindowsPath.ForCalls(folder.EndsWith('\\') ? folder : folder + "\\"), out var available, out var total) == 0
            && total > 0
            ? new VolumeSpace((long)total, (long)available)
            : null;
    }

    // A volume has many names: the drive letter in either case, a folder that it is mounted in, and its own name.
    public override string? VolumeOf(string folder)
    {
        var error = calls.Open(
            WindowsPath.ForCalls(folder),
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
            return calls.Information(handle, FileIdInfoClass, &id, sizeof(FileIdInfo)) == 0
                    ? id.VolumeSerial.ToString("x", CultureInfo.InvariantCulture)
                : calls.Information(handle, out var information) == 0 ? information.VolumeSerial.ToString("x", CultureInfo.InvariantCulture)
                : null;
        }
    }

    public override void CollectFacts(VolumeFacts facts, string existing, SafeFileHandle? file) =>
        facts.CollectWindows(this, existing, file);

    internal (string Root, uint Flags, string FileSystem)? Volume(string path)
    {
        if (calls.VolumeRoot(WindowsPath.ForCalls(path), out var root) != 0)
            return null;
        return calls.VolumeInformation(root, out var flags, out var fileSystem) == 0
            ? (WindowsPath.ForPeople(root), flags, fileSystem)
            : null;
    }
}
