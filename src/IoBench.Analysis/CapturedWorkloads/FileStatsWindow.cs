using IoBench.Engine;

namespace IoBench.Analysis;

internal readonly record struct FileStatsCount(long IOs, long Bytes, long StallMs)
{
    /// <summary>Average size of an I/O; null if there was none.</summary>
    public double? BlockSizeKB => IOs > 0 ? Bytes / 1024.0 / IOs : null;

    /// <summary>Average latency in milliseconds; null if there was no I/O.</summary>
    public double? LatencyMs => IOs > 0 ? (double)StallMs / IOs : null;

    public static FileStatsCount operator +(FileStatsCount one, FileStatsCount other) =>
        new(one.IOs + other.IOs, one.Bytes + other.Bytes, one.StallMs + other.StallMs);
}

internal sealed class FileStatsWindow
{
    internal FileStatsWindow(double seconds, IReadOnlyList<(FileStatsRow File, FileStatsCount Reads, FileStatsCount Writes)> files)
    {
        Seconds = seconds;
        Files = files;
    }

    /// <summary>The same window with other files.</summary>
    internal FileStatsWindow(FileStatsWindow window, IReadOnlyList<(FileStatsRow File, FileStatsCount Reads, FileStatsCount Writes)> files)
        : this(window.Seconds, files) => (From, To) = (window.From, window.To);

    /// <summary>Seconds between the snapshots; 0 for a window since the start of SQL Server, whose length is unknown.</summary>
    public double Seconds { get; }

    /// <summary>Time of the first snapshot as the server wrote it; null if there is no such column.</summary>
    public DateTime? From { get; private init; }

    public DateTime? To { get; private init; }

    public IReadOnlyList<(FileStatsRow File, FileStatsCount Reads, FileStatsCount Writes)> Files { get; }

    /// <exception cref="IoBenchException"><c>IoBench.SameSnapshot</c> or <c>IoBench.CountersReset</c>.</exception>
    public static FileStatsWindow Create(FileStatsSnapshot first, FileStatsSnapshot second)
    {
        var milliseconds = FileStatsSnapshot.GetElapsedMs(first.SampleMs, second.SampleMs);
        if (first.ServerStart is { } started && second.ServerStart is { } restarted && started != restarted)
            throw IoBenchException.InvalidData(
                ErrorIds.CountersReset,
                $"SQL Server was restarted between {first.Name} (server start {started}) and {second.Name} (server start {restarted}). Take two snapshots without a restart between them."
            );
        if (milliseconds < 0)
            throw IoBenchException.InvalidData(
                ErrorIds.CountersReset,
                $"{second.Name} is older than {first.Name} (sample_ms {second.SampleMs} and {first.SampleMs}). Either the computer was restarted between the two snapshots, or they are in the wrong order.",
                advice: "Take two snapshots without a restart between them, and specify the earlier one first."
            );
        if (milliseconds == 0)
            throw IoBenchException.InvalidData(
                "IoBench.SameSnapshot",
                $"{first.Name} and {second.Name} were taken at the same time (sample_ms {second.SampleMs}). Take the second snapshot at least a few minutes after the first."
            );
        List<(FileStatsRow, FileStatsCount, FileStatsCount)> files = [];
        foreach (var now in second.Rows.Values.Where(row => !row.IsFileStream && first.Contains(row)))
        {
            var before = first.Rows[now.Key];
            if (
                now.Reads < before.Reads
                || now.Writes < before.Writes
                || now.BytesRead < before.BytesRead
                || now.BytesWritten < before.BytesWritten
                || now.ReadStallMs < before.ReadStallMs
                || now.WriteStallMs < before.WriteStallMs
            )
                throw IoBenchException.InvalidData(
                    ErrorIds.CountersReset,
                    $"The counters of file {now.FileId} of database {now.DatabaseId} decreased between {first.Name} and {second.Name}. The database was taken offline or restored, or SQL Server was restarted.",
                    advice: "Take two snapshots without such an event between them."
                );
            files.Add(
                (
                    now,
                    new(now.Reads - before.Reads, now.BytesRead - before.BytesRead, now.ReadStallMs - before.ReadStallMs),
                    new(now.Writes - before.Writes, now.BytesWritten - before.BytesWritten, now.WriteStallMs - before.WriteStallMs)
                )
            );
        }
        return new(milliseconds / 1000.0, files) { From = first.Taken, To = second.Taken };
    }

    /// <summary>The counters of one snapshot, which started from zero with SQL Server.</summary>
    private static FileStatsWindow SinceStart(FileStatsSnapshot snapshot) =>
        new(
            0,
            [
                .. snapshot
                    .Rows.Values.Where(row => !row.IsFileStream)
                    .Select(row =>
                        (
                            row,
                            new FileStatsCount(row.Reads, row.BytesRead, row.ReadStallMs),
                            new FileStatsCount(row.Writes, row.BytesWritten, row.WriteStallMs)
                        )
                    ),
            ]
        );

    /// <summary>Creates the windows between snapshots, which can be in any order, or the window since the start of SQL Server from one
    /// snapshot. With three or more, a window with a restart is ignored.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.SameSnapshot</c> or <c>IoBench.CountersReset</c>.</exception>
    public static IReadOnlyList<FileStatsWindow> CreateAll(IReadOnlyList<FileStatsSnapshot> snapshots, List<IoWarning> warnings)
    {
        snapshots = FileStatsSnapshot.OrderByTime(snapshots);
        IReadOnlyList<FileStatsWindow> windows = snapshots.Count == 1 ? [SinceStart(snapshots[0])] : CreateBetween(snapshots, warnings);
        AddFileWarnings(snapshots, warnings);
        return windows;
    }

    private static List<FileStatsWindow> CreateBetween(IReadOnlyList<FileStatsSnapshot> snapshots, List<IoWarning> warnings)
    {
        List<FileStatsWindow> windows = [];
        for (var i = 1; i < snapshots.Count; i++)
        {
            var (first, second) = (snapshots[i - 1], snapshots[i]);
            try
            {
                windows.Add(Create(first, second));
            }
            catch (IoBenchException error) when (snapshots.Count > 2 && error.ErrorId == ErrorIds.CountersReset)
            {
                warnings.Add(
                    new(
                        WarningCodes.WindowIgnored,
                        $"The window from {first.Name} to {second.Name} is not usable, so IoBench ignores it. {error.Message}"
                    )
                );
                continue;
            }
            if (second.Taken < first.Taken)
                warnings.Add(
                    new(
                        WarningCodes.ServerClock,
                        $"The clock of the server was set back between {first.Name} ({first.Taken:s}) and {second.Name} ({second.Taken:s}). IoBench calculates rates from sample_ms, so the clock does not affect them."
                    )
                );
        }
        return windows.Count > 0
            ? windows
            : throw IoBenchException.InvalidData(
                ErrorIds.CountersReset,
                $"Counters decreased in every window between the {snapshots.Count} snapshots. {warnings[0].Text}"
            );
    }

    private static void AddFileWarnings(IReadOnlyList<FileStatsSnapshot> snapshots, List<IoWarning> warnings)
    {
        var first = snapshots[0];
        var last = snapshots[^1];
        var streams = last.Rows.Values.Count(r => r.IsFileStream);
        if (streams > 0)
            warnings.Add(
                new(
                    WarningCodes.FileStreamIgnored,
                    $"IoBench ignores {NumberFormat.Pluralize(streams, "FILESTREAM container")}, because clients access FILESTREAM data through the file system."
                )
            );
        var added = last.Rows.Values.Count(row => !first.Contains(row));
        var gone = first.Rows.Values.Count(row => !last.Contains(row));
        if (added + gone > 0)
            warnings.Add(
                new(
                    WarningCodes.FilesDiffer,
                    snapshots.Count == 2
                        ? $"{added} file(s) are only in {last.Name}, and {gone} only in {first.Name}. IoBench ignores these files."
                        : (IoMessage)
                            $"{added} file(s) were added and {gone} removed between the first and the last snapshot. A window includes such a file only if both snapshots of the window contain it."
                )
            );
        if (last.Rows.Values.All(row => row is { Type: null or "", PhysicalName: null or "" }))
            warnings.Add(
                new(
                    WarningCodes.NoFileTypes,
                    "The snapshots contain neither file types nor file names, so IoBench assumes that file 2 of each database is its log. Run the query with a login that has the VIEW ANY DEFINITION permission."
                )
            );
    }

    public FileStatsCount CountIOs(IoOperation operation, Func<FileStatsRow, bool> isOf) =>
        Files
            .Where(f => isOf(f.File))
            .Aggregate(default(FileStatsCount), (sum, f) => sum + (operation == IoOperation.Read ? f.Reads : f.Writes));
}
