using System.CommandLine;
using System.Globalization;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal static class ConvertCommand
{
    public static Command Create(CliConsole console)
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
