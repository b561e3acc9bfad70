using System.Globalization;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

internal sealed unsafe partial class VolumeFacts
{
    internal void CollectWindows(WindowsFiles windows, string existing, SafeFileHandle? file)
    {
        var isDevice = WindowsPath.IsDevice(existing);
        string? volumeName = null;
        if (!isDevice && windows.FindVolume(existing) is { } volume)
            volumeName = ReadVolume(windows.Calls, volume.Root, volume.FileSystem);
        if (!isDevice && file is not null)
        {
            ReadHandle(windows, existing, file);
            using var direct = windows.TryReopenUnbuffered(file, existing, write: false);
            SupportsDirectIO = direct is not null;
        }
        else if (!isDevice)
        {
            ReadFolder(windows, existing);
        }
        if ((isDevice ? existing : volumeName) is { } device)
            ReadDevice(windows.Calls, device);
    }

    // The volume's own name works for every mount: drive letter, folder (as on clusters), and cluster shared volume.
    private string? ReadVolume(WindowsFileCalls calls, string root, string fileSystem)
    {
        FileSystem = fileSystem;
        MountPoint = root;
        if (calls.GetSectorSizes(WindowsPath.ToNativePath(root), out var sectorsPerCluster, out var bytesPerSector) == 0)
        {
            LogicalSectorSize = (int)bytesPerSector;
            PhysicalSectorSize = (int)bytesPerSector;
            AddFact("Allocation unit", (sectorsPerCluster * bytesPerSector).ToString(CultureInfo.InvariantCulture));
        }
        IsNetwork =
            root.StartsWith(@"\\", StringComparison.Ordinal) && !root.StartsWith(@"\\?\Volume", StringComparison.OrdinalIgnoreCase)
            || GetDriveType(root) == DriveType.Network;
        IsInMemory = GetDriveType(root) == DriveType.Ram;
        if (IsNetwork)
            return null;
        // Without the trailing backslash, the name is the device; with it, the name is the root folder.
        return calls.GetVolumeName(root, out var name) == 0 ? name.TrimEnd('\\')
            : root is { Length: 3 } && root[1] == ':' ? $@"\\.\{root[..2]}"
            : null;
    }

    // A new file inherits compression, encryption, and integrity from its folder, so read these before the file is created.
    private void ReadFolder(WindowsFiles windows, string existing)
    {
        var error = windows.Calls.Open(
            WindowsPath.ToNativePath(existing),
            FILE_READ_ATTRIBUTES,
            ShareAll,
            OPEN_EXISTING,
            FILE_FLAG_BACKUP_SEMANTICS | QueryAccess,
            out var handle
        );
        using var folder = handle;
        if (error == 0)
            ReadHandle(windows, existing, folder);
    }

    private void ReadHandle(WindowsFiles windows, string existing, SafeFileHandle file)
    {
        if (windows.Calls.GetInformation(file, out var information) == 0)
        {
            IsCompressed = (information.Attributes & FILE_ATTRIBUTE_COMPRESSED) != 0;
            IsEncrypted = (information.Attributes & FILE_ATTRIBUTE_ENCRYPTED) != 0;
            // ReFS overwrites file data in place unless it keeps checksums of the data.
            IsCopyOnWrite = (information.Attributes & FILE_ATTRIBUTE_INTEGRITY_STREAM) != 0;
            AddFact("Integrity stream", IsCopyOnWrite ? "yes" : null);
            AddFact("Sparse", (information.Attributes & FILE_ATTRIBUTE_SPARSE_FILE) != 0 ? "yes" : null);
            AddFact("Filter", windows.GetStatus(file, existing).FilterDriver);
        }
        // Query by handle, because this also works for shares and for volumes without a drive letter.
        StorageInfo storage;
        if (windows.Calls.GetInformation(file, FileStorageInfo, &storage, sizeof(StorageInfo)) == 0 && storage.LogicalBytesPerSector > 0)
        {
            LogicalSectorSize = (int)storage.LogicalBytesPerSector;
            PhysicalSectorSize = (int)Math.Max(storage.LogicalBytesPerSector, storage.PhysicalBytesPerSectorForPerformance);
            AddFact(
                PartitionOffsetFact,
                storage.ByteOffsetForPartitionAlignment is > 0 and < uint.MaxValue
                    ? storage.ByteOffsetForPartitionAlignment.ToString(CultureInfo.InvariantCulture)
                    : null
            );
        }
        ReadShare(windows.Calls, file);
        ReadCluster(windows.Calls, file);
    }

    private static DriveType GetDriveType(string root) =>
        root.Length > 0 && char.IsLetter(root[0]) ? new DriveInfo(root[..1]).DriveType : DriveType.Unknown;
}
