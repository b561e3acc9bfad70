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
        var telling = new RowOptions(OptionTables.Saturation);
        var format = OptionText.Create("--format", "NAME", "table or json. Default table.", "-f");
        var command = new Command(
            "saturation",
            "Finds the knee of a sweep (iobench run PATH --outstanding 1,2,4,8,16,32) and checks its figures by Little's law."
        );
        input.AddTo(command);
        telling.AddTo(command);
        command.Add(format);
        command.SetAction(parsed =>
        {
            Throughput.Units = telling.Read(parsed).Value<ThroughputUnits>(new OptionName("Units")) ?? ThroughputUnits.Binary;
            var json = parsed.IsJson(format);
            var imported = input.Read(parsed, console);
            if (imported.Results.Count == 0)
                return imported.ExitCode;
            var sweeps = SaturationAnalysis.Analyze(imported.Results);
            if (json)
                console.Json.WriteLine(AnswerJson.Write(sweeps));
            foreach (var sweep in sweeps)
            {
                if (!json)
                {
                    console.Out.WriteLine(sweep.Summary);
                    AnswerTables.Write(console.Out, sweep);
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
