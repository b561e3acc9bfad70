namespace IoBench.Analysis.OwnLoad;

/// <summary>One file of sys.dm_io_virtual_file_stats: counts, bytes and milliseconds since SQL Server started.</summary>
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

    /// <summary>Its name, else its numbers.</summary>
    internal string Title =>
        PhysicalName is { Length: > 0 } name ? name : FormattableString.Invariant($"database {DatabaseId}, file {FileId}");

    internal (long, long) Key => (DatabaseId, FileId);

    /// <summary>tempdb is database 2; else the type says log, or the file's extension, or, without either, file 2, which is a database's first log.</summary>
    internal string Role =>
        DatabaseId == 2 ? "tempdb"
        : IsLog ? "log"
        : "data";

    /// <summary>A FILESTREAM container: type 2.</summary>
    internal bool IsFileStream => Type is { } type && (type == "2" || type.Equals("FILESTREAM", StringComparison.OrdinalIgnoreCase));

    private bool IsLog =>
        Type is { Length: > 0 } type ? type is "1" || type.Equals("LOG", StringComparison.OrdinalIgnoreCase)
        : PhysicalName is { Length: > 0 } name ? name.EndsWith(".ldf", StringComparison.OrdinalIgnoreCase)
        : FileId == 2;
}
