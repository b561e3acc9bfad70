namespace IoBench.Engine;

/// <summary>A target that was checked and, where needed, made: safe to open for the run it was prepared for.</summary>
public sealed class PreparedTarget
{
    /// <summary>Full path of the file or device (a folder became <c>iobench.dat</c> in it).</summary>
    public required string Path { get; init; }
    /// <summary>Size in bytes.</summary>
    public required long Size { get; init; }
    /// <summary>Least unit of unbuffered I/O in bytes.</summary>
    public int LogicalSectorSize { get; init; } = 512;
    /// <summary>Unit the device writes without read-modify-write, in bytes.</summary>
    public int PhysicalSectorSize { get; init; } = 512;
    /// <summary>A raw device rather than a file.</summary>
    public bool IsDevice { get; init; }
    /// <summary>Made (or made anew) by this preparation.</summary>
    public bool CreatedNow { get; init; }
    /// <summary>
    /// Seed of the file's content, random for each file. A run stamps its writes (<see cref="BlockStamp"/>) with it and hands it to
    /// <c>TestFiles.BeginWriting</c>: so that files of one test do not deduplicate among themselves, whatever the seed of its offsets.
    /// </summary>
    public ulong ContentSeed { get; init; }
    /// <summary>File system's name.</summary>
    public string? FileSystem { get; init; }
    /// <summary>Device and model.</summary>
    public string? Device { get; init; }
    /// <summary>Size, sparse, tmpfs, network, SQL Server nearby …; in plain words.</summary>
    public List<string> Warnings { get; init; } = [];
    /// <summary>What is known of the storage: mount options, scheduler, write cache, fua, model, sector sizes. Name and value.</summary>
    public Dictionary<string, string> Facts { get; init; } = [];

    /// <summary>A SQL Server file on the same volume, whose server a test slows down; null when none is seen.</summary>
    public string? SqlServerNeighbour { get; init; }

    /// <summary>The run's writes carry no stamps (zeros, a pattern, a file's bytes).</summary>
    internal bool WritesAreOpaque { get; init; }

    /// <summary>Others made the file; the user handed it over.</summary>
    internal bool IsForeign { get; init; }
}
