using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using IoBench.Cli.Options;
using IoBench.Cli.Output;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Commands;

/// <summary><c>iobench convert</c>: what old command lines, batch files and profiles ask for.</summary>
internal static class ConvertCommand
{
    public static Command Create(CliConsole console)
    {
        var files = new Argument<string[]>("FILE") { Description = "batch files, files of sqlio or diskspd command lines, DiskSpd XML profiles.", Arity = ArgumentArity.OneOrMore };
        var format = OptionText.Create("--format", "NAME", "table or json. Default table.", "-f");
        var command = new Command("convert", "Reads old command lines as tests.") { files, format };
        command.SetAction(parsed =>
        {
            var json = parsed.IsJson(format);
            var tests = new List<IoTestSpecification>();
            foreach (var file in parsed.GetValue(files) ?? [])
            {
                var read = CommandLineReader.ReadFile(file);
                tests.AddRange(read.Specifications);
                foreach (var note in read.Notes)
                    console.Error.WriteLine($"Note: {note}");
            }
            if (json)
                console.Out.WriteLine(JsonSerializer.Serialize(tests, TestCommand.Json));
            else
                Write(console.Out, tests);
            return ExitCodes.Done;
        });
        return command;
    }

    private static void Write(TextWriter output, List<IoTestSpecification> tests)
    {
        var rows = tests.ConvertAll(test => new[]
        {
            test.SourceLine?.ToString(CultureInfo.InvariantCulture) ?? "",
            PatternText.Of(test),
            test.ThreadCount.ToString(CultureInfo.InvariantCulture),
            test.OutstandingIO.ToString(CultureInfo.InvariantCulture),
            test.Buffering.ToString().ToLowerInvariant(),
            new IoDuration(test.Duration).ToString(),
            test.RestBefore > TimeSpan.Zero ? new IoDuration(test.RestBefore).ToString() : "",
            string.Join("; ", test.Targets.Select(t => t.Path)),
            test.OutputFile ?? "",
        });
        TextTable.Write(output, rows, "#Line", "IOPattern", "#Thr", "#QD", "Buffering", "#Time", "#Rest", "Path", "Output");
    }
}
