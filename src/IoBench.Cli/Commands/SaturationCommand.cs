using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class SaturationCommand
{
    public static Command Create(CliConsole console)
    {
        var input = new InputOptions();
        var options = new CommandOptionSet(OptionTables.Saturation);
        var format = OptionParsing.CreateOption("--format", "NAME", "Output format: table or json. Default: table.", "-f");
        var command = new Command(
            "saturation",
            "Find the saturation point in the results of a sweep, such as iobench run PATH --outstanding-io 1,2,4,8,16,32."
        );
        input.AddTo(command);
        options.AddTo(command);
        command.Add(format);
        command.SetAction(parsed =>
        {
            ThroughputDisplay.Units =
                options.ReadValues(parsed).GetValue<ThroughputUnits>(new OptionName("Units")) ?? ThroughputUnits.Binary;
            var json = parsed.IsJsonRequested(format);
            var imported = input.ReadResults(parsed, console);
            if (imported.Results.Count == 0)
                return imported.ExitCode;
            var sweeps = SaturationResult.Analyze(imported.Results);
            if (json)
                console.Json.WriteLine(AnalysisJson.SerializeAnalyses(sweeps));
            foreach (var sweep in sweeps)
            {
                if (!json)
                {
                    console.Out.WriteLine(sweep.Summary);
                    AnalysisTables.WriteTable(console.Out, sweep);
                    console.Out.WriteLine();
                }
                foreach (var warning in sweep.Warnings)
                    console.Error.WriteLine($"Note: {warning}");
            }
            return imported.ExitCode;
        });
        return command;
    }
}
