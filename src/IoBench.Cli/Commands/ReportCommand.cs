using System.CommandLine;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class ReportCommand
{
    public static Command Create(CliConsole console)
    {
        var input = new InputOptions();
        var output = new OutputOptions(isReportOnly: true, asksWhatWasBought: true);
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only errors.", "-q");
        var command = new Command("report", "Create a report of results: an Excel workbook, an HTML report, or an SVG image.");
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
}
