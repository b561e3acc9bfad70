using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Highest load of one file role, or of all roles together, in any window between two snapshots. The highest IOPS and the highest
/// throughput can be in different windows, and storage is sized for both.
/// </summary>
public sealed record StorageLoad
{
    /// <summary>File role: <c>data</c>, <c>log</c>, or <c>tempdb</c>; <c>all</c> for their sum in each window.</summary>
    public required string Role { get; init; }

    public required double IOPS { get; init; }

    public required double BytesPerSecond { get; init; }

    /// <summary>Highest throughput in MB/s (10^6 bytes per second).</summary>
    public double ThroughputMBps => BytesPerSecond / 1e6;

    /// <summary>Highest rate of log writes in bytes per second; 0 for data and tempdb.</summary>
    public double LogBytesPerSecond { get; init; }

    /// <summary>Name of the file, or else its ids; null for a file role.</summary>
    public string? File { get; init; }

    /// <summary>Number of files.</summary>
    public int Files { get; init; }

    /// <summary>Number of the window with the highest IOPS, starting at 1.</summary>
    public int Window { get; init; }

    /// <summary>Length of that window in seconds.</summary>
    public double Seconds { get; init; }

    /// <summary>Start of that window as the server wrote it; null if the snapshots have no time.</summary>
    public DateTime? From { get; init; }

    public DateTime? To { get; init; }

    /// <summary>Total size of the files in GiB; null if the snapshots have no sizes.</summary>
    public double? SizeGiB { get; init; }

    [JsonIgnore]
    public string WindowText =>
        From is { } from && To is { } to
            ? Invariant($"{from:yyyy-MM-dd HH:mm:ss} to {(to.Date == from.Date ? $"{to:HH:mm:ss}" : $"{to:yyyy-MM-dd HH:mm:ss}")}")
            : $"window {Window}, {NumberFormat.Duration(Seconds)}";

    [JsonIgnore]
    internal string RateText => $"{Role} {NumberFormat.Grouped(IOPS)} IOPS and {NumberFormat.Rate(ThroughputMBps)} MB/s";

    internal static string DescribeLength(double seconds) =>
        seconds switch
        {
            >= 7200 => Invariant($"{seconds / 3600:0.#} hours"),
            >= 120 => Invariant($"{seconds / 60:0.#} minutes"),
            _ => Invariant($"{seconds:0.#} seconds"),
        };

    public override string ToString() => $"{RateText} ({WindowText})";

    /// <summary>The highest load of each file role with I/O, and of all together, last.</summary>
    internal static IReadOnlyList<StorageLoad> FindHighest(IReadOnlyList<FileStatsWindow> windows)
    {
        var roles = windows.SelectMany(window => window.Files).Select(file => file.File.Role).Distinct().Order(StringComparer.Ordinal);
        return
        [
            .. roles.Select(role => FindHighest(windows, role, file => file.Role == role)).Where(load => load.IOPS > 0),
            FindHighest(windows, "all", _ => true),
        ];
    }

    /// <summary>The highest load of each data and log file with I/O, the busiest first.</summary>
    internal static IReadOnlyList<StorageLoad> FindHighestOfFiles(IReadOnlyList<FileStatsWindow> windows) =>
        [
            .. windows
                .SelectMany(window => window.Files.Select(file => (Window: window, Counts: file)))
                .Where(item => item.Counts.File.Role != "tempdb")
                .GroupBy(item => item.Counts.File.Identity)
                .Select(group =>
                    FindHighest(
                        [.. group.Select(item => new FileStatsWindow(item.Window, [item.Counts]))],
                        group.Last().Counts.File.Role,
                        _ => true
                    ) with
                    {
                        File = group.Last().Counts.File.DisplayName,
                    }
                )
                .Where(load => load.IOPS > 0)
                .OrderByDescending(load => load.IOPS),
        ];

    internal static StorageLoad FindHighest(IReadOnlyList<FileStatsWindow> windows, string role, Func<FileStatsRow, bool> isOf)
    {
        var rates = windows
            .Select(window =>
            {
                var count = window.CountIOs(IoOperation.Read, isOf) + window.CountIOs(IoOperation.Write, isOf);
                var log = window.CountIOs(IoOperation.Write, file => file.Role == "log" && isOf(file));
                return (IOPS: count.IOs / window.Seconds, Bytes: count.Bytes / window.Seconds, Log: log.Bytes / window.Seconds);
            })
            .ToList();
        var busiest = Enumerable.Range(0, rates.Count).MaxBy(i => rates[i].IOPS);
        var files = windows[^1].Files.Select(file => file.File).Where(isOf).ToList();
        return new()
        {
            Role = role,
            IOPS = rates[busiest].IOPS,
            BytesPerSecond = rates.Max(rate => rate.Bytes),
            LogBytesPerSecond = rates.Max(rate => rate.Log),
            Files = files.Count,
            Window = busiest + 1,
            Seconds = windows[busiest].Seconds,
            From = windows[busiest].From,
            To = windows[busiest].To,
            SizeGiB =
                files.Count > 0 && files.TrueForAll(file => file.SizeBytes is not null)
                    ? files.Sum(file => file.SizeBytes) / 1073741824.0
                    : null,
        };
    }
}
