using System.CommandLine;
using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Workloads;

namespace IoBench.Cli;

/// <summary>The commands that list workloads and rule sets.</summary>
internal static class CatalogCommands
{
    public static Command CreateWorkloads(CliConsole console)
    {
        var name = new Argument<string?>("NAME")
        {
            Description = "Workload, operation, or suite. Default: list all.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var format = OptionParsing.CreateOption("--format", "NAME", "Output format: table, json, or markdown. Default: table.", "-f");
        var command = new Command("workloads", "List the SQL Server workloads and suites.") { name, format };
        command.SetAction(parsed =>
        {
            var chosen = parsed.GetValue(name) is { } wanted ? GetMembers(WorkloadCatalog.Find(wanted)) : WorkloadCatalog.All;
            switch (parsed.GetText(format)?.ToUpperInvariant())
            {
                case null or "TABLE":
                    if (parsed.GetValue(name) is { } one)
                        WriteWorkload(console.Out, WorkloadCatalog.Find(one));
                    else
                        WriteCatalog(console.Out);
                    return ExitCodes.Success;
                case "JSON":
                    console.Json.WriteLine(AnalysisJson.SerializeAnalyses([.. chosen.Select(WorkloadInfo.FromWorkload)]));
                    return ExitCodes.Success;
                case "MARKDOWN":
                    foreach (var line in WorkloadCatalog.CreateMarkdown().TrimEnd('\n').Split('\n'))
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

    private static IReadOnlyList<IoWorkload> GetMembers(IoWorkload workload) =>
        workload.Members.Count == 0 ? [workload] : [.. workload.Members.Select(WorkloadCatalog.Find)];

    private static void WriteCatalog(TextWriter output)
    {
        output.WriteLine("Suites");
        TextTable.WriteTable(
            output,
            [
                .. WorkloadCatalog.Suites.Select(s =>
                    new[]
                    {
                        s.Name,
                        s.Members.Count.ToString(CultureInfo.InvariantCulture),
                        TestPlanEstimate.FormatDuration(s.Duration),
                        s.Reason,
                    }
                ),
            ],
            "Name",
            "#Tests",
            "Time",
            "Purpose"
        );
        output.WriteLine();
        output.WriteLine("Workloads");
        WriteWorkloads(
            output,
            WorkloadCatalog.All.Where(w => w.Kind == CatalogEntryKind.Workload && !w.IsHistoric && !IsPartOfOperation(w))
        );
        output.WriteLine();
        output.WriteLine("I/O operations of SQL Server as published in 2016, each with its smallest and largest I/O size");
        TextTable.WriteTable(
            output,
            [
                .. WorkloadCatalog
                    .All.Where(w => w.Kind == CatalogEntryKind.Operation)
                    .Select(w => new[] { w.Name, w.Members.Count.ToString(CultureInfo.InvariantCulture), w.Role }),
            ],
            "Name",
            "#Tests",
            "Role"
        );
        output.WriteLine();
        output.WriteLine(
            "Not in this list: "
                + string.Join(", ", WorkloadCatalog.Notes.Select(note => note.Name))
                + ". 'iobench workloads NAME' explains why."
        );
        output.WriteLine("'iobench workloads NAME' explains the tests of a suite or an operation, their sources,");
        output.WriteLine("and how reliable the sources are.");
    }

    private static void WriteWorkload(TextWriter output, IoWorkload workload)
    {
        output.WriteLine($"{workload.Name}{(workload.IsHistoric ? " (historic)" : "")}: {workload.Reason}");
        if (workload.Suites.Count > 0)
            output.WriteLine($"in {string.Join(", ", workload.Suites)}");
        output.WriteLine();
        WriteWorkloads(output, GetMembers(workload));
        output.WriteLine();
        if (workload.Kind != CatalogEntryKind.Suite)
        {
            foreach (var line in WorkloadCatalog.DescribeWorkload(workload).SkipWhile(line => line != workload.Reason).Skip(1))
                output.WriteLine(line);
            return;
        }
        foreach (var member in GetMembers(workload).DistinctBy(m => m.Reason))
            output.WriteLine(
                $"{member.Name}: {member.Reason}{(member.Confidence is { } confidence ? $" (confidence: {confidence.ToString().ToLowerInvariant()})" : "")}"
            );
    }

    private static void WriteWorkloads(TextWriter output, IEnumerable<IoWorkload> workloads) =>
        TextTable.WriteTable(
            output,
            [
                .. workloads.Select(w =>
                    new[]
                    {
                        w.Name,
                        w.Pattern,
                        w.ThreadCount?.ToString(CultureInfo.InvariantCulture) ?? "",
                        w.OutstandingIO?.ToString(CultureInfo.InvariantCulture) ?? "",
                        w.Role + (w.Buffering is { } buffering and not IoBuffering.None ? $" ({buffering})" : ""),
                    }
                ),
            ],
            "Name",
            "IOPattern",
            "#Thr",
            "#QD",
            "Role"
        );

    private static bool IsPartOfOperation(IoWorkload workload) =>
        WorkloadCatalog.All.Any(o => o.Kind == CatalogEntryKind.Operation && o.Members.Contains(workload.Name));

    public static Command CreateRules(CliConsole console)
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
