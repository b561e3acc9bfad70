namespace IoBench.Engine;

public sealed partial class CheckedTarget
{
    // A file of twice the memory is mostly not in the file cache. Four times the storage's cache is the advice of the SQLIO documentation.
    private const int MemoryFactor = 2;
    private const int StorageCacheFactor = 4;

    /// <summary>Prefixes of workloads and roles that are buffered by design, so that no warning is needed.</summary>
    private static readonly string[] s_bufferedByDesign = ["tempdb", "backup", "own-tempdb", "buffer-pool", "cdm-"];

    /// <summary>Warnings about the storage. The text is the same for every test on a target, so that it is shown once.</summary>
    internal IEnumerable<IoWarning> CreateWarnings(IoTestSpecification spec, IoPattern pattern, string? role)
    {
        var path = Path;
        var volume = Volume;
        if (volume.IsInMemory)
            yield return new IoWarning(
                WarningCodes.InMemory,
                $"{path} is in memory ({volume.FileSystem}). The results do not measure storage."
            );
        else if (CreateCacheWarning(spec, pattern) is { } cache)
            yield return cache;
        if (volume.IsNetwork)
            yield return new IoWarning(
                WarningCodes.Network,
                $"{path} is on another computer ({volume.FileSystem}). The results include the network and the cache of that computer."
            );
        if (volume.IsRedirected)
            yield return new IoWarning(
                WarningCodes.Redirected,
                $"{path} is on a cluster shared volume in redirected mode, so its I/O passes over the network to the owner node. The results "
                    + $"do not measure direct I/O. See Get-ClusterSharedVolumeState."
            );
        if (volume.IsThinProvisioned && (NeedsFill || pattern.WritePercent > 0))
            yield return new IoWarning(
                WarningCodes.ThinProvisioned,
                $"{path} is on thin-provisioned storage, which can have less free space than the "
                    + $"{IoSize.Format(volume.Space?.Available ?? 0)} that the volume reports. The first write to a new location is slower. Check the "
                    + $"free space of the storage system."
            );
        if (volume.IsOverlay)
            yield return new IoWarning(
                WarningCodes.Overlay,
                $"{path} is on the layered file system of a container ({volume.FileSystem}). Use a file on the volume that SQL Server uses."
            );
        if (volume.IsCopyOnWrite && pattern.WritePercent > 0)
            yield return new IoWarning(
                WarningCodes.CopyOnWrite,
                $"{path}: {volume.FileSystem} writes each block to a new location, so the file becomes fragmented and the results change "
                    + $"with the age of the file. Compare only results from files of the same age."
            );
        if (volume.IsCompressed || volume.Facts.ContainsKey("Compression"))
            yield return new IoWarning(
                WarningCodes.Compressed,
                OperatingSystem.IsWindows()
                    ? (IoMessage)(
                        $"{path} is in a compressed folder. In such a folder, Windows completes I/Os one after another, and SQL Server refuses "
                        + $"writable databases. Test in a folder without compression."
                    )
                    : (IoMessage)
                        $"{path} is on a compressed file system. Compression costs CPU time, and it affects SQL Server files differently than the test file. Test in a folder without compression."
            );
        if (volume.IsEncrypted)
            yield return new IoWarning(
                WarningCodes.Encrypted,
                $"The file system encrypts {path}, so the results include the CPU time for encryption."
            );
        if (Status?.FilterDriver is { } filter)
            yield return new IoWarning(
                WarningCodes.Filtered,
                $"{filter} manages {path}, so the results include the overhead of this filter. Remove the file, and use a folder that the filter does not "
                    + $"manage."
            );
        if (HasUnallocatedRanges)
            yield return new IoWarning(
                WarningCodes.Holes,
                $"{path} has parts that were never written (unallocated, or beyond the valid data length). Reads of these parts do not "
                    + $"reach the device, so reads are not rated. Let IoBench create a test file, or copy this file."
            );
        if (CreateDurabilityWarning(spec, pattern, role) is { } durability)
            yield return durability;
        // DiskSpd's -Z1M asks for a repeating buffer of random bytes; IoBench does not repeat them.
        if (pattern is { WritePercent: > 0, WriteContentSize: { } bytes, WriteContent: not IoWriteContentKind.File })
            yield return new IoWarning(
                WarningCodes.ContentSizeUnused,
                $"The size of the write content ({IoSize.Format(bytes)}) has no effect with "
                    + $"{OptionNames.WriteContent.WithValue(pattern.WriteContent)}. A size applies only if the test writes the contents of a file."
            );
        if (SqlServerNeighbor is { } neighbor)
            yield return new IoWarning(
                WarningCodes.SqlServerNearby,
                $"SQL Server files are on the same volume (for example {neighbor}). The test slows down SQL Server, and the I/O of SQL Server affects "
                    + $"the results. Test when SQL Server is idle."
            );
    }

    private IoWarning? CreateCacheWarning(IoTestSpecification spec, IoPattern pattern)
    {
        var size = Size;
        if (pattern.Buffering is IoBuffering.Software or IoBuffering.Both)
            return size >= MemoryFactor * HostFacts.MemoryBytes
                ? null
                : new IoWarning(
                    WarningCodes.FileCache,
                    $"The {IoSize.Format(size)} test file {Path} might fit into the file cache, because this computer has "
                        + $"{IoSize.Format(HostFacts.MemoryBytes)} of memory and the test uses {OptionNames.Buffering.WithValue(pattern.Buffering)}. "
                        + $"Use a file of {IoSize.Format(MemoryFactor * HostFacts.MemoryBytes)} or more."
                );
        if (spec.StorageCacheSize is { } stated)
            return size >= StorageCacheFactor * stated
                ? null
                : new IoWarning(
                    WarningCodes.StorageCache,
                    $"The {IoSize.Format(size)} test file {Path} might fit into the storage cache of {IoSize.Format(stated)}. Use a "
                        + $"file of {IoSize.Format(StorageCacheFactor * stated)} or more."
                );
        return new IoWarning(
            WarningCodes.StorageCache,
            $"The {IoSize.Format(size)} test file might fit into a cache of the array, the SSD, or the cloud host. Use a larger file, or set "
                + $"{OptionNames.StorageCacheSize}."
        );
    }

    private IoWarning? CreateDurabilityWarning(IoTestSpecification spec, IoPattern pattern, string? role)
    {
        if (pattern.WritePercent == 0 || Volume.IsInMemory)
            return null;
        if (Volume.IsPowerProtectionDeclared)
            return new IoWarning(
                WarningCodes.PowerProtectionDeclared,
                $"Windows does not flush the write cache of the disk of {Path} (Device Manager, Policies), so neither flushes nor "
                    + $"FUA reach the disk. Turn on write-cache buffer flushing, unless the cache has power-loss protection."
            );
        if (pattern.Buffering is IoBuffering.None or IoBuffering.Software)
            return Volume is { SupportsForcedUnitAccess: false, HasVolatileWriteCache: true }
                ? new IoWarning(
                    WarningCodes.NoForcedUnitAccess,
                    $"The device of {Path} has a volatile write cache and no FUA, so every write-through write also flushes that cache. "
                        + $"Writes of SQL Server also cause these flushes."
                )
                : null;
        // Flushing after every n writes is SQL Server's default on Linux.
        return pattern.FlushEvery > 0 || new[] { spec.Workload, role }.Any(IsBufferedByDesign)
            ? null
            : new IoWarning(
                WarningCodes.NotDurable,
                $"Writes with {OptionNames.Buffering.WithValue(pattern.Buffering)} can stay in a cache, but SQL Server uses write-through for "
                    + $"data and log files. Use {OptionNames.Buffering.WithValue(IoBuffering.None)} to write the way SQL Server does."
            );
    }

    private static bool IsBufferedByDesign(string? name) =>
        name is not null && Array.Exists(s_bufferedByDesign, begin => name.StartsWith(begin, StringComparison.OrdinalIgnoreCase));
}
