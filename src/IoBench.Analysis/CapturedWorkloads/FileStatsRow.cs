namespace IoBench.Analysis;

/// <summary>One file of sys.dm_io_virtual_file_stats. Counters are totals since SQL Server started.</summary>
internal sealed record FileStatsRow
{
    internal required long DatabaseId { get; init; }
    internal required long FileId { get; init; }
    internal required long SampleMs { get; init; }
    internal required long Reads { get; init; }
    internal required long BytesRead { get; init; }
    internal required long ReadStallMs { get; init; }
    internal required long Writes { get; init; }
    internal required long BytesWritten { get; init; }
    internal required long WriteStallMs { get; init; }
    internal string? Type { get; init; }
    internal string? PhysicalName { get; init; }
    internal string? ServerStart { get; init; }

    /// <summary>Time of the snapshot as the server wrote it; null if there is no such column.</summary>
    internal DateTime? Taken { get; init; }

    /// <summary>Size of the file on disk in bytes; null if there is no such column.</summary>
    internal long? SizeBytes { get; init; }

    internal string DisplayName =>
        PhysicalName is { Length: > 0 } name ? name : FormattableString.Invariant($"database {DatabaseId}, file {FileId}");

    internal (long, long) Key => (DatabaseId, FileId);

    /// <summary>Ids and name, because a new database can have the ids of a deleted one.</summary>
    internal (long, long, string?) Identity => (DatabaseId, FileId, PhysicalName?.ToUpperInvariant());

    /// <summary>Whether two rows can be of the same file. A name can be missing in one snapshot.</summary>
    internal bool IsSameFile(FileStatsRow other) =>
        Key == other.Key
        && (
            PhysicalName is not { Length: > 0 } name
            || other.PhysicalName is not { Length: > 0 } otherName
            || name.Equals(otherName, StringComparison.OrdinalIgnoreCase)
        );

    /// <summary>By the type, else the file extension, else the file id: file 2 is the first log file. Database 2 is tempdb.</summary>
    internal string Role =>
        DatabaseId == 2 ? "tempdb"
        : IsLog ? "log"
        : "data";

    internal bool IsFileStream => Type is { } type && (type == "2" || type.Equals("FILESTREAM", StringComparison.OrdinalIgnoreCase));

    private bool IsLog =>
        Type is { Length: > 0 } type ? type is "1" || type.Equals("LOG", StringComparison.OrdinalIgnoreCase)
        : PhysicalName is { Length: > 0 } name ? name.EndsWith(".ldf", StringComparison.OrdinalIgnoreCase)
        : FileId == 2;
}
