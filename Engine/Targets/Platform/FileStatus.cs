namespace IoBench.Engine;

public enum FileKind
{
    Regular,
    Directory,
    Link,
    BlockDevice,

    /// <summary>FIFO, socket, or character device, which a storage test cannot use.</summary>
    Other,
}

/// <summary>Status of a file as the operating system reports it.</summary>
/// <param name="Identity">Inode and creation time, or volume serial number and FILE_ID. Unique in the file system and stable.</param>
/// <param name="Device">Number of the file system's or block device; 0 on Windows. Never stored: it can change at a restart.</param>
/// <param name="Modified">In the finest unit of the system (Linux: ns since 1970; Windows: 100 ns since 1601).</param>
/// <param name="Changed">Change of content, size, names, or attributes. Programs cannot set it. 0 on Windows, where they can.</param>
public readonly record struct FileStatus(
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
    /// <summary>Whether no account has permission to write to the file, or it has the read-only attribute.</summary>
    public bool IsWriteProtected { get; init; }

    /// <summary>User id of the owner; null on Windows.</summary>
    public uint? OwnerId { get; init; }

    /// <summary>User id with whose permissions this process opens files; null on Windows.</summary>
    public static uint? CurrentUserId => OperatingSystem.IsWindows() ? null : LinuxCalls.GetEffectiveUserId();

    /// <summary>Driver that manages the content (Data Deduplication, cloud synchronization); null for nearly all files.</summary>
    public string? FilterDriver { get; init; }

    /// <summary>
    /// Whether the file system keeps whole seconds, or 10 ms on Linux (ext with 128-byte inodes, FAT, HFS+). Unchanged times then do not
    /// show
    /// that nothing was written in the same second. Exact times match by chance once in 10^7 files.
    /// </summary>
    public bool HasCoarseTimes => Modified % 10_000_000 == 0 && Changed % 10_000_000 == 0;

    // A block device that has a number is identified by the number alone.
    public bool IsSame(FileStatus other) =>
        Kind == other.Kind && Device == other.Device && (Kind == FileKind.BlockDevice && Device != 0 || Identity == other.Identity);
}
