namespace IoBench.Analysis;

/// <summary>What the operating system reports about the storage of a commit test.</summary>
public sealed record CommitStorage
{
    public required bool IsWindows { get; init; }

    /// <summary>Name as the operating system reports it; null if it does not.</summary>
    public string? FileSystem { get; init; }

    /// <summary>Null on Windows.</summary>
    public Version? Kernel { get; init; }

    public string? Device { get; init; }

    /// <summary>Null if the operating system does not report it, as for each of these properties.</summary>
    public bool? SupportsFua { get; init; }

    public bool? HasVolatileCache { get; init; }

    /// <summary>Whether Windows was told that the cache is protected, so that it sends no flushes.</summary>
    public bool IsPowerProtectionDeclared { get; init; }

    /// <summary>In bytes.</summary>
    public int LogicalSectorSize { get; init; } = 512;

    /// <summary>In bytes.</summary>
    public int PhysicalSectorSize { get; init; } = 512;

    public bool IsInMemory { get; init; }

    public bool IsNetwork { get; init; }

    /// <summary>Why FUA writes were not counted, as a clause; null if they were.</summary>
    public string? FuaNotCountedReason { get; init; }
}
