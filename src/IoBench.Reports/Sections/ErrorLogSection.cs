using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports;

internal static class ErrorLogSection
{
    public const string Title = "I/O messages in the SQL Server error log";

    private const int MaxChartPoints = 400;
    private const int MaxChartFiles = 5;

    private static readonly (TableColumn, Func<ErrorLogCounts, CellValue>)[] s_counts =
    [
        (new("Errors 823"), item => CreateCount(item.IOErrors)),
        (new("Errors 824"), item => CreateCount(item.InvalidPages)),
        (new("Errors 825"), item => CreateCount(item.ReadRetries)),
        (new("Messages 833"), item => CreateCount(item.LongIOMessages)),
        (new("Observations (not I/Os)", MinWidth: 13), item => CreateCount(item.Observations)),
        (new("Longest I/O (s)"), item => CellValue.Create(item.LongestLongIOMs / 1000, CellStyle.OneDecimal)),
        (new("Misaligned log I/Os"), item => CellValue.Create(item.MisalignedIOs, CellStyle.Integer)),
        (new("Slow checkpoints"), item => CreateCount(item.SlowFlushes)),
        (new("Longest checkpoint (s)"), item => CellValue.Create(item.LongestFlushMs / 1000, CellStyle.OneDecimal)),
        (new("Lowest throughput (MiB/s)"), item => CellValue.Create(item.LowestFlushMBps, CellStyle.TwoDecimals)),
        (new("I/O freezes"), item => CreateCount(item.Freezes)),
        (new("Longest freeze (s)"), item => CellValue.Create(item.LongestFreezeMs / 1000, CellStyle.TwoDecimals)),
        (new("Freezes without resume"), item => CreateCount(item.FreezesWithoutResume)),
    ];

    public static IReadOnlyList<ReportSection> BuildAll(ErrorLogResult result)
    {
        ReportSection?[] sections = [Build(result), BuildTimeline(result), BuildEvents(result)];
        return [.. sections.OfType<ReportSection>()];
    }

    public static ReportSection? Build(ErrorLogResult? result)
    {
        if (result is null)
            return null;
        List<SectionBlock> blocks =
        [
            new TextBlock(result.Summary + ".", CellStyle.Lead),
            TableBlock.FromFindings("ErrorLogFindings", result.Findings, findingSpan: 2, adviceSpan: 4),
        ];
        if (result.Files.Count > 0)
        {
            if (CreateChart(result) is { } chart)
                blocks.Add(new ChartsBlock([chart]) { ChartsPerLine = 1 });
            blocks.Add(new TextBlock("Files", CellStyle.Heading));
            blocks.Add(CreateFileTable(result.Files));
            blocks.Add(new TextBlock("Messages by file and kind", CellStyle.Heading));
            blocks.Add(CreateKindTable(result.Files));
        }
        blocks.Add(new TextBlock("Logs", CellStyle.Heading));
        blocks.Add(
            TableBlock.FromItems(
                "ErrorLogFilesRead",
                result.Logs,
                [
                    (new("Log", false, 80, 30), log => CellValue.Create(log.Path)),
                    (new("First message", false, 20, 17), log => CellValue.CreateLocal(log.First)),
                    (new("Last message", false, 20, 17), log => CellValue.CreateLocal(log.Last)),
                    (new("Messages"), log => CellValue.Create(log.Messages, CellStyle.Integer)),
                ]
            )
        );
        blocks.AddRange(result.Warnings.Select(warning => new TextBlock(warning.Text.ToString())));
        blocks.Add(
            new TextBlock(
                "Times are local times of the server. The count in a message of error 833 is the number of observations, not of I/Os. SQL Server checks every 5 s, and each check counts every I/O that has been outstanding for 15 s or longer. One message covers at most 300 s, so one I/O can be counted up to 61 times.",
                CellStyle.Small
            )
        );
        return new("ErrorLog", Title, blocks);
    }

    /// <summary>The timeline has its own sheet, because its columns are different. Null if there are no messages.</summary>
    public static ReportSection? BuildTimeline(ErrorLogResult? result) =>
        result?.Timeline.Count > 0
            ? new(
                "ErrorLogTimeline",
                $"Error log messages in intervals of {NumberFormat.Duration(result.Interval.TotalSeconds)}",
                [CreateTimeline(result.Timeline)]
            )
            : null;

    /// <summary>The single messages. Null if there are none.</summary>
    public static ReportSection? BuildEvents(ErrorLogResult? result) =>
        result?.Events.Count > 0 ? new("ErrorLogEvents", "Individual messages in the error log", [CreateEventTable(result.Events)]) : null;

    private static TableBlock CreateFileTable(IReadOnlyList<ErrorLogFileSummary> files) =>
        TableBlock.FromItems<ErrorLogFileSummary>(
            "ErrorLogFiles",
            files,
            [
                (new("File or database", false, 70, 30), file => CellValue.Create(file.ToString())),
                (new("Database", false, 30, 12), file => CellValue.Create(file.Database)),
                (new("First message", false, 20, 17), file => CellValue.CreateLocal(file.First)),
                (new("Last message", false, 20, 17), file => CellValue.CreateLocal(file.Last)),
                (
                    new("Minimum number of I/Os of 15 s or longer", MinWidth: 14),
                    file => CellValue.Create(file.MinLongIOs, CellStyle.Integer)
                ),
                .. s_counts.Select(column => (column.Item1, (Func<ErrorLogFileSummary, CellValue>)column.Item2)),
            ]
        ) with
        {
            WrapsHeader = true,
        };

    private static TableBlock CreateKindTable(IReadOnlyList<ErrorLogFileSummary> files) =>
        TableBlock.FromItems<(ErrorLogFileSummary File, ErrorLogKindCount Kind)>(
            "ErrorLogKinds",
            [.. files.SelectMany(file => file.Kinds.Select(kind => (file, kind)))],
            [
                (new("File or database", false, 70, 30), item => CellValue.Create(item.File.ToString())),
                (new("Kind", false, 20, 15), item => CellValue.Create(item.Kind.ToString())),
                (new("First message", false, 20, 17), item => CellValue.CreateLocal(item.Kind.First)),
                (new("Last message", false, 20, 17), item => CellValue.CreateLocal(item.Kind.Last)),
                (new("Messages"), item => CellValue.Create(item.Kind.Messages, CellStyle.Integer)),
                (new("Longest (s)"), item => CellValue.Create(item.Kind.LongestMs / 1000, CellStyle.OneDecimal)),
            ]
        );

    private static TableBlock CreateTimeline(IReadOnlyList<ErrorLogInterval> timeline) =>
        TableBlock.FromItems<ErrorLogInterval>(
            "ErrorLogTimeline",
            timeline,
            [
                (new("Start", false, 20, 17), item => CellValue.CreateLocal(item.Start)),
                (new("File or database", false, 70, 30), item => CellValue.Create(item.ToString())),
                .. s_counts.Select(column => (column.Item1, (Func<ErrorLogInterval, CellValue>)column.Item2)),
            ]
        ) with
        {
            WrapsHeader = true,
        };

    private static TableBlock CreateEventTable(IReadOnlyList<ErrorLogEvent> events) =>
        TableBlock.FromItems(
            "ErrorLogEvents",
            events,
            [
                (new("Time", false, 20, 17), item => CellValue.CreateLocal(item.Time)),
                (new("Kind", false, 18, 14), item => CellValue.Create(ErrorLogKindCount.Describe(item.Kind))),
                (new("Process", false, 12, 9), item => CellValue.Create(item.Process)),
                (new("File", false, 70, 20), item => CellValue.Create(item.Path)),
                (new("Database", false, 30, 10), item => CellValue.Create(item.Database)),
                (new("Database id"), item => CellValue.Create(item.DatabaseId, CellStyle.Integer)),
                (new("Operation", false, 10, 9), item => CellValue.Create(item.Operation?.ToString())),
                (new("Offset (bytes)"), item => CellValue.Create(item.Offset, CellStyle.Integer)),
                (new("Page", false, 16, 8), item => CellValue.Create(item.Page)),
                (new("Observations"), item => CellValue.Create(item.Observations, CellStyle.Integer)),
                (new("Duration (s)"), item => CellValue.Create(item.DurationMs / 1000, CellStyle.TwoDecimals)),
                (new("System error"), item => CellValue.Create(item.OSError, CellStyle.Integer)),
                (new("Detail", false, 60, 20), item => CellValue.Create(item.Detail)),
                (new("Failed attempts"), item => CellValue.Create(item.FailedAttempts, CellStyle.Integer)),
                (new("Misaligned I/Os"), item => CellValue.Create(item.MisalignedIOs, CellStyle.Integer)),
                (new("Pages written"), item => CellValue.Create(item.FlushedPages, CellStyle.Integer)),
                (new("MiB/s"), item => CellValue.Create(item.MBps, CellStyle.TwoDecimals)),
                (new("I/O saturation"), item => CellValue.Create(item.IOSaturation, CellStyle.Integer)),
                (new("Last target outstanding"), item => CellValue.Create(item.LastTargetOutstanding, CellStyle.Integer)),
                (new("Average write (ms)"), item => CellValue.Create(item.AverageWriteMs, CellStyle.Integer)),
                (new("Buffers"), item => CellValue.Create(item.BufferCount, CellStyle.Integer)),
                (new("Transfer size (KB)"), item => CellValue.Create(item.MaxTransferSizeKB, CellStyle.Integer)),
                (new("Log", false, 50, 16), item => CellValue.Create(item.SourceFile)),
                (new("Line"), item => CellValue.Create(item.SourceLine, CellStyle.Integer)),
            ]
        ) with
        {
            WrapsHeader = true,
        };

    /// <summary>Messages 833 of the worst files over time; null if there are too few or too many intervals for a chart.</summary>
    private static ChartSpec? CreateChart(ErrorLogResult result)
    {
        var items = result.Timeline.Where(item => item.LongIOMessages > 0).ToList();
        if (items.Select(item => item.Start).Distinct().Count() < 2)
            return null;
        var from = items.Min(item => item.Start);
        var step = result.Interval;
        while ((items.Max(item => item.Start) - from) / step >= MaxChartPoints)
            step *= 2;
        var count = (int)((items.Max(item => item.Start) - from) / step) + 1;
        var files = items
            .GroupBy(item => item.ToString())
            .OrderByDescending(file => file.Sum(item => item.LongIOMessages))
            .Take(MaxChartFiles);
        return new(ChartKind.Lines, "Error 833 messages over time", "Local time of the server", "Messages")
        {
            Categories =
            [
                .. Enumerable.Range(0, count).Select(i => (from + i * step).ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture)),
            ],
            Series =
            [
                .. files.Select(
                    (file, index) =>
                    {
                        var sums = new double?[count];
                        Array.Fill(sums, 0);
                        foreach (var item in file)
                            sums[(int)((item.Start - from) / step)] += item.LongIOMessages;
                        return new ChartSeries(RunDescription.ShortenMiddle(file.Key, 40), sums, Palette.GetLineStyle(index));
                    }
                ),
            ],
            ShowsLegend = true,
        };
    }

    /// <summary>An empty cell instead of 0, so that a column without a message is omitted.</summary>
    private static CellValue CreateCount(long count) => CellValue.Create(count == 0 ? null : count, CellStyle.Integer);
}
