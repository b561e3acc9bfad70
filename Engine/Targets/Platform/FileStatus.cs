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
/// <param name="Identity">Inode and creation time, or volume serial number and FILE_ID. Unique in the file system and stable.</param>
/// <param name="Device">Number of the file system's or block device; 0 on Windows. Never stored: it can change at a restart.</param>
/// <param name="Modified">In the finest unit of the system (Linux: ns since 1970; Windows: 100 ns since 1601).</param>
/// <param name="Changed">Change of content, size, names, or attributes. Programs cannot set it. 0 on Windows, where they can.</param>
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
    /// <summary>Driver that manages the content (Data Deduplication, cloud synchronization); null for nearly all files.</summary>
    public string? FilterDriver { get; init; }

    // A block device that has a number is identified by the number alone.
    public bool IsSame(FileStatus other) =>
        Kind == other.Kind && Device == other.Device && (Kind == FileKind.BlockDevice && Device != 0 || Identity == other.Identity);
}

/// <summary>Space on a volume, in bytes. <paramref name="Available"/> is what the caller can still use.</summary>
internal readonly record struct VolumeSpace(long Total, long Available);

internal enum MarkerWriteResult
{
    Done,

    /// <summary>The file system has neither extended attributes nor streams, so a sidecar file is needed.</summary>
    Unsupported,
}
