using System.CommandLine;
using System.Globalization;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary>The commands that read results and command lines of other tools, and write reports.</summary>
internal static class ImportCommands
{
    public static Command CreateImport(CliConsole console)
    {
        var input = new InputOptions();
        var output = new OutputOptions();
        var shown = new CommandOptionSet(OptionTables.Shown);
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only results and errors.", "-q");
        var command = new Command("import", $"Read results of {ResultFormats.AllTools}. IoBench detects the format from the contents.");
        input.AddTo(command);
        output.AddTo(command);
        shown.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var plan = output.ReadTargets(parsed, DateTime.Now);
            using var outputs = plan.OpenFiles(console);
            if (plan.HasFile)
                console.MarkResultsSaved();
            var isQuiet = parsed.GetValue(quiet);
            var shownValues = shown.ReadValues(parsed);
            var showsMap = shownValues.Has(new("HeatMap"));
            if (plan is { Format: { } format, HasFile: false } && !showsMap)
            {
                var (exitCode, warnings) = input.StreamResults(
                    parsed,
                    console,
                    isQuiet,
                    results => ResultWriter.Write(console.GetDataWriter(format), results, format)
                );
                WriteWarnings(console, warnings, isQuiet);
                return exitCode;
            }
            var showsBands = shownValues.Has(new("Histogram"));
            if (outputs.Results is { } file && plan is { ReportPath: null, Format: null } && !showsMap && !showsBands)
            {
                List<IoTestResult> rows = [];
                var (exitCode, warnings) = input.StreamResults(
                    parsed,
                    console,
                    isQuiet,
                    results => file.SaveStreamed(RemoveDetailsAfterUse(results, rows))
                );
                PrintResults(console, plan, rows, histogram: false);
                OutputDestinations.WriteNotices(console, outputs);
                WriteWarnings(console, warnings, isQuiet);
                return exitCode;
            }
            var imported = input.ReadResults(
                parsed,
                console,
                isQuiet,
                plan.HasFile || plan.Format is not null || showsBands || showsMap ? null : ResultTable.RemoveDetails
            );
            PrintResults(console, plan, imported.Results, showsBands);
            RunMessages.WriteHeatMaps(console, shownValues, imported.Results, plan);
            if (imported.Results.Count > 0)
                outputs.Results?.AddAll(imported.Results);
            OutputDestinations.WriteNotices(console, outputs);
            WriteWarnings(console, imported.DescribeWarnings(console.Spelling), isQuiet);
            if (imported.Results.Count > 0)
                OutputDestinations.WriteReport(console, plan, outputs, imported.Results, isQuiet);
            return imported.ExitCode;
        });
        return command;
    }

    /// <summary>Removes the details of a result when the next one is requested, because the caller has written it by then.</summary>
    private static IEnumerable<IoTestResult> RemoveDetailsAfterUse(IEnumerable<IoTestResult> results, List<IoTestResult> rows)
    {
        foreach (var result in results)
        {
            yield return result;
            ResultTable.RemoveDetails(result);
            rows.Add(result);
        }
    }

    private static void WriteWarnings(CliConsole console, IEnumerable<string> warnings, bool quiet)
    {
        foreach (var warning in quiet ? [] : warnings)
            console.Error.WriteLine(warning);
    }

    private static void PrintResults(CliConsole console, OutputDestinations plan, IReadOnlyList<IoTestResult> results, bool histogram)
    {
        if (plan.Format is { } format)
        {
            ResultWriter.Write(console.GetDataWriter(format), results, format);
            return;
        }
        if (results.Count == 0)
            return;
        var table = ResultTable.Create(results, console.TableWidth);
        foreach (var line in table.FormatHeader())
            console.Out.WriteLine(line);
        foreach (var result in results)
        {
            console.Out.WriteLine(table.FormatRow(result));
            if (!histogram)
                continue;
            console.Out.WriteLine();
            foreach (var line in ResultDetailFormatter.FormatResult(result))
                console.Out.WriteLine(line);
            console.Out.WriteLine();
        }
    }

    public static Command CreateReport(CliConsole console)
    {
        var input = new InputOptions();
        var output = new OutputOptions(isReportOnly: true, asksWhatWasBought: true);
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only errors.", "-q");
        var command = new Command("report", "Create a report from results: an Excel workbook, an HTML report, or an SVG image.");
        input.AddTo(command);
        output.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var plan = output.ReadTargets(parsed, DateTime.Now);
            if (plan.ReportPath is null)
                throw IoBenchException.Usage(
                    "IoBench.Usage",
                    "iobench report requires --output with the name of a workbook (.xlsx), an HTML report (.html), or an image (.svg)."
                );
            using var outputs = plan.OpenFiles(console);
            console.MarkResultsSaved();
            var imported = input.ReadResults(parsed, console, quiet: parsed.GetValue(quiet));
            if (!parsed.GetValue(quiet))
                foreach (var warning in imported.DescribeWarnings(console.Spelling))
                    console.Error.WriteLine(warning);
            var exitCode = imported.ExitCode;
            if (plan.ErrorLogPaths.Count > 0)
                plan.ReportOptions.ErrorLog = ErrorLogCommand.Analyze(
                    console,
                    plan.ErrorLogPaths,
                    null,
                    parsed.GetValue(quiet),
                    ref exitCode
                )
                    is { Logs.Count: > 0 } log
                    ? log
                    : null;
            // Without results, the report is an error, unless an input already was one.
            if (imported.Results.Count > 0 || imported.ExitCode == ExitCodes.Success)
                OutputDestinations.WriteReport(console, plan, outputs, imported.Results, parsed.GetValue(quiet));
            return exitCode;
        });
        return command;
    }

    public static Command CreateConvert(CliConsole console)
    {
        var files = new Argument<string[]>("FILE")
        {
            Description = "Batch files, files with command lines of SQLIO, DiskSpd, or fio, XML profiles of DiskSpd, and job files of fio.",
            Arity = ArgumentArity.OneOrMore,
        };
        var format = OptionParsing.CreateOption("--format", "NAME", "Output format: table or json. Default: table.", "-f");
        var options = new CommandOptionSet(OptionTables.Conversion);
        var command = new Command("convert", "Convert command lines of SQLIO, DiskSpd, and fio to IoBench tests.") { files, format };
        options.AddTo(command);
        command.SetAction(parsed =>
        {
            var json = parsed.IsJsonRequested(format);
            var given = options.ReadValues(parsed).GetText(new OptionName("ArgumentList")) is { } text
                ? CommandLineReader.SplitArguments(text)
                : null;
            var tests = new List<IoTestSpecification>();
            var exitCode = ExitCodes.Success;
            foreach (var file in parsed.GetValue(files) ?? [])
            {
                var read = CommandLineReader.ReadFile(file, given);
                tests.AddRange(read.Specifications);
                foreach (var note in read.Notes)
                    console.Error.WriteLine($"Note: {note}");
                // Refused lines do not stop the output of the others.
                foreach (var refused in read.Refused)
                {
                    App.WriteError(console, refused);
                    exitCode = exitCode == ExitCodes.Success ? refused.ExitCode : exitCode;
                }
            }
            if (json)
                console.Json.WriteLine(AnalysisJson.SerializeAnalyses(tests));
            else if (tests.Count > 0)
                WriteTests(console.Out, tests);
            return exitCode;
        });
        return command;
    }

    private static void WriteTests(TextWriter output, List<IoTestSpecification> tests)
    {
        var rows = tests.ConvertAll(test =>
            new[]
            {
                test.GetOrAddOrigin().SourceLine?.ToString(CultureInfo.InvariantCulture) ?? "",
                PatternText.Describe(test),
                PatternText.DescribeThreads(test),
                PatternText.DescribeOutstanding(test),
                test.Buffering.ToString().ToLowerInvariant(),
                new IoDuration(test.Duration).ToString(),
                test.RestBefore > TimeSpan.Zero ? new IoDuration(test.RestBefore).ToString() : "",
                string.Join("; ", test.Targets.Select(t => t.Path).Distinct()),
                test.GetOrAddOrigin().OutputFile ?? "",
            }
        );
        TextTable.WriteTable(output, rows, "#Line", "IOPattern", "#Thr", "#QD", "Buffering", "#Time", "#Rest", "Path", "Output");
    }
}
