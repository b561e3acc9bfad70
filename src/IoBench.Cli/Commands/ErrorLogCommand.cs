using System.CommandLine;
using System.Globalization;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal static class ErrorLogCommand
{
    public static Command Create(CliConsole console)
    {
        var files = new Argument<string[]>("FILE")
        {
            Description = "ERRORLOG files of SQL Server, or a folder with them.",
            Arity = ArgumentArity.OneOrMore,
        };
        var options = new CommandOptionSet(OptionTables.ErrorLog);
        var format = OptionParsing.CreateOption("--format", "table|json|csv", "Output: a summary, JSON, or the events as CSV.", "-f");
        var quiet = OptionParsing.CreateFlag("--quiet", "Print no warnings.", "-q");
        var command = new Command(
            "errorlog",
            "Find I/O problems in the error log of SQL Server, such as error 833. The exit code is 3 if the log contains error 823, 824, or 825."
        )
        {
            files,
        };
        options.AddTo(command);
        command.Add(format);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var values = options.ReadValues(parsed);
            var output = ReadFormat(parsed.GetText(format));
            var interval = ErrorLogImporter.GetInterval(values);
            using var report = ReportFile.Reserve(values);
            var exitCode = ExitCodes.Success;
            if (output == ResultFormat.Csv)
                CsvResultWriter.WriteErrorLogHeader(console.Data);
            var result = Analyze(
                console,
                parsed.GetValue(files) ?? [],
                interval,
                parsed.GetValue(quiet),
                ref exitCode,
                keepsEvents: output == ResultFormat.Json || report is not null,
                output == ResultFormat.Csv ? item => CsvResultWriter.WriteErrorLogRow(console.Data, item) : null
            );
            if (output == ResultFormat.Json)
                AnalysisJson.WriteLine(console.Json, result);
            else if (output is null && result.Logs.Count > 0)
                WriteSummary(console.Out, result);
            if (result.Logs.Count > 0)
                OutputDestinations.SaveReport(console, report, file => ReportFile.Save(file, result), parsed.GetValue(quiet));
            return exitCode == ExitCodes.Success && result.HasIOErrors ? ExitCodes.RequirementNotMet : exitCode;
        });
        return command;
    }

    /// <param name="exitCode">Becomes the exit code of the first log that cannot be read.</param>
    public static ErrorLogResult Analyze(
        CliConsole console,
        IReadOnlyList<string> paths,
        TimeSpan? interval,
        bool quiet,
        ref int exitCode,
        bool keepsEvents = true,
        Action<ErrorLogEvent>? onEvent = null
    )
    {
        var analyzer = new ErrorLogAnalyzer(interval, keepsEvents);
        var at = paths.Count > 0 ? paths[0] : "";
        var failure = exitCode;
        CancellableFileCall.Run(
            console,
            () => at,
            () =>
            {
                var logs = ErrorLogImporter.FindLogs(paths.SelectMany(path => InputOptions.ExpandWildcard(path, OnError)), OnError);
                foreach (var item in ErrorLogImporter.ReadEvents(logs, analyzer, OnError, log => at = log, console.CancellationToken))
                    onEvent?.Invoke(item);
                return true;
            }
        );
        exitCode = failure;
        // Reading a large log leaves much garbage, which the output would add to.
        if (keepsEvents)
            GC.Collect(2, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        var result = analyzer.CreateResult();
        foreach (var warning in quiet ? [] : result.Warnings)
            console.Error.WriteLine(App.DescribeWarning(warning, console.Spelling));
        return result;

        void OnError(IoBenchException error)
        {
            App.WriteError(console, error);
            failure = failure == ExitCodes.Success ? error.ExitCode : failure;
        }
    }

    /// <returns>Json or Csv; null for the table.</returns>
    private static ResultFormat? ReadFormat(string? name) =>
        name?.ToUpperInvariant() switch
        {
            null or "TABLE" => null,
            "JSON" => ResultFormat.Json,
            "CSV" => ResultFormat.Csv,
            _ => throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{new OptionName("Format")} of iobench errorlog must be table, json, or csv."
            ),
        };

    private const int MaxFiles = 10;
    private const int MaxTimelineLines = 20;

    /// <summary>Writes a summary in at most 79 columns.</summary>
    private static void WriteSummary(TextWriter output, ErrorLogResult result)
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
