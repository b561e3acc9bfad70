namespace IoBench.Engine;

/// <summary>Kind of a level of the storage under a file.</summary>
public enum StorageLevelKind
{
    /// <summary>File system of this computer, with the block layer's work before the first device counts an I/O.</summary>
    FileSystem,

    /// <summary>File system whose I/Os leave the kernel or the computer: FUSE, NFS, SMB.</summary>
    RemoteFileSystem,

    /// <summary>Block device, or the devices that another device is built on.</summary>
    Device,
}

/// <summary>A level of the storage under a file. Texts contain no serial numbers.</summary>
/// <param name="Name">Kernel's name of the devices, such as <c>dm-0</c> or <c>sda, sdb</c>; name of a file system.</param>
/// <param name="Description">What the level is, such as <c>LUKS encryption</c>, <c>NVMe disk</c>, or <c>FUSE server</c>.</param>
public sealed partial record StorageLevel(StorageLevelKind Kind, string Name, string Description)
{
    /// <summary>Model and driver of the devices; null if the system does not report them.</summary>
    public string? Details { get; init; }

    /// <summary>Whether the kernel measures each I/O only in whole ticks of its timer, as it does for devices without request
    /// queues.</summary>
    public bool IsCoarse { get; init; }

    /// <summary>Whether threads of this computer do the work of the level, so that it is slow if they wait for a CPU.</summary>
    public bool NeedsCpu { get; init; }

    /// <summary>Whether the level has counters that the system updates.</summary>
    public bool IsCounted { get; init; }

    public override string ToString() => Kind == StorageLevelKind.Device ? $"{Name} ({Description})" : Description;
}

/// <summary>I/Os of a level in the measured time, of all programs.</summary>
public sealed record StorageLevelLoad
{
    public long ReadCount { get; init; }

    public long WriteCount { get; init; }

    public long ReadBytes { get; init; }

    public long WriteBytes { get; init; }

    /// <summary>Sum of the latencies of all reads at and below the level, in milliseconds.</summary>
    public double ReadMs { get; init; }

    /// <summary>Sum of the latencies of all writes at and below the level, in milliseconds.</summary>
    public double WriteMs { get; init; }

    /// <summary>I/Os of the whole disks of the level; the other values can be those of partitions.</summary>
    public long DiskReadCount { get; init; }

    /// <inheritdoc cref="DiskReadCount"/>
    public long DiskWriteCount { get; init; }
}

/// <summary>Limit that a control group sets for a device.</summary>
/// <param name="Level">Index of the device in <see cref="StorageLevels.Levels"/>.</param>
/// <param name="IsIops">Whether the value is in I/Os per second; otherwise, bytes per second.</param>
/// <param name="Setting">Name of the kernel's setting, such as <c>io.max riops</c>.</param>
public sealed record StorageLimit(int Level, bool IsWrite, bool IsIops, double Value, string Setting);

/// <summary>What the system counted during the measured time of a test.</summary>
public sealed record StorageSample
{
    /// <summary>Time between the two readings in seconds.</summary>
    public required double Seconds { get; init; }

    /// <summary>In the order of <see cref="StorageLevels.Levels"/>; null for a level without counters.</summary>
    public required IReadOnlyList<StorageLevelLoad?> Loads { get; init; }

    /// <summary>CPU time that the hypervisor gave to other virtual machines, in percent.</summary>
    public double StolenPercent { get; init; }

    /// <summary>Time in which all tasks of the computer waited for memory, in percent; null if the kernel does not report it.</summary>
    public double? MemoryStallPercent { get; init; }

    /// <summary>Lowest CPU frequency in percent of the highest that the CPU supports, at the end; null if unknown.</summary>
    public double? FrequencyPercent { get; init; }
}
