namespace IoBench.Engine;

internal enum FileKind
{
    Regular,
    Directory,
    Link,
    BlockDevice,

    /// <summary>FIFO, socket, or character device, which a storage test cannot use.</summary>
    Other,
}

/// <summary>Status of a file as the operating system reports it.</summary>
/// <param name="Kind">Kind of file.</param>
/// <param name="Identity">Inode and creation time, or volume serial number and FILE_ID. Unique in the file system, even among copies, and
/// stable over restarts.</param>
/// <param name="Device">
/// Number of the file system's device; for a block device, its own number. Distinguishes files of two file systems, but can change after a
/// restart, so
/// it is never stored. 0 on Windows, where the identity contains the volume.
/// </param>
/// <param name="Size">Bytes; 0 for a device.</param>
/// <param name="Modified">Time of the last write in the finest unit of the operating system (Linux: ns since 1970; Windows: 100 ns since
/// 1601).</param>
/// <param name="Changed">
/// Time of the last change of content, size, names, or attributes, in the unit of <paramref name="Modified"/>. Programs cannot set it. 0 if
/// the system has
/// no such time (on Windows, programs can set it).
/// </param>
/// <param name="LinkCount">Number of names (hard links) of the file.</param>
/// <param name="AllocatedBytes">Allocated bytes of storage.</param>
internal readonly record struct FileStatus(
    FileKind Kind,
    string Identity,
    ulong Device,
    long Size,
    long Modified,
    long Changed,
    long LinkCount,
    long AllocatedBytes
)
{
    /// <summary>
    /// Filter driver that manages the content of the file (Data Deduplication, cloud synchronization); null for nearly all files.
    /// </summary>
    public string? FilterDriver { get; init; }

    // A block device that has a number is identified by the number alone.
    public bool IsSame(FileStatus other) =>
        Kind == other.Kind && Device == other.Device && (Kind == FileKind.BlockDevice && Device != 0 || Identity == other.Identity);
}

/// <summary>Result of reserving space for a file.</summary>
/// <param name="IsReserved">Whether the space is allocated, so that the volume's free space no longer includes it.</param>
/// <param name="SlowFillReason">Why filling the file takes longer than the disk needs; null if it does not.</param>
internal readonly record struct SpaceReservation(bool IsReserved, string? SlowFillReason = null);

/// <summary>Space on a volume, in bytes.</summary>
/// <param name="Total">Size of the volume.</param>
/// <param name="Available">Bytes that the caller can still use.</param>
internal readonly record struct VolumeSpace(long Total, long Available);

internal enum NativeMarkerResult
{
    Done,

    /// <summary>The file system has neither extended attributes nor streams, so a sidecar file is needed.</summary>
    Unsupported,
}
