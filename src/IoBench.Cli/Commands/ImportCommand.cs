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
        var shown = new RowOptions(OptionTables.Shown);
        var quiet = OptionText.CreateFlag("--quiet", "Nothing on standard error but errors.", "-q");
        var command = new Command("import", $"Reads results of {ResultFormats.AllTools}, recognised by their content.");
        input.AddTo(command);
        output.AddTo(command);
        shown.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var plan = output.Read(parsed, DateTime.Now);
            using var outputs = plan.Open(console);
            if (plan.HasFile)
                console.ResultsAreInAFile();
            var isQuiet = parsed.GetValue(quiet);
            var beside = shown.Read(parsed);
            var showsMap = beside.Has(new("HeatMap"));
            if (plan is { Format: { } format, HasFile: false } && !showsMap)
            {
                var (exitCode, warnings) = input.Pass(
                    parsed,
                    console,
                    isQuiet,
                    results => ResultWriter.Write(console.DataOf(format), results, format)
                );
                TellWarnings(console, warnings, isQuiet);
                return exitCode;
            }
            var showsBands = beside.Has(new("Histogram"));
            if (outputs.Results is { } file && plan is { ReportPath: null, Format: null } && !showsMap && !showsBands)
            {
                List<IoTestResult> rows = [];
                var (exitCode, warnings) = input.Pass(parsed, console, isQuiet, results => file.Fill(LightenedWhenTaken(results, rows)));
                Print(console, plan, rows, histogram: false);
                ReportWriting.TellNotices(console, outputs);
                TellWarnings(console, warnings, isQuiet);
                return exitCode;
            }
            var imported = input.Read(
                parsed,
                console,
                isQuiet,
                plan.HasFile || plan.Format is not null || showsBands || showsMap ? null : ResultTable.Lighten
            );
            Print(console, plan, imported.Results, showsBands);
            HeatMapText.Write(console, beside, imported.Results, plan);
            if (imported.Results.Count > 0)
                outputs.Results?.AddAll(imported.Results);
            ReportWriting.TellNotices(console, outputs);
            TellWarnings(console, imported.Warnings(console.Spelling), isQuiet);
            if (imported.Results.Count > 0)
                ReportWriting.Write(console, plan, outputs, imported.Results, isQuiet);
            return imported.ExitCode;
        });
        return command;
    }

    /// <summary>Removes the details of a result when the next one is requested, because the caller has written it by then.</summary>
    private static IEnumerable<IoTestResult> LightenedWhenTaken(IEnumerable<IoTestResult> results, List<IoTestResult> rows)
    {
        foreach (var result in results)
        {
            yield return result;
            ResultTable.Lighten(result);
            rows.Add(result);
        }
    }

    private static void TellWarnings(CliConsole console, IEnumerable<string> warnings, bool quiet)
    {
        foreach (var warning in quiet ? [] : warnings)
            console.Error.WriteLine(warning);
    }

    private static void Print(CliConsole console, OutputPlan plan, IReadOnlyList<IoTestResult> results, bool histogram)
    {
        if (plan.Format is { } format)
        {
            ResultWriter.Write(console.DataOf(format), results, format);
            return;
        }
        if (results.Count == 0)
            return;
        var table = ResultTable.For(results);
        foreach (var line in table.Header())
            console.Out.WriteLine(line);
        foreach (var result in results)
        {
            console.Out.WriteLine(table.Row(result));
            if (!histogram)
                continue;
            console.Out.WriteLine();
            foreach (var line in ResultText.Of(result))
                console.Out.WriteLine(line);
            console.Out.WriteLine();
        }
    }
}
