using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>What the operating system says of a raw device.</summary>
/// <param name="Size">Bytes.</param>
/// <param name="LogicalSectorSize">Bytes.</param>
/// <param name="PhysicalSectorSize">Bytes.</param>
/// <param name="IsReadOnly">It cannot be written.</param>
/// <param name="InUse">Who uses it, in words; null when nobody does.</param>
internal sealed record RawDevice(long Size, int LogicalSectorSize, int PhysicalSectorSize, bool IsReadOnly, string? InUse)
{
    /// <summary>Asks the system about an open device.</summary>
    public static RawDevice Describe(SafeFileHandle handle, string path) => OperatingSystem.IsWindows() ? DescribeWindows(handle, path) : DescribeLinux(handle, path);

    /// <summary>Opens so that nobody else can take the device while the handle is open.</summary>
    public static SafeFileHandle OpenExclusively(string path)
    {
        // A disk that is offline (checked before) cannot be mounted; Windows needs no more.
        if (OperatingSystem.IsWindows())
            return PlatformFiles.Current.OpenToWrite(path);
        // O_EXCL without O_CREAT: refused while the device is mounted, swap, or part of LVM or RAID (open(2)).
        return LinuxFiles.TryOpen(path, LinuxCalls.ReadWrite | LinuxCalls.Exclusive | LinuxCalls.NonBlocking | LinuxCalls.CloseOnExec, out var errno)
            ?? throw (errno == Errno.EBUSY
                ? IoBenchException.Refused("IoBench.DeviceInUse", $"{path} is in use: mounted, swap, or part of LVM or RAID. A raw device is only written while nothing uses it; name another.", path)
                : FileErrors.FromErrno(errno, "open", path));
    }

    private static unsafe RawDevice DescribeLinux(SafeFileHandle handle, string path)
    {
        const nuint sizeInBytes = 0x80081272, logicalSector = 0x1268, physicalSector = 0x127B, readOnly = 0x125E; // BLKGETSIZE64, BLKSSZGET, BLKPBSZGET, BLKROGET
        ulong size;
        if (LinuxCalls.Control(handle, sizeInBytes, &size) != 0)
            throw FileErrors.FromErrno(Marshal.GetLastPInvokeError(), "ask for the size of", path);
        int logical, physical, isReadOnly;
        logical = LinuxCalls.Control(handle, logicalSector, &logical) == 0 ? logical : 512;
        physical = LinuxCalls.Control(handle, physicalSector, &physical) == 0 ? physical : logical;
        isReadOnly = LinuxCalls.Control(handle, readOnly, &isReadOnly) == 0 ? isReadOnly : 0;
        LinuxCalls.Statx status;
        string? user = null;
        if (LinuxCalls.GetStatx(LinuxCalls.AtFdCwd, path, 0, LinuxCalls.Statx.BasicStats, &status) == 0
            && LinuxBlockDevice.ByNumber($"{status.SpecialMajor}:{status.SpecialMinor}") is { } device)
            user = device.HasHolders ? "LVM, RAID or encryption is built upon it" : device.HasPartitions ? "it has partitions" : null;
        return new RawDevice((long)size, logical, physical, isReadOnly != 0, user);
    }

    private static unsafe RawDevice DescribeWindows(SafeFileHandle handle, string path)
    {
        const uint getLength = 0x7405C, getAttributes = 0x700F0; // IOCTL_DISK_GET_LENGTH_INFO, IOCTL_DISK_GET_DISK_ATTRIBUTES
        long size;
        uint returned;
        if (!WindowsCalls.DeviceIoControl(handle, getLength, null, 0, &size, sizeof(long), &returned, 0))
            throw FileErrors.FromWindows(Marshal.GetLastPInvokeError(), "ask for the size of", path);
        var volume = VolumeFacts.Collect(path);
        // GET_DISK_ATTRIBUTES: version, reserved, attributes (1 offline, 2 read-only).
        var attributes = stackalloc ulong[2];
        var known = WindowsCalls.DeviceIoControl(handle, getAttributes, null, 0, attributes, 16, &returned, 0);
        const ulong offline = 1, readOnly = 2;
        var user = path.EndsWith(':') ? "it is a volume and not a disk"
            : !known ? "Windows does not say whether it is offline"
            : (attributes[1] & offline) == 0 ? "it is online (diskpart: offline disk)" : null;
        return new RawDevice(size, volume.LogicalSectorSize, volume.PhysicalSectorSize, known && (attributes[1] & readOnly) != 0, user);
    }
}
