using System.CommandLine;
using System.Globalization;
using IoBench.Analysis;

namespace IoBench.Cli;

internal static class RulesCommand
{
    public static Command Create(CliConsole console)
    {
        var name = new Argument<string?>("NAME")
        {
            Description = "Rule set, or a JSON file with a rule set.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var format = OptionParsing.CreateOption("--format", "NAME", "Output format: table, json, or markdown. Default: table.", "-f");
        var command = new Command("rules", "List the rule sets and their sources.") { name, format };
        command.SetAction(parsed =>
        {
            var one = parsed.GetValue(name) is { } wanted ? IoRuleSet.Find(wanted) : null;
            switch (parsed.GetText(format)?.ToUpperInvariant())
            {
                case null or "TABLE":
                    WriteRuleSets(console.Out, one);
                    return ExitCodes.Success;
                case "JSON":
                    console.Json.WriteLine(AnalysisJson.SerializeAnalyses<IoRuleSet>(one is null ? IoRuleSet.All : [one]));
                    return ExitCodes.Success;
                case "MARKDOWN":
                    foreach (var line in IoRuleSet.CreateMarkdown().TrimEnd('\n').Split('\n'))
                        console.Out.WriteLine(line);
                    return ExitCodes.Success;
                case var other:
                    throw OptionParsing.CreateOptionError(
                        parsed,
                        format,
                        $"'{other!.ToLowerInvariant()}' is not one of table, json, markdown."
                    );
            }
        });
        return command;
    }

    private static void WriteRuleSets(TextWriter output, IoRuleSet? one)
    {
        if (one is null)
        {
            TextTable.WriteTable(
                output,
                [
                    .. IoRuleSet.All.Select(set =>
                        new[] { set.Name, set.Rules.Count.ToString(CultureInfo.InvariantCulture), set.Description ?? "", set.Author ?? "" }
                    ),
                ],
                "Name",
                "#Rules",
                "Description",
                "Author"
            );
            output.WriteLine();
            output.WriteLine("'iobench rules NAME' lists the rules of a rule set and their sources.");
            return;
        }
        output.WriteLine($"{one.Name}: {one.Description}");
        foreach (var line in IoRuleSet.DescribeRuleSet(one))
            output.WriteLine($"  {line}");
    }
}
