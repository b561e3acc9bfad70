using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal static class ErrorLogCommand
{
    private enum OutputFormat
    {
        Table,
        Json,
        Csv,
    }

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
            if (output == OutputFormat.Csv)
                ErrorLogCsvWriter.WriteHeader(console.Data);
            var result = Analyze(
                console,
                parsed.GetValue(files) ?? [],
                interval,
                parsed.GetValue(quiet),
                ref exitCode,
                keepsEvents: output == OutputFormat.Json || report is not null,
                output == OutputFormat.Csv ? item => ErrorLogCsvWriter.WriteRow(console.Data, item) : null
            );
            if (output == OutputFormat.Json)
                AnalysisJson.WriteLine(console.Json, result);
            else if (output == OutputFormat.Table && result.Logs.Count > 0)
                ErrorLogTable.Write(console.Out, result);
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

    private static OutputFormat ReadFormat(string? name) =>
        name?.ToUpperInvariant() switch
        {
            null or "TABLE" => OutputFormat.Table,
            "JSON" => OutputFormat.Json,
            "CSV" => OutputFormat.Csv,
            _ => throw IoBenchException.Usage("IoBench.Usage", $"{new OptionName("Format")}: errorlog prints a table, json, or csv."),
        };
}
