namespace IoBench.Engine.Targets.Platform;

/// <summary>What stands at a path.</summary>
internal enum FileKind
{
    Regular,
    Directory,
    Link,
    BlockDevice,

    /// <summary>FIFO, socket, character device: nothing that a storage test can use.</summary>
    Other,
}

/// <summary>What the operating system says of a file.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Identity">Inode and birth time, or volume serial and FILE_ID: no other file of the file system has it, not even a copy. Holds over a restart.</param>
/// <param name="Device">
/// Number of the file system's device; of a block device its own number. Tells files of two file systems apart, but may be another after a restart, so
/// that it is never kept. 0 on Windows, where the identity names the volume.
/// </param>
/// <param name="Size">Bytes; 0 for a device.</param>
/// <param name="Modified">Time of the last write in the finest unit the system gives (Linux: ns since 1970; Windows: 100 ns since 1601).</param>
/// <param name="Changed">
/// Time of the last change of content, size, names or attributes, in the unit of <paramref name="Modified"/>; no call sets it back. 0 where the system has
/// no such time (Windows lets programs set its own).
/// </param>
/// <param name="LinkCount">Names (hard links) of the file.</param>
/// <param name="AllocatedBytes">Bytes of storage it takes.</param>
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
    /// <summary>What stands between a file and its content (Data Deduplication, a cloud's synchronisation); null for nearly all files.</summary>
    public string? Filter { get; init; }

    /// <summary>True when both are the very same file, or the same device.</summary>
    // A device that has a number is told by it alone.
    public bool IsSame(FileStatus other) =>
        Kind == other.Kind && Device == other.Device && (Kind == FileKind.BlockDevice && Device != 0 || Identity == other.Identity);
}

/// <summary>What came of taking room for a file.</summary>
/// <param name="IsTaken">The room is the file's: the volume's free space has it off.</param>
/// <param name="Slow">Why filling it takes longer than the disk does, to stand behind the file's name; null when it does not.</param>
internal readonly record struct Reservation(bool IsTaken, string? Slow = null);

/// <summary>Room on a volume, in bytes.</summary>
/// <param name="Total">Size of the volume.</param>
/// <param name="Available">What the caller may still use.</param>
internal readonly record struct VolumeSpace(long Total, long Available);

/// <summary>Whether a name can be marked.</summary>
internal enum NativeMarkResult
{
    Done,

    /// <summary>The file system has no extended attributes or streams: a sidecar file is needed.</summary>
    Unsupported,
}
