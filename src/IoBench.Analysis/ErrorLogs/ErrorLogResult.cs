using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>What the messages about I/O in ERRORLOG files of SQL Server say.</summary>
public sealed class ErrorLogResult : IHasFindings
{
    private const int SummaryWidth = 80;

    /// <summary>IoBench limit. Volume Shadow Copy holds writes for at most 10 s.</summary>
    private const double LongFreezeMs = 10_000;

    private IReadOnlyList<Finding>? _findings;

    /// <summary>Files that were read, in order of time.</summary>
    public required IReadOnlyList<ErrorLogSource> Logs { get; init; }

    /// <summary>Database files, and databases for messages that name no file, the worst first.</summary>
    public required IReadOnlyList<ErrorLogFileSummary> Files { get; init; }

    /// <summary>Database files by interval, in order of time. Intervals without a message are omitted.</summary>
    public required IReadOnlyList<ErrorLogInterval> Timeline { get; init; }

    /// <summary>Length of an interval. It can be longer than requested, so that the timeline stays readable.</summary>
    public required TimeSpan Interval { get; init; }

    public required long EventCount { get; init; }

    /// <summary>Events in the order of the logs; empty unless they were requested.</summary>
    public IReadOnlyList<ErrorLogEvent> Events { get; init; } = [];

    public IReadOnlyList<IoWarning> Warnings { get; init; } = [];

    /// <summary>Error 833 with the longest duration; null if no message reports one.</summary>
    public ErrorLogEvent? LongestIO { get; init; }

    public ErrorLogEvent? LongestFlush { get; init; }

    /// <summary>Buffers of the last backup or restore; null without trace flag 3213.</summary>
    public ErrorLogEvent? LastBackup { get; init; }

    /// <summary>True if the logs contain error 823, 824, or 825, so that data can be damaged.</summary>
    public bool HasIOErrors => Files.Any(file => file.IOErrors + file.InvalidPages + file.ReadRetries > 0);

    /// <summary>What happened, how often, when, and the worst file. Without its folders if the text has more than 80 characters.</summary>
    public string Summary => CreateSummary();

    public IReadOnlyList<Finding> Findings => _findings ??= (Finding[])[.. CreateFindings().DefaultIfEmpty(CreateEmptyFinding())];

    public override string ToString() => Summary;

    private string CreateSummary()
    {
        var period = DescribePeriod(Logs.Select(log => log.First), Logs.Select(log => log.Last));
        List<string> parts = [.. DescribeCounts()];
        if (parts.Count == 0)
            return $"No messages about I/O problems in {NumberFormat.Pluralize(Logs.Count, "log")}{(period.Length > 0 ? $", {period}" : "")}";
        period = DescribePeriod(Files.Select(file => file.First), Files.Select(file => file.Last));
        var worst = Files[0].ToString();
        var start = $"{string.Join(", ", parts)}; {period}; worst ";
        // The name of the file must be visible; the folders are shown if there is space.
        return start + (start.Length + worst.Length <= SummaryWidth ? worst : RemoveFolders(worst));
    }

    /// <summary>All kinds of problems with their counts, the most severe first. Buffers of backups are not problems.</summary>
    private IEnumerable<string> DescribeCounts()
    {
        (long Count, string Text)[] problems =
        [
            (Sum(ErrorLogEventKind.IOError), "823"),
            (Sum(ErrorLogEventKind.InvalidPage), "824"),
            (Sum(ErrorLogEventKind.ReadRetry), "825"),
            (Sum(ErrorLogEventKind.LongIO), "833"),
        ];
        foreach (var (count, error) in problems)
            if (count > 0)
                yield return $"{NumberFormat.PluralizeGrouped(count, "error")} {error}";
        if (Files.Sum(file => file.MisalignedIOs ?? 0) is > 0 and var misaligned)
            yield return NumberFormat.PluralizeGrouped(misaligned, "misaligned log write");
        if (Sum(ErrorLogEventKind.SlowFlush) is > 0 and var flushes)
            yield return NumberFormat.PluralizeGrouped(flushes, "slow checkpoint");
        if (Sum(ErrorLogEventKind.IOFrozen) is > 0 and var freezes)
            yield return NumberFormat.PluralizeGrouped(freezes, "I/O freeze")
                + (
                    Files.Sum(file => file.FreezesWithoutResume) is > 0 and var open
                        ? $" ({NumberFormat.Grouped(open)} without resume)"
                        : ""
                );
    }

    private IEnumerable<Finding> CreateFindings()
    {
        if (Sum(ErrorLogEventKind.IOError) is > 0 and var errors)
            yield return CreateFinding(
                FindingCodes.ErrorLogIOError,
                ErrorLogEventKind.IOError,
                FindingSeverity.Critical,
                $"Error 823: the operating system returned an error for {(errors == 1 ? "1 read or write" : NumberFormat.Grouped(errors) + " reads or writes")}",
                "Run DBCC CHECKDB, and have the storage checked"
            );
        if (Sum(ErrorLogEventKind.InvalidPage) is > 0 and var pages)
            yield return CreateFinding(
                FindingCodes.ErrorLogInvalidPage,
                ErrorLogEventKind.InvalidPage,
                FindingSeverity.Critical,
                $"Error 824: {NumberFormat.PluralizeGrouped(pages, "page")} had wrong contents",
                "Run DBCC CHECKDB, restore the pages, and have the storage checked"
            );
        if (Sum(ErrorLogEventKind.ReadRetry) is > 0 and var retries)
            yield return CreateFinding(
                FindingCodes.ErrorLogReadRetry,
                ErrorLogEventKind.ReadRetry,
                FindingSeverity.Critical,
                $"Error 825: {NumberFormat.PluralizeGrouped(retries, "read")} succeeded only after retries",
                "Run DBCC CHECKDB, and have the storage checked before data is lost"
            );
        if (Sum(ErrorLogEventKind.LongIO) is > 0 and var messages)
            yield return CreateFinding(
                FindingCodes.ErrorLogLongIO,
                ErrorLogEventKind.LongIO,
                FindingSeverity.Critical,
                $"Error 833: {NumberFormat.PluralizeGrouped(messages, "message")}, so at least {NumberFormat.PluralizeGrouped(Files.Sum(file => file.MinLongIOs ?? 0), "I/O")} took 15 s or longer{DescribeLongestIO()}",
                "Compare the times of the messages with those of backups, snapshots, and other load on the storage",
                $" The messages report {NumberFormat.PluralizeGrouped(Files.Sum(file => file.Observations), "observation")}, because SQL Server counts the same outstanding I/O again every 5 s."
            );
        if (Files.Sum(file => file.MisalignedIOs ?? 0) is > 0 and var misaligned)
            yield return CreateFinding(
                FindingCodes.ErrorLogMisaligned,
                ErrorLogEventKind.MisalignedLogIO,
                FindingSeverity.Warning,
                $"At least {NumberFormat.PluralizeGrouped(misaligned, "log write")} {(misaligned == 1 ? "was" : "were")} not aligned to the physical sector, so SQL Server wrote them synchronously",
                "Compare the physical sector sizes of all replicas and of the backup source",
                count: file => file.MisalignedIOs ?? 0
            );
        if (Sum(ErrorLogEventKind.SlowFlush) is > 0 and var flushes)
            yield return CreateFinding(
                FindingCodes.ErrorLogSlowFlush,
                ErrorLogEventKind.SlowFlush,
                FindingSeverity.Warning,
                $"{NumberFormat.PluralizeGrouped(flushes, "checkpoint")} took longer than the target{DescribeLongestFlush()}",
                "Test the write throughput of the data files with the workload checkpoint"
            );
        if (Sum(ErrorLogEventKind.IOFrozen) is > 0 and var freezes)
            yield return CreateFreezeFinding(freezes);
        if (LastBackup is { } backup)
            yield return new Finding
            {
                Code = FindingCodes.ErrorLogBackup,
                Subject = backup.Database ?? "backup",
                What = Invariant(
                    $"The last backup or restore in the log used {NumberFormat.Pluralize(backup.BufferCount ?? 0, "buffer")} of {backup.MaxTransferSizeKB:0.##} KB. Backups and restores in the log: {NumberFormat.Grouped(Sum(ErrorLogEventKind.BackupBuffers))}."
                ),
                Evidence =
                [
                    new("BufferCount", backup.BufferCount),
                    new("MaxTransferSizeKB", backup.MaxTransferSizeKB, "KB"),
                    new("TotalBufferMB", backup.TotalBufferMB, "MB"),
                    new("MemoryLimitMB", backup.MemoryLimitMB, "MB"),
                ],
            };
    }

    private Finding CreateEmptyFinding() =>
        new()
        {
            Code = FindingCodes.ErrorLogNone,
            Subject = Logs.Count > 0 ? Logs[^1].Path : "",
            What = Summary + ".",
        };

    private Finding CreateFreezeFinding(long freezes)
    {
        var longest = Files.MaxBy(file => file.LongestFreezeMs ?? -1)!;
        var open = Files.Sum(file => file.FreezesWithoutResume);
        var isLong = longest.LongestFreezeMs >= LongFreezeMs;
        return CreateFinding(
            FindingCodes.ErrorLogFreeze,
            ErrorLogEventKind.IOFrozen,
            isLong || open > 0 ? FindingSeverity.Warning : FindingSeverity.Info,
            $"I/O was frozen {NumberFormat.PluralizeGrouped(freezes, "time")} for snapshots"
                + (longest.LongestFreezeMs is { } ms ? Invariant($", for up to {ms / 1000:0.##} s on {longest}") : ""),
            open > 0 ? "Check whether the backup was canceled, or whether the log is incomplete"
                : isLong ? "Check the snapshots of the backup program"
                : null,
            open > 0 ? $" For {NumberFormat.PluralizeGrouped(open, "freeze")}, the log has no message that I/O was resumed." : ""
        );
    }

    /// <param name="count">Number that the sentence states, per file; null = messages of the kind.</param>
    private Finding CreateFinding(
        string code,
        ErrorLogEventKind kind,
        FindingSeverity severity,
        string what,
        string? whatToDo,
        string more = "",
        Func<ErrorLogFileSummary, long>? count = null
    )
    {
        count ??= file => file.GetCount(kind);
        var files = Files.Where(file => count(file) > 0).ToList();
        var kinds = files.ConvertAll(file => file.FindKind(kind)!);
        var most = files.MaxBy(count)!;
        return new Finding
        {
            Code = code,
            Subject = most.ToString(),
            Severity = severity,
            What =
                $"{what} ({DescribePeriod(kinds.Select(item => item.First), kinds.Select(item => item.Last))}; {DescribeFiles(files, count)}).{more}",
            WhatToDo = whatToDo,
            Evidence = [new("Count", files.Sum(count)), new("Files", files.Count)],
        };
    }

    private static string DescribeFiles(List<ErrorLogFileSummary> files, Func<ErrorLogFileSummary, long> count)
    {
        if (files.Count == 1)
            return files[0].ToString();
        var (min, max) = (files.Min(count), files.Max(count));
        var most = files.Where(file => count(file) == max).ToList();
        var distribution =
            most.Count == 1 ? $"most in {most[0]}"
            : min == max ? $"{NumberFormat.Grouped(max)} in each"
            : $"at most {NumberFormat.Grouped(max)} in each";
        return $"{files.Count} {(files.TrueForAll(file => file.Path is not null) ? "files" : "databases")}, {distribution}";
    }

    private string DescribeLongestIO() => LongestIO is { DurationMs: { } ms } ? Invariant($", up to {ms / 1000:0.0} s") : "";

    private string DescribeLongestFlush() =>
        LongestFlush is { DurationMs: { } ms }
            ? Invariant($", up to {ms / 1000:0.0} s") + (LongestFlush.MBps is { } rate ? Invariant($" at {rate:0.##} MiB/s") : "")
            : "";

    private long Sum(ErrorLogEventKind kind) => Files.Sum(file => file.GetCount(kind));

    private static string DescribePeriod(IEnumerable<DateTime> starts, IEnumerable<DateTime> ends)
    {
        List<DateTime> first = [.. starts];
        if (first.Count == 0)
            return "";
        var (from, to) = (first.Min(), ends.Max());
        return from.Year != to.Year ? Format(from, "yyyy-MM-dd") + " to " + Format(to, "yyyy-MM-dd")
            : from.Date != to.Date ? Format(from, "yyyy-MM-dd") + " to " + Format(to, "MM-dd")
            : Format(from, "HH:mm") == Format(to, "HH:mm") ? Format(from, "yyyy-MM-dd HH:mm")
            : Format(from, "yyyy-MM-dd HH:mm") + " to " + Format(to, "HH:mm");
    }

    private static string Format(DateTime time, string format) => time.ToString(format, CultureInfo.InvariantCulture);

    /// <summary>Keeps the name of a file, which identifies it.</summary>
    private static string RemoveFolders(string path) => path.LastIndexOfAny(['/', '\\']) is > 0 and var end ? "…" + path[end..] : path;
}
