namespace IoBench.Engine;

/// <summary>Warnings about the storage. The text is the same for every test on a target, so that it is shown once.</summary>
internal static class TargetWarnings
{
    // A file of twice the memory is mostly not in the file cache. Four times the storage's cache is the advice of the SQLIO documentation.
    private const int MemoryFactor = 2;
    private const int StorageCacheFactor = 4;

    /// <summary>Prefixes of workloads and roles that are buffered by design, so that no warning is needed.</summary>
    private static readonly string[] s_bufferedByDesign = ["tempdb", "backup", "own-tempdb", "buffer-pool", "cdm-"];

    public static IEnumerable<IoWarning> CreateWarnings(IoTestSpecification spec, IoPattern pattern, string? role, CheckedTarget target)
    {
        var path = target.Path;
        var volume = target.Volume;
        if (volume.IsInMemory)
            yield return new IoWarning(
                WarningCodes.InMemory,
                $"{path} lies in memory ({volume.FileSystem}): the figures say nothing about storage."
            );
        else if (CreateCacheWarning(spec, pattern, target) is { } cache)
            yield return cache;
        if (volume.IsNetwork)
            yield return new IoWarning(
                WarningCodes.Network,
                $"{path} lies on another machine ({volume.FileSystem}): the figures include the network and that machine's cache."
            );
        if (volume.IsRedirected)
            yield return new IoWarning(
                WarningCodes.Redirected,
                $"{path}: the cluster's shared volume is redirected, so that I/O goes by the network to the node that owns it: the "
                    + $"figures are not those of direct I/O. See Get-ClusterSharedVolumeState."
            );
        if (volume.IsThinProvisioned && (target.NeedsFill || pattern.WritePercent > 0))
            yield return new IoWarning(
                WarningCodes.ThinProvisioned,
                $"{path} lies on storage that gives room only as it is written: look there for what is really free, since the volume's "
                    + $"{FormatSize(volume.Space?.Available ?? 0)} may not be. First writes to new places are slower."
            );
        if (volume.IsOverlay)
            yield return new IoWarning(
                WarningCodes.Overlay,
                $"{path} lies on a container's layered file system ({volume.FileSystem}): name a file on the volume that SQL Server uses."
            );
        if (volume.IsCopyOnWrite && pattern.WritePercent > 0)
            yield return new IoWarning(
                WarningCodes.CopyOnWrite,
                $"{path}: {volume.FileSystem} writes every block to a new place: the file scatters as it is written, and figures change "
                    + $"with its age."
            );
        if (volume.IsCompressed || volume.Facts.ContainsKey("Compression"))
            yield return new IoWarning(
                WarningCodes.Compressed,
                OperatingSystem.IsWindows()
                    ? (IoMessage)(
                        $"{path} lies where files are compressed: I/Os are done one by one there, and SQL Server refuses databases that "
                        + $"can be written."
                    )
                    : (IoMessage)
                        $"{path} lies where files are compressed: that costs processor time, and SQL Server's files would behave otherwise."
            );
        if (volume.IsEncrypted)
            yield return new IoWarning(WarningCodes.Encrypted, $"{path} is encrypted by the file system: that costs processor time.");
        if (target.Status?.FilterDriver is { } filter)
            yield return new IoWarning(
                WarningCodes.Filtered,
                $"{path} is in the care of {filter}: the test measures what that makes of the file, and not the disk alone. Remove the "
                    + $"file and let IoBench make it anew."
            );
        if (target.HasUnallocatedRanges)
            yield return new IoWarning(
                WarningCodes.Holes,
                $"{path} has parts that were never written (unallocated, or beyond the valid data length). Reads of them do not reach the "
                    + $"device, so throughput and latency of reads are not rated. Let IoBench create a test file, or copy this one."
            );
        if (CreateDurabilityWarning(spec, pattern, role, target) is { } durability)
            yield return durability;
        // DiskSpd's -Z1M asks for a repeating buffer of random bytes; IoBench does not repeat them.
        if (pattern is { WritePercent: > 0, WriteContentSize: { } bytes, Content: not IoContent.FileBytes })
            yield return new IoWarning(
                WarningCodes.ContentSizeUnused,
                $"The size of the write content ({FormatSize(bytes)}) has no effect: only the bytes of a file are so many, and "
                    + $"{OptionNames.WriteContent.WithValue(pattern.WriteContent)} is what is written."
            );
        if (target.SqlServerNeighbour is { } neighbour)
            yield return new IoWarning(
                WarningCodes.SqlServerNearby,
                $"SQL Server files lie on the same volume (for example {neighbour}): the test slows them down, and their I/O shows in "
                    + $"the figures."
            );
    }

    private static IoWarning? CreateCacheWarning(IoTestSpecification spec, IoPattern pattern, CheckedTarget target)
    {
        var size = target.Size;
        if (pattern.Buffering is IoBuffering.Software or IoBuffering.Both)
            return size >= MemoryFactor * HostFacts.MemoryBytes
                ? null
                : new IoWarning(
                    WarningCodes.FileCache,
                    $"{target.Path} is {FormatSize(size)}, and this computer has {FormatSize(HostFacts.MemoryBytes)} of memory: with "
                        + $"{OptionNames.Buffering.WithValue(pattern.Buffering)} the file cache may answer. Use a file of "
                        + $"{FormatSize(MemoryFactor * HostFacts.MemoryBytes)} or more."
                );
        if (spec.StorageCacheSize is { } stated)
            return size >= StorageCacheFactor * stated
                ? null
                : new IoWarning(
                    WarningCodes.StorageCache,
                    $"{target.Path} is {FormatSize(size)}, and the storage has a cache of {FormatSize(stated)}, which may answer. Use a "
                        + $"file of {FormatSize(StorageCacheFactor * stated)} or more."
                );
        return new IoWarning(
            WarningCodes.StorageCache,
            $"With {FormatSize(size)} the array's, the SSD's or a cloud host's cache may answer; give {OptionNames.StorageCacheSize} or "
                + $"use a larger file."
        );
    }

    private static IoWarning? CreateDurabilityWarning(IoTestSpecification spec, IoPattern pattern, string? role, CheckedTarget target)
    {
        if (pattern.WritePercent == 0 || target.Volume.IsInMemory)
            return null;
        if (target.Volume.IsPowerProtectionDeclared)
            return new IoWarning(
                WarningCodes.PowerProtectionDeclared,
                $"{target.Path}: write-cache buffer flushing is turned off for its disk (Device Manager, Policies), so that Windows "
                    + $"sends it neither flushes nor forced unit access: writes are as durable as its cache's own power supply."
            );
        if (pattern.Buffering is IoBuffering.None or IoBuffering.Software)
            return target.Volume is { SupportsForcedUnitAccess: false, HasVolatileWriteCache: true }
                ? new IoWarning(
                    WarningCodes.NoForcedUnitAccess,
                    $"{target.Path}: the device has a volatile write cache and no FUA, so that each write-through write costs a flush "
                        + $"of that cache."
                )
                : null;
        // Flushing after every n writes is SQL Server's default on Linux.
        return pattern.FlushEvery > 0 || new[] { spec.Workload, role }.Any(IsBufferedByDesign)
            ? null
            : new IoWarning(
                WarningCodes.NotDurable,
                $"Writes with {OptionNames.Buffering.WithValue(pattern.Buffering)} may end in a cache: SQL Server writes data and log "
                    + $"files through to the medium. Use {OptionNames.Buffering.WithValue(IoBuffering.None)} to see what it sees."
            );
    }

    private static bool IsBufferedByDesign(string? name) =>
        name is not null && Array.Exists(s_bufferedByDesign, begin => name.StartsWith(begin, StringComparison.OrdinalIgnoreCase));

    private static string FormatSize(long bytes) => new IoSize(bytes).ToDisplayString();
}
