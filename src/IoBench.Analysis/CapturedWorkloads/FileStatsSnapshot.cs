using System.Collections;
using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// One snapshot of sys.dm_io_virtual_file_stats. Columns of sys.master_files (type_desc, physical_name) distinguish logs from data. The
/// names of dbatools' Get-DbaIoLatency are accepted too. Source of the columns: Microsoft Learn, sys.dm_io_virtual_file_stats.
/// </summary>
public sealed class FileStatsSnapshot
{
    private static readonly string[] s_needed =
    [
        "database_id",
        "file_id",
        "sample_ms",
        "num_of_reads",
        "num_of_bytes_read",
        "io_stall_read_ms",
        "num_of_writes",
        "num_of_bytes_written",
        "io_stall_write_ms",
    ];

    private static readonly string[] s_numbers = [.. s_needed, "io_stall_queued_read_ms", "io_stall_queued_write_ms", "size_on_disk_bytes"];

    private static readonly string[] s_times = ["taken", "taken_utc"];

    /// <summary>Column of Get-DbaIoLatency, and usual names for @@SERVERNAME.</summary>
    private static readonly string[] s_servers = ["SqlInstance", "server_name", "ServerName"];

    private FileStatsSnapshot(string name, IReadOnlyDictionary<(long, long), FileStatsRow> rows)
    {
        Name = name;
        Rows = rows;
    }

    /// <summary>Origin of the snapshot, for messages.</summary>
    public string Name { get; }

    internal IReadOnlyDictionary<(long, long), FileStatsRow> Rows { get; }

    internal bool Contains(FileStatsRow file) => Rows.TryGetValue(file.Key, out var row) && row.IsSameFile(file);

    internal long SampleMs => Rows.Values.Max(r => r.SampleMs);

    internal string? ServerStart => Rows.Values.Select(r => r.ServerStart).FirstOrDefault(start => start is not null);

    /// <summary>Time of the snapshot as the server wrote it; null if there is no such column.</summary>
    internal DateTime? Taken => Rows.Values.Select(r => r.Taken).FirstOrDefault(time => time is not null);

    /// <summary>Whether the columns of a row are those of sys.dm_io_virtual_file_stats or of Get-DbaIoLatency.</summary>
    public static bool IsRow(IDictionary row)
    {
        var columns = GetColumnValues(row);
        return s_needed.Take(3).All(columns.ContainsKey);
    }

    /// <summary>Whether a file begins as the output of sys.dm_io_virtual_file_stats. False if it cannot be read.</summary>
    public static bool IsSnapshotFile(string path)
    {
        // The length of a pipe is 0. Its content can be read only once.
        if (!File.Exists(path) || new FileInfo(path).Length == 0)
            return false;
        try
        {
            using var reader = new StreamReader(InputFiles.Open(path));
            return FileStatsTable.HasRows(reader);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or IoBenchException)
        {
            return false;
        }
    }

    /// <summary>Creates a snapshot from rows of names and values. Names are those of the view and are not case-sensitive.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidFileStats</c>: no row, a missing column, or an invalid number.</exception>
    public static FileStatsSnapshot FromRows(IEnumerable<IDictionary> rows, string name = "the snapshot")
    {
        List<Dictionary<string, object?>> values = [.. rows.Select(GetColumnValues)];
        return FromRows(values, name, FileStatsNumberFormat.Detect(values, s_numbers, name));
    }

    private static FileStatsSnapshot FromRows(List<Dictionary<string, object?>> rows, string name, FileStatsNumberFormat format)
    {
        Dictionary<(long, long), FileStatsRow> read = [];
        foreach (var (row, number) in rows.Select((r, i) => (r, i + 1)))
        {
            var file = CreateRow(row, $"{name}, row {number}", format);
            if (!read.TryAdd(file.Key, file))
                throw CreateInvalidDataError(
                    name,
                    $"{name} contains file {file.FileId} of database {file.DatabaseId} twice. A snapshot must contain each file only once"
                );
        }
        return read.Count > 0 ? new(name, read) : throw CreateInvalidDataError(name, $"{name} contains no files");
    }

    /// <summary>Loads all snapshots of a file: a new one starts when a database file occurs again.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidFileStats</c>, <c>IoBench.FileNotFound</c>,
    /// <c>IoBench.CannotRead</c>.</exception>
    public static IReadOnlyList<FileStatsSnapshot> LoadFile(string path)
    {
        try
        {
            using var reader = new StreamReader(InputFiles.Open(path));
            return SplitRows(FileStatsTable.ReadRows(reader, path), path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.Failure("IoBench.CannotRead", $"{path} cannot be read: {e.Message}", path, e);
        }
    }

    private static FileStatsRow CreateRow(Dictionary<string, object?> values, string where, FileStatsNumberFormat format)
    {
        var missing = s_needed.Where(n => !values.ContainsKey(n)).ToList();
        if (missing.Count > 0)
            throw CreateInvalidDataError(
                where,
                $"{where} has no {string.Join(", ", missing)}. All columns of sys.dm_io_virtual_file_stats are required, with their original names"
            );
        long Clock() =>
            long.TryParse(FormatNumber("sample_ms"), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var printed)
            && printed is >= int.MinValue and < 0
                ? ToUnsignedSampleMs(printed)
                : Number("sample_ms");
        long Number(string column) =>
            FormatNumber(column) is { } text
            && decimal.TryParse(
                text,
                NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint,
                CultureInfo.InvariantCulture,
                out var number
            )
            && number is >= 0 and <= MaxCounter
                ? (long)number
                : throw CreateInvalidDataError(
                    where,
                    $"{where}: {column} '{FormatValue(values[column])}' is not a whole number from 0 to {MaxCounter}"
                );
        // Numbers of rows from PowerShell have a type, so only text can have the separators of a culture.
        string? FormatNumber(string column) =>
            values[column] is string number
                ? format.Normalize(number)
                    ?? throw FileStatsNumberFormat.CreateError(
                        where,
                        $"{where}: {column} '{number}' is ambiguous, because its separator can be a decimal or a thousands separator"
                    )
                : FormatValue(values[column]);
        // The delay by Resource Governor is not latency of the storage.
        long Stall(string all, string queued) =>
            Math.Max(0, Number(all) - (FormatValue(values.GetValueOrDefault(queued)) is { Length: > 0 } ? Number(queued) : 0));
        return new FileStatsRow
        {
            DatabaseId = Number("database_id"),
            FileId = Number("file_id"),
            SampleMs = Clock(),
            Reads = Number("num_of_reads"),
            BytesRead = Number("num_of_bytes_read"),
            ReadStallMs = Stall("io_stall_read_ms", "io_stall_queued_read_ms"),
            Writes = Number("num_of_writes"),
            BytesWritten = Number("num_of_bytes_written"),
            WriteStallMs = Stall("io_stall_write_ms", "io_stall_queued_write_ms"),
            Type = FormatValue(values.GetValueOrDefault("type_desc") ?? values.GetValueOrDefault("type")),
            ServerStart = FormatServerStart(values.GetValueOrDefault("sqlserver_start_time")),
            PhysicalName = FormatValue(values.GetValueOrDefault("physical_name")),
            Taken = s_times.Select(name => ParseTime(values.GetValueOrDefault(name))).FirstOrDefault(time => time is not null),
            SizeBytes = FormatValue(values.GetValueOrDefault("size_on_disk_bytes")) is { Length: > 0 }
                ? Number("size_on_disk_bytes")
                : null,
        };
    }

    /// <summary>Tools write the same time in different formats, some without fractions of a second.</summary>
    private static string? FormatServerStart(object? value) =>
        ParseTime(value) is { } time ? time.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) : FormatValue(value);

    private static DateTime? ParseTime(object? value) =>
        value is DateTime time ? time
        : DateTime.TryParse(FormatValue(value), CultureInfo.InvariantCulture, DateTimeStyles.None, out var parsed) ? parsed
        : null;

    private static string? FormatValue(object? value) =>
        value is null or DBNull ? null : Convert.ToString(value, CultureInfo.InvariantCulture)?.Trim();

    private static IoBenchException CreateInvalidDataError(string name, string what) =>
        IoBenchException.InvalidData("IoBench.InvalidFileStats", what + ".", name);

    private const long SampleMsWrap = 1L << 32;

    /// <summary>An exabyte. The sums of smaller counters do not overflow.</summary>
    private const long MaxCounter = 1_000_000_000_000_000_000;

    /// <summary>
    /// <c>sample_ms</c> counts milliseconds since the computer started. Through SQL Server 2014, it is an int, which becomes negative after
    /// 24.9 days and returns to zero after 49.7 days. Source: Microsoft Learn, sys.dm_io_virtual_file_stats.
    /// </summary>
    internal static long ToUnsignedSampleMs(long printed) => printed < 0 ? printed + SampleMsWrap : printed;

    /// <summary>Returns the milliseconds between two snapshots; negative if the second one is earlier.</summary>
    internal static long GetElapsedMs(long first, long second)
    {
        var difference = second - first;
        // Assume one overflow of the int only if the elapsed time is then below half of its range; otherwise, the order is wrong.
        return difference < 0 && first < SampleMsWrap && difference + SampleMsWrap < SampleMsWrap / 2
            ? difference + SampleMsWrap
            : difference;
    }

    private static readonly Dictionary<string, string> s_dbatoolsColumns = new(StringComparer.OrdinalIgnoreCase)
    {
        ["DatabaseId"] = "database_id",
        ["FileId"] = "file_id",
        ["SampleMilliseconds"] = "sample_ms",
        ["PhysicalName"] = "physical_name",
        ["NumberOfReads"] = "num_of_reads",
        ["NumberOfBytesRead"] = "num_of_bytes_read",
        ["IoStallRead"] = "io_stall_read_ms",
        ["NumberOfWrites"] = "num_of_writes",
        ["NumberOfBytesWritten"] = "num_of_bytes_written",
        ["IoStallWrite"] = "io_stall_write_ms",
        ["SizeOnDiskBytes"] = "size_on_disk_bytes",
    };

    internal static Dictionary<string, object?> GetColumnValues(IDictionary row)
    {
        var values = new Dictionary<string, object?>(StringComparer.OrdinalIgnoreCase);
        foreach (DictionaryEntry entry in row)
        {
            var name = Convert.ToString(entry.Key, CultureInfo.InvariantCulture) ?? "";
            values[s_dbatoolsColumns.GetValueOrDefault(name, name)] = entry.Value;
        }
        return values;
    }

    /// <summary>Splits rows into snapshots: a new snapshot starts when a file occurs again.</summary>
    /// <param name="source">File that the rows come from; null = a pipeline.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidFileStats</c>: for example, rows of several servers.</exception>
    public static IReadOnlyList<FileStatsSnapshot> SplitRows(IEnumerable<IDictionary> rows, string? source = null)
    {
        ArgumentNullException.ThrowIfNull(rows);
        List<Dictionary<string, object?>> all = [];
        HashSet<string> servers = new(StringComparer.OrdinalIgnoreCase);
        foreach (var row in rows)
        {
            var values = GetColumnValues(row);
            var server = s_servers.Select(name => GetColumnText(values, name)).FirstOrDefault(name => name is { Length: > 0 });
            if (server is not null && servers.Add(server) && servers.Count > 1)
                throw IoBenchException.InvalidData(
                    "IoBench.InvalidFileStats",
                    $"The rows are from several servers: {string.Join(", ", servers)}.",
                    advice: "Use rows from only one server."
                );
            all.Add(values);
        }
        var format = FileStatsNumberFormat.Detect(all, s_numbers, source ?? "The rows");
        List<List<Dictionary<string, object?>>> snapshots = [];
        HashSet<string> files = [];
        foreach (var values in OrderByTime(all, source ?? "the rows", format))
        {
            if (snapshots.Count == 0 || !files.Add(GetFileId(values)))
            {
                snapshots.Add([]);
                files = [GetFileId(values)];
            }
            snapshots[^1].Add(values);
        }
        if (source is not null && snapshots.Count <= 1)
            return [FromRows([.. snapshots.SelectMany(snapshot => snapshot)], source, format)];
        return
        [
            .. snapshots.Select(
                (snapshot, index) =>
                    FromRows(
                        snapshot,
                        source is not null
                            ? $"{source}, snapshot {index + 1}"
                            : index switch
                            {
                                0 => "the first snapshot",
                                1 => "the second snapshot",
                                _ => $"snapshot {index + 1}",
                            },
                        format
                    )
            ),
        ];
    }

    /// <summary>Orders rows by time if they are sorted by file, because the rows of a snapshot must be together.</summary>
    private static List<Dictionary<string, object?>> OrderByTime(
        List<Dictionary<string, object?>> rows,
        string source,
        FileStatsNumberFormat format
    )
    {
        var starts = Enumerable.Range(0, rows.Count).Count(i => i == 0 || GetFileId(rows[i]) != GetFileId(rows[i - 1]));
        if (starts <= 1 || starts == rows.Count || starts != rows.DistinctBy(GetFileId).Count())
            return rows;
        var clocks = rows.Select((row, i) => CreateRow(row, $"{source}, row {i + 1}", format).SampleMs).ToList();
        if (Enumerable.Range(1, rows.Count - 1).Any(i => GetFileId(rows[i]) == GetFileId(rows[i - 1]) && clocks[i] < clocks[i - 1]))
            throw CreateInvalidDataError(
                source,
                $"The rows of {source} are not in chronological order. Sort them by the time of the snapshot"
            );
        return [.. rows.Zip(clocks).OrderBy(row => row.Second).Select(row => row.First)];
    }

    /// <summary>Orders the snapshots of one start of SQL Server. Between two starts, sample_ms can return to zero.</summary>
    internal static IReadOnlyList<FileStatsSnapshot> OrderByTime(IReadOnlyList<FileStatsSnapshot> snapshots) =>
        snapshots.Select(snapshot => snapshot.ServerStart).Distinct().ToList() is [not null]
        && snapshots.Max(snapshot => snapshot.SampleMs) - snapshots.Min(snapshot => snapshot.SampleMs) < SampleMsWrap / 2
            ? [.. snapshots.OrderBy(snapshot => snapshot.SampleMs)]
            : snapshots;

    private static string GetFileId(Dictionary<string, object?> row) =>
        $"{GetColumnText(row, "database_id")}/{GetColumnText(row, "file_id")}";

    private static string? GetColumnText(Dictionary<string, object?> values, string name) =>
        Convert.ToString(values.GetValueOrDefault(name), CultureInfo.InvariantCulture);

    private static readonly Lazy<string> s_queryText = new(() => ReadResource("file-stats.sql"));
    private static readonly Lazy<string> s_snapshotQueryText = new(() => ReadResource("file-stats-snapshot.sql"));
    private static readonly Lazy<string> s_azureQueryText = new(() => ReadResource("file-stats-azure-sql-database.sql"));

    /// <summary>The T-SQL script that takes snapshots, with line feeds as line ends.</summary>
    public static string QueryText => s_queryText.Value;

    /// <summary>The script for one snapshot, for a client that repeats it.</summary>
    public static string SnapshotQueryText => s_snapshotQueryText.Value;

    /// <summary>The script for Azure SQL Database, which has no sys.master_files.</summary>
    public static string AzureSqlDatabaseQueryText => s_azureQueryText.Value;

    private static string ReadResource(string name)
    {
        using var stream =
            typeof(FileStatsSnapshot).Assembly.GetManifestResourceStream(name)
            ?? throw new InvalidDataException($"{name} is not embedded in the assembly.");
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
