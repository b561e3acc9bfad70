namespace IoBench.Engine;

internal enum TargetKind
{
    New,

    Own,

    /// <summary>A file that IoBench did not create, or that was changed outside IoBench.</summary>
    Foreign,

    Device,
}

/// <summary>A target that passed the check: its kind, its usable size, and what must be done to it before the test.</summary>
public sealed partial class CheckedTarget
{
    private readonly ulong _seed = BitConverter.ToUInt64(CryptoLibrary.GetRandomBytes(sizeof(ulong)));

    /// <summary>Full path of the file or device after following links (for a folder, <c>iobench.dat</c> in it).</summary>
    public required string Path { get; init; }

    /// <summary>Bytes that the test can use.</summary>
    public required long Size { get; init; }

    /// <summary>Whether the target is a raw or modeled device rather than a file.</summary>
    public bool IsDevice => Kind == TargetKind.Device;

    /// <summary>Smallest unit of unbuffered I/O in bytes.</summary>
    public int LogicalSectorSize => Volume.LogicalSectorSize;

    /// <summary>Name of the file system; null if the operating system does not report it.</summary>
    public string? FileSystem => Volume.FileSystem;

    /// <summary>Device and model; null if the operating system does not report them.</summary>
    public string? Device => Volume.Device;

    /// <summary>Properties of the storage by name: mount options, scheduler, write cache, FUA, model, sector sizes.</summary>
    public IReadOnlyDictionary<string, string> Facts => Volume.Facts;

    public List<IoWarning> Warnings { get; init; } = [];

    /// <summary>A SQL Server file on the same volume, whose server the test slows down; null if none was found.</summary>
    public string? SqlServerNeighbor { get; init; }

    /// <summary>Creates a target of a modeled device, which has no file.</summary>
    public static CheckedTarget CreateModeled(IoTestSpecification test, IoTargetSpecification target)
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

    internal FileStatus? Status { get; init; }

    /// <summary>Marker of a file that IoBench created, updated after the file was created or filled; null for any other target.</summary>
    internal OwnershipMarker? Marker { get; set; }

    /// <summary>What the ownership marker and the times of an existing file showed; null for a new file or a device.</summary>
    internal Ownership? Ownership { get; init; }

    internal VolumeFacts Volume { get; init; } = new();

    /// <summary>Null for a modeled device.</summary>
    internal TargetCheck.TargetRequest? Request { get; init; }

    internal bool HasUnallocatedRanges { get; init; }

    /// <summary>For a device that will be written: what <see cref="RawDevice.OpenForWriting"/> verifies again; null otherwise.</summary>
    internal RawDevice? DeviceToWrite { get; set; }

    /// <summary>Random per file, so that the files of one test do not deduplicate with each other.</summary>
    internal ulong ContentSeed
    {
        get => Marker?.Seed ?? _seed;
        init => _seed = value;
    }

    internal long FilledBytes => Kind is TargetKind.Foreign or TargetKind.Device ? Size : Marker?.FilledBytes ?? 0;

    internal bool NeedsFill => FilledBytes < Size;

    internal static CheckedTarget Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options) =>
        BackendCatalog.IsModeled(specification.Backend)
            ? CreateModeled(specification, target)
            : TestFiles.Check(specification, target, options);
}
