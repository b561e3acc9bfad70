using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <param name="Identity">Distinguishes the device from every other device, and from a later one with the same name.</param>
internal sealed record RawDevice(string Name, string Identity, long Size, int LogicalSectorSize, int PhysicalSectorSize, bool IsReadOnly)
{
    private const string WindowsPrefix = @"\\.\";

    public static RawDevice Describe(SafeFileHandle handle, string path) =>
        PlatformFiles.Current is WindowsFiles windows ? DescribeWindows(windows, handle, path) : DescribeLinux(handle, path);

    /// <summary>Describes who uses an open device; null if it is unused.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.SqlServerFile</c>: a SQL Server file backs the device.</exception>
    public static string? FindUser(SafeFileHandle handle, string path)
    {
        if (PlatformFiles.Current is WindowsFiles windows)
            return FindWindowsUser(windows, handle, path);
        if (FindLinuxDevice(handle, path) is not { } device)
            return "/sys does not list it, so IoBench cannot know whether a program uses it";
        foreach (var loop in LinuxDeviceUsers.FindBackingFiles(device))
            ThrowIfSqlServerFile(loop, path);
        return LinuxDeviceUsers.Find(device);
    }

    /// <summary>Null if it is still unused. Linux keeps others out while the device is open.</summary>
    public static string? FindNewUser(SafeFileHandle handle, string path) =>
        PlatformFiles.Current is WindowsFiles windows ? FindWindowsUser(windows, handle, path) : null;

    /// <summary>Opens a device exclusively. Close the handle with <see cref="PlatformFiles.UnlockAndClose"/>.</summary>
    public static SafeFileHandle OpenExclusively(string path)
    {
        // An offline disk cannot be mounted. Each worker's handle and the running test check that the disk is still offline.
        if (PlatformFiles.Current is WindowsFiles windows)
            return windows.OpenDiskExclusively(path, GetDeviceName(path));
        // O_EXCL without O_CREAT fails if the device is mounted, swap, or part of LVM or RAID (open(2)).
        return LinuxFiles.TryOpen(
                path,
                LinuxCalls.O_RDWR | LinuxCalls.O_EXCL | LinuxCalls.O_NONBLOCK | LinuxCalls.O_NOFOLLOW | LinuxCalls.O_CLOEXEC,
                out var errno
            )
            ?? throw (
                errno == Errno.EBUSY
                    ? FileErrors.DeviceInUse(path, "it is mounted, used as swap space, part of LVM or RAID, or used by another test")
                    : FileErrors.FromErrno(errno, "opening", path)
            );
    }

    private static unsafe RawDevice DescribeLinux(SafeFileHandle handle, string path)
    {
        ulong size,
            sequence;
        if (LinuxCalls.Control(handle, LinuxCalls.BLKGETSIZE64, &size) != 0)
            throw FileErrors.FromErrno(Marshal.GetLastPInvokeError(), "reading the size of", path);
        int logical,
            physical,
            isReadOnly;
        logical = LinuxCalls.Control(handle, LinuxCalls.BLKSSZGET, &logical) == 0 ? logical : 512;
        physical = LinuxCalls.Control(handle, LinuxCalls.BLKPBSZGET, &physical) == 0 ? physical : logical;
        isReadOnly = LinuxCalls.Control(handle, LinuxCalls.BLKROGET, &isReadOnly) == 0 ? isReadOnly : 0;
        // Kernels before 5.15 do not count the devices that had a number, so the number alone identifies the device.
        sequence = LinuxCalls.Control(handle, LinuxCalls.BLKGETDISKSEQ, &sequence) == 0 ? sequence : 0;
        var identity = string.Create(
            CultureInfo.InvariantCulture,
            $"device {FileId.Identify(LinuxFiles.ReadStatx(handle, path)).Device} sequence {sequence}"
        );
        return new RawDevice(
            FindLinuxDevice(handle, path)?.Name ?? Path.GetFileName(path),
            identity,
            (long)size,
            logical,
            physical,
            isReadOnly != 0
        );
    }

    private static LinuxBlockDevice? FindLinuxDevice(SafeFileHandle handle, string path) =>
        FileId.Identify(LinuxFiles.ReadStatx(handle, path)).Device is { } number ? LinuxBlockDevice.FindByNumber(number) : null;

    private static void ThrowIfSqlServerFile(LoopDevice loop, string path)
    {
        if (
            SqlServerFile.HasSqlServerExtension(loop.BackingPath)
            || !loop.IsDeleted
                && FileId.Identify(loop.BackingPath) is { } there
                && loop.BackingId is { } under
                && there.IsSame(under)
                && HasSqlServerContent(loop.BackingPath)
        )
            throw IoBenchException.Refused(
                ErrorIds.SqlServerFile,
                $"{path} is backed by {loop.BackingPath}, a SQL Server file. A write to the device would change the file.",
                path,
                advice: "IoBench never writes to SQL Server files. Specify another device."
            );
    }

    private static bool HasSqlServerContent(string file)
    {
        using var handle = PlatformFiles.Current.OpenToRead(file);
        return KnownContent.FindInFile(handle, file, PlatformFiles.Current.GetStatus(handle, file).Size, sqlServerOnly: true) is not null;
    }

    private static unsafe RawDevice DescribeWindows(WindowsFiles windows, SafeFileHandle handle, string path)
    {
        long size;
        if (
            windows.Calls.SendControlCode(handle, WindowsCalls.IOCTL_DISK_GET_LENGTH_INFO, null, 0, &size, sizeof(long))
            is not 0
                and var error
        )
            throw FileErrors.FromWindows(error, "reading the size of", path);
        var volume = VolumeFacts.Collect(path);
        var name = GetDeviceName(path);
        return new RawDevice(
            name,
            "device " + name.ToUpperInvariant(),
            size,
            volume.LogicalSectorSize,
            volume.PhysicalSectorSize,
            ((ReadWindowsAttributes(windows, handle) ?? 0) & WindowsCalls.DISK_ATTRIBUTE_READ_ONLY) != 0
        );
    }

    private static string GetDeviceName(string path) =>
        path.StartsWith(WindowsPrefix, StringComparison.Ordinal) ? path[WindowsPrefix.Length..] : path;

    private static string? FindWindowsUser(WindowsFiles windows, SafeFileHandle handle, string path)
    {
        if (WindowsPath.IsVolume(path))
            return "it is a volume, not a disk";
        if (ReadWindowsAttributes(windows, handle) is not { } attributes)
            return "Windows does not report whether it is offline";
        return (attributes & WindowsCalls.DISK_ATTRIBUTE_OFFLINE) == 0 ? "it is online (diskpart: offline disk)" : null;
    }

    // GET_DISK_ATTRIBUTES: version, reserved, attributes (1 offline, 2 read-only).
    private static unsafe ulong? ReadWindowsAttributes(WindowsFiles windows, SafeFileHandle handle)
    {
        var attributes = stackalloc ulong[2];
        return
            windows.Calls.SendControlCode(handle, WindowsCalls.IOCTL_DISK_GET_DISK_ATTRIBUTES, null, 0, attributes, 2 * sizeof(ulong)) == 0
            ? attributes[1]
            : null;
    }
}
