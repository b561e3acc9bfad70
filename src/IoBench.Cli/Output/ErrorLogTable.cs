using System.Globalization;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Summary of ERRORLOG files in at most 80 columns.</summary>
internal static class ErrorLogTable
{
    private const int Width = 80;
    private const int MaxFiles = 10;
    private const int MaxIntervals = 20;

    public static void Write(TextWriter output, ErrorLogResult result)
    {
        output.WriteLine(result.Summary);
        foreach (var finding in ErrorLogImporter.DescribeFindings(result))
        {
            output.WriteLine();
            CommandHelp.WriteWrapped(output, "", finding);
        }
        if (result.Files.Count == 0)
            return;
        output.WriteLine();
        var files = result.Files.Take(MaxFiles).ToList();
        WriteTable(
            output,
            [Number("833", 5), Number("I/Os >=", 7), Number("Max s", 6), Number("823-825", 7), Number("Frozen", 6), Text("Last", 16)],
            files,
            "File or database",
            file =>
                [
                    FormatCount(file.LongIOMessages),
                    NumberFormat.Integer(file.MinLongIOs),
                    FormatSeconds(GetLongest(file)),
                    FormatCount(file.IOErrors + file.InvalidPages + file.ReadRetries),
                    FormatCount(file.Freezes),
                    FormatTime(file.Last),
                ]
        );
        WriteMore(output, result.Files.Count - files.Count, "more files or databases");
        output.WriteLine();
        output.WriteLine($"Timeline in intervals of {NumberFormat.Duration(result.Interval.TotalSeconds)}, local time of the server");
        var intervals = result.Timeline.TakeLast(MaxIntervals).ToList();
        WriteMore(output, result.Timeline.Count - intervals.Count, "earlier lines");
        WriteTable(
            output,
            [Text("Start", 16), Number("833", 5), Number("Max s", 6), Number("823-825", 7), Number("Flushes", 7), Number("Frozen", 6)],
            intervals,
            "File or database",
            item =>
                [
                    FormatTime(item.Start),
                    FormatCount(item.LongIOMessages),
                    FormatSeconds(GetLongest(item)),
                    FormatCount(item.IOErrors + item.InvalidPages + item.ReadRetries),
                    FormatCount(item.SlowFlushes),
                    FormatCount(item.Freezes),
                ]
        );
    }

    /// <summary>Longest I/O; for a database, the longest checkpoint or freeze.</summary>
    private static double? GetLongest(ErrorLogCounts counts) => counts.LongestLongIOMs ?? counts.LongestFlushMs ?? counts.LongestFreezeMs;

    private static TextColumn Number(string header, int width) => new(header, width, IsNumber: true);

    private static TextColumn Text(string header, int width) => new(header, width, IsNumber: false, MinWidth: width);

    private static void WriteTable<T>(TextWriter output, TextColumn[] columns, IReadOnlyList<T> rows, string name, Func<T, string[]> format)
        where T : ErrorLogCounts
    {
        var table = new TextTable([.. columns, new TextColumn(name, rows.Max(row => row.ToString().Length), IsNumber: false)], Width);
        foreach (var line in table.FormatHeader().Concat(rows.Select(row => table.FormatRow([.. format(row), row.ToString()]))))
            output.WriteLine(line);
    }

    private static void WriteMore(TextWriter output, int count, string what)
    {
        if (count > 0)
            output.WriteLine($"… {NumberFormat.Integer(count)} {what} (--format json or --report shows all)");
    }

    private static string FormatCount(long count) => count == 0 ? "" : NumberFormat.Integer(count);

    private static string FormatSeconds(double? milliseconds) =>
        milliseconds is { } ms ? (ms / 1000).ToString(ms < 10_000_000 ? "0.0" : "0", CultureInfo.InvariantCulture) : "";

    private static string FormatTime(DateTime time) => time.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture);
}
