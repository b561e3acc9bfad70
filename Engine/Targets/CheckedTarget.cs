namespace IoBench.Engine.Targets;

/// <summary>What kind of thing a checked target is.</summary>
internal enum TargetKind
{
    /// <summary>Nothing is there yet.</summary>
    New,

    /// <summary>A file that IoBench made.</summary>
    Own,

    /// <summary>A file that others made.</summary>
    Foreign,

    /// <summary>A raw device.</summary>
    Device,
}

/// <summary>A target that may be used: what it is, how large it is for the test, and what has to be done to it first.</summary>
public sealed class CheckedTarget
{
    private readonly ulong _seed = BitConverter.ToUInt64(CryptoLibrary.RandomBytes(sizeof(ulong)));

    /// <summary>Full path of the file or device, its last part no link (a folder became <c>iobench.dat</c> in it).</summary>
    public required string Path { get; init; }

    /// <summary>Bytes that the test may use.</summary>
    public required long Size { get; init; }

    /// <summary>A raw device, or one that is imagined, rather than a file.</summary>
    public bool IsDevice => Kind == TargetKind.Device;

    /// <summary>Smallest unit of unbuffered I/O in bytes.</summary>
    public int LogicalSectorSize => Volume.LogicalSectorSize;

    /// <summary>File system's name; null when the system does not say.</summary>
    public string? FileSystem => Volume.FileSystem;

    /// <summary>Device and model; null when the system does not say.</summary>
    public string? Device => Volume.Device;

    /// <summary>What is known of the storage: mount options, scheduler, write cache, fua, model, sector sizes. Name and value.</summary>
    public IReadOnlyDictionary<string, string> Facts => Volume.Facts;

    /// <summary>What people should know: the size, holes, memory, a network, SQL Server nearby.</summary>
    public List<IoWarning> Warnings { get; init; } = [];

    /// <summary>A SQL Server file on the same volume, whose server a test slows down; null when none is seen.</summary>
    public string? SqlServerNeighbour { get; init; }

    /// <summary>A target of a modelled device: there is no file to look at, to make or to keep.</summary>
    public static CheckedTarget Imagined(IoTestSpecification test, IoTargetSpecification target)
    {
        const long defaultSize = 1L << 30;
        ArgumentNullException.ThrowIfNull(test);
        ArgumentNullException.ThrowIfNull(target);
        return new CheckedTarget
        {
            Path = target.Path,
            Size = target.FileSize ?? test.FileSize ?? defaultSize,
            Kind = TargetKind.Device,
        };
    }

    internal TargetKind Kind { get; init; }

    /// <summary>What is there now; null when nothing is.</summary>
    internal FileStatus? Status { get; init; }

    /// <summary>The mark of an own file; after it was made or filled, the mark it has now.</summary>
    internal FileMark? Mark { get; set; }

    /// <summary>What is known of the storage.</summary>
    internal VolumeFacts Volume { get; init; } = new();

    /// <summary>What was checked; null for a target that is not a file's or a device's.</summary>
    internal TargetCheck.Request? Request { get; init; }

    /// <summary>Others made the file, and parts of it were never written.</summary>
    internal bool HasHoles { get; init; }

    /// <summary>Of a device that will be written: what was checked, for <see cref="DeviceCheck.Claim"/>.</summary>
    internal DeviceProof? Proof { get; set; }

    /// <summary>
    /// Seed of the file's content, random for each file: a run stamps its writes (<see cref="BlockStamp"/>) with it, so that files of one test do not
    /// deduplicate among themselves. What is not ours has none of its own: any will do, as long as it is not everybody's.
    /// </summary>
    internal ulong ContentSeed
    {
        get => Mark?.Seed ?? _seed;
        init => _seed = value;
    }

    /// <summary>Bytes from the start that hold content already.</summary>
    internal long Filled => Kind is TargetKind.Foreign or TargetKind.Device ? Size : Mark?.Filled ?? 0;

    /// <summary>Something has to be written before the test.</summary>
    internal bool NeedsFill => Filled < Size;
}
