using System.CommandLine;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class ReportCommand
{
    public static Command Create(CliConsole console)
    {
        var input = new InputOptions();
        var output = new OutputOptions(isReportOnly: true, asksWhatWasBought: true);
        var quiet = OptionParsing.CreateFlag("--quiet", "Nothing on standard error but errors.", "-q");
        var command = new Command("report", "Makes a report of results: --output x.xlsx, x.html, or one picture, x.svg or x.png.");
        input.AddTo(command);
        output.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var plan = output.ReadTargets(parsed, DateTime.Now);
            if (plan.ReportPath is null)
                throw IoBenchException.Usage(
                    "IoBench.Usage",
                    "report needs --output: the workbook (.xlsx), page (.html) or picture (.svg, .png) to write."
                );
            using var outputs = plan.OpenFiles(console);
            console.MarkResultsSaved();
            var imported = input.ReadResults(parsed, console, quiet: parsed.GetValue(quiet));
            if (!parsed.GetValue(quiet))
                foreach (var warning in imported.DescribeWarnings(console.Spelling))
                    console.Error.WriteLine(warning);
            if (imported.Results.Count > 0)
                OutputDestinations.WriteReport(console, plan, outputs, imported.Results, parsed.GetValue(quiet));
            return imported.ExitCode;
        });
        return command;
    }
}
