namespace IoBench.Engine;

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

/// <summary>A target that may be used, and what has to be done to it first.</summary>
internal sealed class CheckedTarget
{
    /// <summary>Full path; its last part is no link.</summary>
    public required string Path { get; init; }
    /// <summary>What it is.</summary>
    public required TargetKind Kind { get; init; }
    /// <summary>Size in bytes that the test may use.</summary>
    public required long Size { get; init; }
    /// <summary>What is there now; null when nothing is.</summary>
    public FileStatus? Status { get; init; }
    /// <summary>The mark of an own file.</summary>
    public FileMark? Mark { get; init; }
    /// <summary>What is known of the storage.</summary>
    public required VolumeFacts Volume { get; init; }
    /// <summary>The run writes.</summary>
    public required bool WritesInTest { get; init; }
    /// <summary>The run's writes cannot be recognised by their stamps.</summary>
    public required bool WritesAreOpaque { get; init; }
    /// <summary>Others made the file, and parts of it were never written.</summary>
    public bool HasHoles { get; init; }
    /// <summary>What people should know.</summary>
    public required List<string> Warnings { get; init; }

    /// <summary>A SQL Server file on the same volume; null when none is seen.</summary>
    public string? SqlServerNeighbour { get; init; }

    /// <summary>Bytes from the start that hold content already.</summary>
    public long Filled => Kind is TargetKind.Foreign or TargetKind.Device ? Size : Mark?.Filled ?? 0;

    /// <summary>Something has to be written before the test.</summary>
    public bool NeedsFill => Filled < Size;

    /// <summary>The outside view.</summary>
    /// <param name="createdNow">The file was made, or made anew, just now.</param>
    /// <param name="mark">The mark as it is now.</param>
    public PreparedTarget ToPrepared(bool createdNow, FileMark? mark) => new()
    {
        Path = Path,
        Size = Size,
        LogicalSectorSize = Volume.LogicalSectorSize,
        PhysicalSectorSize = Volume.PhysicalSectorSize,
        IsDevice = Kind == TargetKind.Device,
        CreatedNow = createdNow,
        // A file or device that is not ours has no seed of its own: any will do, as long as it is not everybody's.
        ContentSeed = mark?.Seed ?? BitConverter.ToUInt64(System.Security.Cryptography.RandomNumberGenerator.GetBytes(sizeof(ulong))),
        FileSystem = Volume.FileSystem,
        Device = Volume.Device,
        Warnings = Warnings,
        Facts = Volume.Facts,
        SqlServerNeighbour = SqlServerNeighbour,
        WritesAreOpaque = WritesAreOpaque,
        IsForeign = Kind == TargetKind.Foreign,
    };
}
