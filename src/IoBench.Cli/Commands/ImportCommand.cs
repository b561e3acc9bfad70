using System.CommandLine;
using IoBench.Cli.Options;
using IoBench.Cli.Output;
using IoBench.Cli.Running;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Commands;

/// <summary><c>iobench import</c>: old outputs of any tool as a table, in another format, as a report.</summary>
internal static class ImportCommand
{
    public static Command Create(CliConsole console)
    {
        var input = new InputOptions();
        var output = new OutputOptions();
        var histogram = OptionText.CreateFlag("--histogram", "Latency bands under each row.");
        var quiet = OptionText.CreateFlag("--quiet", "Nothing on standard error but errors.", "-q");
        var command = new Command("import", "Reads results of SQLIO, DiskSpd and IoBench, recognised by their content.");
        input.AddTo(command);
        output.AddTo(command);
        command.Add(histogram);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var plan = output.Read(parsed, DateTime.Now);
            plan.CheckPaths();
            var imported = input.Read(parsed, console);
            Print(console, plan, imported.Results, parsed.GetValue(histogram));
            if (plan.OutputPath is not null && imported.Results.Count > 0)
                new ResultFile(plan.OutputPath, plan.OutputFormat!.Value).AddAll(imported.Results);
            if (!parsed.GetValue(quiet))
                foreach (var warning in imported.Warnings())
                    console.Error.WriteLine(warning);
            if (imported.Results.Count > 0)
                ReportWriting.Write(console, plan, imported.Results, parsed.GetValue(quiet));
            return imported.ExitCode;
        });
        return command;
    }

    private static void Print(CliConsole console, OutputPlan plan, IReadOnlyList<IoTestResult> results, bool histogram)
    {
        if (plan.Format is { } format)
        {
            ResultWriter.Write(console.Out, results, format);
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
