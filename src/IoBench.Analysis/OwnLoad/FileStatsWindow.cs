using IoBench.Engine;

namespace IoBench.Analysis;

internal readonly record struct FileStatsCount(long IOs, long Bytes, long StallMs)
{
    public static FileStatsCount operator +(FileStatsCount one, FileStatsCount other) =>
        new(one.IOs + other.IOs, one.Bytes + other.Bytes, one.StallMs + other.StallMs);
}

internal sealed class FileStatsWindow
{
    private FileStatsWindow(double seconds, IReadOnlyList<(FileStatsRow File, FileStatsCount Reads, FileStatsCount Writes)> files)
    {
        Seconds = seconds;
        Files = files;
    }

    public double Seconds { get; }

    public IReadOnlyList<(FileStatsRow File, FileStatsCount Reads, FileStatsCount Writes)> Files { get; }

    /// <exception cref="IoBenchException"><c>IoBench.SameSnapshot</c> or <c>IoBench.CountersReset</c>.</exception>
    public static FileStatsWindow Create(FileStatsSnapshot first, FileStatsSnapshot second)
    {
        var milliseconds = FileStatsSnapshot.GetElapsedMs(first.SampleMs, second.SampleMs);
        if (first.ServerStart is { } started && second.ServerStart is { } restarted && started != restarted)
            throw IoBenchException.InvalidData(
                ErrorIds.CountersReset,
                $"SQL Server was restarted between {first.Name} (started {started}) and {second.Name} (started {restarted}). Take two snapshots without a restart between them."
            );
        if (milliseconds < 0)
            throw IoBenchException.InvalidData(
                ErrorIds.CountersReset,
                $"{second.Name} is older than {first.Name} (sample_ms {second.SampleMs} and {first.SampleMs}). Either the computer was restarted between them, or the order is wrong.",
                advice: "Take two snapshots without a restart between them, and specify the earlier one first."
            );
        if (milliseconds == 0)
            throw IoBenchException.InvalidData(
                "IoBench.SameSnapshot",
                $"{first.Name} and {second.Name} were taken at the same time (sample_ms {second.SampleMs}). Take the second one some minutes after the first."
            );
        List<(FileStatsRow, FileStatsCount, FileStatsCount)> files = [];
        foreach (var now in second.Rows.Values.Where(row => !row.IsFileStream && first.Rows.ContainsKey(row.Key)))
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
                    $"The counters of database {now.DatabaseId}, file {now.FileId} decreased between {first.Name} and {second.Name}. The database was taken offline or restored, or SQL Server was restarted.",
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
        return new(milliseconds / 1000.0, files);
    }

    public FileStatsCount CountIOs(IoOperation operation, Func<FileStatsRow, bool> isOf) =>
        Files
            .Where(f => isOf(f.File))
            .Aggregate(default(FileStatsCount), (sum, f) => sum + (operation == IoOperation.Read ? f.Reads : f.Writes));
}
