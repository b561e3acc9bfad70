namespace IoBench.Engine;

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
/// <param name="Identity">Inode and birth time, or volume serial and FILE_ID: no other file has it, not even a copy.</param>
/// <param name="Size">Bytes; 0 for a device.</param>
/// <param name="Modified">Time of the last write in the finest unit the system gives (Linux: ns since 1970; Windows: 100 ns since 1601).</param>
/// <param name="LinkCount">Names (hard links) of the file.</param>
/// <param name="AllocatedBytes">Bytes of storage it takes.</param>
internal readonly record struct FileStatus(FileKind Kind, string Identity, long Size, long Modified, long LinkCount, long AllocatedBytes);

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
