using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class WhereCommand
{
    public static Command Create(CliConsole console)
    {
        var path = new Argument<string>("PATH") { Description = "New file, file that IoBench created, or folder for iobench.dat." };
        var options = new CommandOptionSet(OptionTables.LatencySource);
        var format = OptionParsing.CreateOption("--format", "table|json", "Output: a table with a verdict, or JSON.", "-f");
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only the table, the verdict, and errors.", "-q");
        var command = new Command("where", "Find the layer that adds the latency: host, file system, volume, or device.") { path };
        options.AddTo(command);
        command.Add(format);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var values = options.ReadValues(parsed);
            var isJson = parsed.IsJsonRequested(format);
            console.RequireOutput();
            var plan = LatencySourcePlan.Create(parsed.GetValue(path)!, values);
            using var report = ReportFile.Reserve(values, plan.Tests[0].Test);
            return RunTests(console, plan, LatencySourcePlan.CreateSettings(values), report, isJson, parsed.GetValue(quiet));
        });
        return command;
    }

    private static int RunTests(
        CliConsole console,
        LatencySourcePlan plan,
        SuiteSettings settings,
        OutputFile? report,
        bool isJson,
        bool quiet
    )
    {
        var suite = new ConsoleSuiteFront(console, quiet);
        var approval = SuiteApproval.Create([.. plan.Tests.Select(item => item.Test)], settings, suite);
        if (!quiet)
            foreach (var line in plan.DescribeStart(approval.Targets[0].Target))
                console.Error.WriteLine(line);
        if (plan.IsComparison)
            Compare(console, plan, approval, suite, isJson);
        else
            FindSource(console, plan, approval, suite, report, isJson, quiet);
        RunMessages.WriteTestFiles(console, approval.Targets, settings.RemoveTestFile, quiet);
        return ExitCodes.Success;
    }

    private static void FindSource(
        CliConsole console,
        LatencySourcePlan plan,
        SuiteApproval approval,
        ConsoleSuiteFront suite,
        OutputFile? report,
        bool isJson,
        bool quiet
    )
    {
        var result = new LatencySourceRunner(plan, approval, suite).Run(console.CancellationToken);
        suite.Progress.Clear();
        if (isJson)
            console.Json.WriteLine(AnalysisJson.Serialize(result));
        else
            Write(console, result.DescribeFindings(), FormatTable(result));
        OutputDestinations.SaveReport(console, report, file => ReportFile.Save(file, result), quiet);
    }

    private static void Compare(CliConsole console, LatencySourcePlan plan, SuiteApproval approval, ConsoleSuiteFront suite, bool isJson)
    {
        var result = new ToggleRunner(plan, approval, suite).Run(console.CancellationToken);
        suite.Progress.Clear();
        if (isJson)
            console.Json.WriteLine(AnalysisJson.Serialize(result));
        else
            Write(console, result.DescribeFindings(), FormatTable(result));
    }

    private static void Write(CliConsole console, IEnumerable<string> verdicts, IEnumerable<string> table)
    {
        CommandHelp.WriteParagraphs(console.Out, verdicts);
        foreach (var line in table)
            console.Out.WriteLine(line);
    }

    private const int NumberWidth = 10;
    private const int MinNameWidth = 26;
    private const int MaxNameWidth = TextTable.MinWidth - 2 * (NumberWidth + 1);
    private const string Indent = "    ";

    /// <summary>Tables of at most 79 columns. Long names and notes continue on the next lines.</summary>
    private static IEnumerable<string> FormatTable(LatencySourceResult result)
    {
        var width = Math.Clamp(result.Layers.Max(layer => layer.Layer.Length + Indent.Length), MinNameWidth, MaxNameWidth);
        foreach (var breakdown in result.Breakdowns)
        {
            var kind = breakdown.Operation == IoOperation.Write ? "Writes" : "Reads";
            yield return $"{kind.PadRight(width)} {"ms", NumberWidth} {"share", NumberWidth}";
            foreach (var layer in breakdown.Layers)
            {
                var name = TextTable.WrapText(layer.Layer, width - Indent.Length).ToList();
                yield return $"{(layer.IsNamed ? "> " : "  ")}{name[0]}".PadRight(width)
                    + $" {NumberFormat.Fixed(layer.Milliseconds, 3), NumberWidth} {NumberFormat.Fixed(layer.Percent, 1) + "%", NumberWidth}";
                foreach (var line in name.Skip(1).Concat(TextTable.WrapText(layer.Note ?? "", TextTable.MinWidth - Indent.Length)))
                    if (line.Length > 0)
                        yield return Indent + line;
            }
            yield return $"{"  total".PadRight(width)} {NumberFormat.Fixed(breakdown.AverageMs, 3), NumberWidth} {"100.0%", NumberWidth}";
            yield return "";
        }
        var steps = result.Steps.Max(step => step.Description.Length + 2);
        yield return $"{"Test".PadRight(steps)} {"average ms", NumberWidth} {"p50 ms", NumberWidth} {"p99 ms", NumberWidth} {"IOPS", NumberWidth}";
        foreach (var step in result.Steps)
            yield return $"{("  " + step.Description).PadRight(steps)} {NumberFormat.Fixed(step.AverageMs, 3), NumberWidth} {FormatMs(step.P50Ms), NumberWidth} {FormatMs(step.P99Ms), NumberWidth} {NumberFormat.Grouped(step.Iops), NumberWidth}";
    }

    private static IEnumerable<string> FormatTable(ToggleComparison result)
    {
        yield return $"A: {result.OnCommand}";
        yield return $"B: {result.OffCommand}";
        yield return "";
        yield return $"{"", -8} {"A ms", NumberWidth} {"B ms", NumberWidth} {"A - B ms", NumberWidth}  95% interval ({NumberFormat.Pluralize(result.BlockCount, "block")} A B B A)";
        foreach (var item in result.Differences)
            yield return $"{(item.Operation == IoOperation.Write ? "Writes" : "Reads"), -8} {NumberFormat.Fixed(item.OnMs, 3), NumberWidth} {NumberFormat.Fixed(item.OffMs, 3), NumberWidth} {NumberFormat.Fixed(item.DifferenceMs, 3), NumberWidth}  {NumberFormat.Fixed(item.LowMs, 3)} to {NumberFormat.Fixed(item.HighMs, 3)} ms";
    }

    private static string FormatMs(double? value) => NumberFormat.Fixed(value, 3, "-");
}
