using System.Globalization;
using System.Runtime.InteropServices;
using static IoBench.Engine.LinuxCalls;

namespace IoBench.Engine;

/// <summary>A loop device in use. The path is as the kernel reports it.</summary>
/// <param name="BackingId">Identity of the file or device; null if it is not visible from here (another container).</param>
internal sealed record LoopDevice(string Name, string BackingPath, bool IsDeleted, FileId? BackingId)
{
    private const string Deleted = " (deleted)";

    public static IReadOnlyList<LoopDevice> FindAll(string system) =>
        [.. LinuxBlockDevice.GetDisks(system).Select(FromDevice).OfType<LoopDevice>()];

    /// <summary>Returns null if the device is not a loop device or has no backing file.</summary>
    public static LoopDevice? FromDevice(LinuxBlockDevice device)
    {
        var whole = device.WholeDisk;
        if (whole.LoopFile is not { } file)
            return null;
        var isDeleted = file.EndsWith(Deleted, StringComparison.Ordinal);
        return new LoopDevice(
            whole.Name,
            isDeleted ? file[..^Deleted.Length] : file,
            isDeleted,
            ReadBackingId(whole) ?? (isDeleted ? null : FileId.Identify(file))
        );
    }

    // Ask the device first, because its file can have been renamed or replaced. Its node can be missing in a container.
    private static unsafe FileId? ReadBackingId(LinuxBlockDevice loop)
    {
        var node = "/dev/" + loop.Name;
        if (FileId.Identify(node)?.Device != loop.DeviceNumber)
            return null;
        using var handle = LinuxFiles.TryOpen(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC, out _);
        LoopInfo64 status;
        if (handle is null || Control(handle, LOOP_GET_STATUS64, &status) != 0)
            return null;
        return status.Special != 0
            ? new FileId(FileId.FormatPackedNumber(status.Special), FileId.FormatPackedNumber(status.Device), status.Inode)
            : new FileId(null, FileId.FormatPackedNumber(status.Device), status.Inode);
    }

    [StructLayout(LayoutKind.Explicit, Size = 232)]
    private struct LoopInfo64
    {
        [FieldOffset(0)]
        public ulong Device;

        [FieldOffset(8)]
        public ulong Inode;

        [FieldOffset(16)]
        public ulong Special;
    }
}

/// <summary>Identity of a file or device, independent of its names. Device is null for a file.</summary>
internal readonly record struct FileId(string? Device, string FileSystem, ulong Inode)
{
    public bool IsSame(FileId other) =>
        Device is null && other.Device is null ? FileSystem == other.FileSystem && Inode == other.Inode : Device == other.Device;

    public bool IsSameFile(FileStatus status) =>
        Device is null
        && status.Kind == FileKind.Regular
        && FileSystem == FormatDeviceNumber(status)
        && status.Identity.StartsWith(string.Create(CultureInfo.InvariantCulture, $"inode {Inode} "), StringComparison.Ordinal);

    /// <summary>Follows links; returns null if the path is not accessible.</summary>
    public static unsafe FileId? Identify(string path)
    {
        Statx status;
        return GetStatx(AT_FDCWD, path, 0, Statx.BasicStats, &status) == 0 ? Identify(status) : null;
    }

    public static FileId Identify(in Statx status) =>
        new(status.FileType == Statx.BlockDevice ? status.SpecialDeviceNumber : null, status.DeviceNumber, status.Inode);

    public static string FormatDeviceNumber(FileStatus status) =>
        string.Create(CultureInfo.InvariantCulture, $"{status.Device >> 32}:{(uint)status.Device}");

    /// <summary>Formats a device number that the kernel packed as it does for loop devices.</summary>
    public static string FormatPackedNumber(ulong packed) =>
        string.Create(CultureInfo.InvariantCulture, $"{(packed & 0xFFF00) >> 8}:{packed & 0xFF | packed >> 12 & 0xFFF00}");
}
