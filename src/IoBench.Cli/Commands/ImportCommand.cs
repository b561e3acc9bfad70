using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal static class ImportCommand
{
    public static Command Create(CliConsole console)
    {
        var input = new InputOptions();
        var output = new OutputOptions();
        var shown = new CommandOptionSet(OptionTables.Shown);
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only errors.", "-q");
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
}
