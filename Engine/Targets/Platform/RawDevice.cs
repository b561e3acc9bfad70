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
            return "/sys does not list it, so IoBench cannot determine whether a program uses it";
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
                errno == LinuxCalls.EBUSY
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
        return TargetContent.FindInFile(handle, file, PlatformFiles.Current.GetStatus(handle, file).Size, sqlServerOnly: true) is not null;
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
        return (attributes & WindowsCalls.DISK_ATTRIBUTE_OFFLINE) == 0
            ? "it is online (to take the disk offline, run 'offline disk' in diskpart)"
            : null;
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

    /// <summary>Writing requires an unused device without known content that the user has named, even if it is empty.</summary>
    public static CheckedTarget Check(TargetCheck.TargetRequest check)
    {
        var path = check.Path;
        if (check.Options.OwnFilesOnly)
            throw TargetCheck.CreateNotOwnFileError(path);
        using var handle = PlatformFiles.Current.OpenToRead(path);
        var device = Describe(handle, path);
        var volume = VolumeFacts.Collect(path);
        volume.LogicalSectorSize = device.LogicalSectorSize;
        volume.PhysicalSectorSize = Math.Max(device.PhysicalSectorSize, device.LogicalSectorSize);
        if (device.Size == 0)
            throw IoBenchException.Refused(
                "IoBench.EmptyFile",
                $"{path} has no size, because the device has no medium, or no storage is attached.",
                path,
                advice: "Specify another device."
            );
        if (check.RequestedSize > device.Size)
            throw IoBenchException.Usage(
                "IoBench.InvalidSize",
                $"The size of {path} is {IoSize.Format(device.Size)}.",
                path,
                advice: $"Set {OptionNames.FileSize} to this size or less, or remove the option."
            );
        if (check.Writes)
            CheckMayWrite(check, handle, device);
        var warnings = new List<IoWarning>();
        var size = TargetCheck.RoundToSectors(check.RequestedSize ?? device.Size, check, volume, warnings);
        var target = TargetCheck.CreateResult(check, TargetKind.Device, size, check.Found.Status, null, volume, warnings);
        target.DeviceToWrite = check.Writes ? device : null;
        return target;
    }

    /// <summary>Opens a device exclusively and repeats all checks on that handle.</summary>
    /// <param name="proof">Result of <see cref="Check"/>; null = nothing was checked, so that the device must be empty.</param>
    public static SafeFileHandle OpenForWriting(string path, RawDevice? proof = null)
    {
        // Look for users first, because a refused exclusive open does not say who uses the device.
        using (var look = PlatformFiles.Current.OpenToRead(path))
            ThrowIfUsed(look, path);
        var handle = OpenExclusively(path);
        try
        {
            var device = Describe(handle, path);
            if (proof is not null && (device.Identity != proof.Identity || device.Size != proof.Size))
                throw IoBenchException.Refused(
                    "IoBench.DeviceInUse",
                    $"{path} is not the device that IoBench checked. The device was unplugged or re-created.",
                    path,
                    advice: "Start the test again."
                );
            ThrowIfUsed(handle, path);
            ThrowIfHoldsData(handle, path, device, mayHoldData: proof is not null);
            return handle;
        }
        catch
        {
            PlatformFiles.Current.UnlockAndClose(handle);
            throw;
        }
    }

    private static void CheckMayWrite(TargetCheck.TargetRequest check, SafeFileHandle handle, RawDevice device)
    {
        var path = check.Path;
        if (device.IsReadOnly)
            throw FileErrors.FromErrno(LinuxCalls.EROFS, "opening", path);
        ThrowIfUsed(handle, path);
        var isNamed = check.Options.Permissions.CanErase(check.Found, device.Name, check.Target.Path);
        ThrowIfHoldsData(handle, path, device, mayHoldData: isNamed);
        if (!isNamed)
            throw IoBenchException.Refused(
                ErrorIds.DeviceNotNamed,
                $"{path} is a raw device, and a write test destroys all data on it.",
                path,
                advice: $"If you do not need the data, add {OptionNames.EraseDevice.WithValue(device.Name)}."
            );
        PlatformFiles.Current.UnlockAndClose(OpenExclusively(path));
    }

    private static void ThrowIfUsed(SafeFileHandle handle, string path)
    {
        if (FindUser(handle, path) is { } user)
            throw FileErrors.DeviceInUse(path, user);
    }

    private static void ThrowIfHoldsData(SafeFileHandle handle, string path, RawDevice device, bool mayHoldData)
    {
        // Cached pages of the device can be older than what another computer wrote.
        PlatformFiles.Current.DropCache(handle);
        var content = TargetContent.Open(handle, path, device.Size);
        if ((content.Find() ?? TargetContent.AskLibBlkid(handle, path)) is { } found)
            throw IoBenchException.Refused(
                "IoBench.DeviceHasData",
                $"{path} contains {found}, so IoBench never writes to it.",
                path,
                advice: "Specify an empty device. If you do not need the data, clear the device with wipefs or diskpart clean."
            );
        if (!mayHoldData && content.FindFirstNonZeroByte() is { } offset)
            throw IoBenchException.Refused(
                ErrorIds.DeviceNotEmpty,
                $"{path} is not empty: unknown data begins at offset {offset}.",
                path,
                advice: $"If you do not need the data, add {OptionNames.EraseDevice.WithValue(device.Name)}. Otherwise, specify another device."
            );
    }
}
