using System.Globalization;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary>Summary of ERRORLOG files in at most 79 columns.</summary>
internal static class ErrorLogTable
{
    private const int MaxFiles = 10;
    private const int MaxTimelineLines = 20;

    public static void Write(TextWriter output, ErrorLogResult result)
    {
        CommandHelp.WriteWrapped(output, "", result.Summary);
        foreach (var finding in ErrorLogImporter.DescribeFindings(result))
        {
            output.WriteLine();
            CommandHelp.WriteWrapped(output, "", finding);
        }
        if (result.Files.Count == 0)
            return;
        output.WriteLine();
        WriteFiles(output, result.Files);
        output.WriteLine();
        output.WriteLine($"Timeline in intervals of {NumberFormat.Duration(result.Interval.TotalSeconds)}, local time of the server");
        WriteTimeline(output, [.. result.Timeline.SelectMany(item => item.Kinds.Select(kind => (item, kind)))]);
    }

    private static void WriteFiles(TextWriter output, IReadOnlyList<ErrorLogFileSummary> files)
    {
        var table = new TextTable(
            [Text("  Message", 17), Number("Count", 5), Number("I/Os >=", 7), Number("Max s", 6), Text("First", 16), Text("Last", 16)],
            TextTable.MinWidth
        );
        foreach (var line in table.FormatHeader())
            output.WriteLine(line);
        foreach (var file in files.Take(MaxFiles))
        {
            var name = file.ToString();
            output.WriteLine(name.Length <= TextTable.MinWidth ? name : "…" + name[^(TextTable.MinWidth - 1)..]);
            foreach (var kind in file.Kinds)
                output.WriteLine(
                    table.FormatRow([
                        $"  {kind}",
                        NumberFormat.Integer(kind.Messages),
                        NumberFormat.Integer(
                            kind.Kind switch
                            {
                                ErrorLogEventKind.LongIO => file.MinLongIOs,
                                ErrorLogEventKind.MisalignedLogIO => file.MisalignedIOs,
                                _ => null,
                            }
                        ),
                        FormatSeconds(kind.LongestMs),
                        FormatTime(kind.First),
                        FormatTime(kind.Last),
                    ])
                );
        }
        WriteMore(output, files.Count - MaxFiles, "more files or databases");
    }

    private static void WriteTimeline(TextWriter output, IReadOnlyList<(ErrorLogInterval Interval, ErrorLogKindCount Kind)> lines)
    {
        WriteMore(output, lines.Count - MaxTimelineLines, "earlier lines");
        List<(ErrorLogInterval Interval, ErrorLogKindCount Kind)> shown = [.. lines.TakeLast(MaxTimelineLines)];
        var table = new TextTable(
            [
                Text("Start", 16),
                Text("Message", 15),
                Number("Count", 5),
                Number("Max s", 6),
                new("File or database", shown.Max(line => line.Interval.ToString().Length), IsNumber: false),
            ],
            TextTable.MinWidth
        );
        foreach (var line in table.FormatHeader())
            output.WriteLine(line);
        foreach (var (interval, kind) in shown)
            output.WriteLine(
                table.FormatRow([
                    FormatTime(interval.Start),
                    kind.ToString(),
                    NumberFormat.Integer(kind.Messages),
                    FormatSeconds(kind.LongestMs),
                    interval.ToString(),
                ])
            );
    }

    private static TextColumn Number(string header, int width) => new(header, width, IsNumber: true);

    private static TextColumn Text(string header, int width) => new(header, width, IsNumber: false, MinWidth: width);

    private static void WriteMore(TextWriter output, int count, string what)
    {
        if (count > 0)
            output.WriteLine($"… {NumberFormat.Integer(count)} {what} (--format json or --report shows all)");
    }

    private static string FormatSeconds(double? milliseconds) =>
        milliseconds is { } ms ? (ms / 1000).ToString(ms < 10_000_000 ? "0.0" : "0", CultureInfo.InvariantCulture) : "";

    private static string FormatTime(DateTime time) => time.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture);
}
