using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using IoBench.Analysis;
using IoBench.Cli.Options;
using IoBench.Cli.Output;

namespace IoBench.Cli.Commands;

/// <summary><c>iobench test</c>: results judged by rules.</summary>
internal static class TestCommand
{
    internal static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true,
        Converters = { new JsonStringEnumConverter() },
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public static Command Create(CliConsole console)
    {
        var input = new InputOptions();
        var require = OptionText.Create("--require", "NAME|FILE", $"The rules: {string.Join(", ", RuleSets.All.Select(s => s.Name))}, or a JSON file. Default {RuleSets.Default}.");
        var format = OptionText.Create("--format", "NAME", "table or json. Default table.", "-f");
        var command = new Command("test", "Judges results by rules; exit code 3 when one is missed.");
        input.AddTo(command);
        command.Add(require);
        command.Add(format);
        command.SetAction(parsed =>
        {
            var set = RuleSets.Find(parsed.Text(require) ?? RuleSets.Default);
            var json = parsed.IsJson(format);
            var imported = input.Read(parsed, console);
            var verdicts = RuleJudge.Judge(imported.Results, set);
            if (json)
                console.Out.WriteLine(JsonSerializer.Serialize(verdicts, Json));
            else if (verdicts.Count > 0)
                Write(console.Out, verdicts);
            if (imported.Results.Count > 0 && verdicts.Count == 0)
                console.Error.WriteLine($"Note: {set.Name} has no rule for these results.");
            if (!json)
                console.Error.WriteLine($"Rule set {set.Name}: {set.Source}");
            return imported.ExitCode != ExitCodes.Done ? imported.ExitCode
                : verdicts.Any(v => v.Outcome == RuleOutcome.Fail) ? ExitCodes.Missed : ExitCodes.Done;
        });
        return command;
    }

    /// <summary>Whether JSON was asked for.</summary>
    internal static bool IsJson(this ParseResult parsed, Option<string[]> format) => parsed.Text(format)?.ToUpperInvariant() switch
    {
        null or "TABLE" => false,
        "JSON" => true,
        var other => throw OptionText.Wrong(parsed, format, $"'{other.ToLowerInvariant()}' is not one of table, json."),
    };

    private static void Write(TextWriter output, IReadOnlyList<RuleVerdict> verdicts)
    {
        var rows = verdicts.Select(v => new[]
        {
            v.Workload ?? v.IOPattern ?? "", v.Rule, v.Measured?.ToString("#,##0.###", CultureInfo.InvariantCulture) ?? "", v.Band ?? "",
            v.Outcome switch { RuleOutcome.Pass => "kept", RuleOutcome.Fail => "MISSED", RuleOutcome.Warn => "warning", _ => $"not rated: {v.Reason}" },
        }).ToList();
        TextTable.Write(output, rows, "Workload", "Rule", "#Measured", "Band", "Verdict");
    }
}
