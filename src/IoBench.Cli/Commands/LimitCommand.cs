using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using IoBench.Analysis;
using IoBench.Cli.Options;
using IoBench.Cli.Output;
using IoBench.Cli.Running;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Commands;

/// <summary><c>iobench limit</c>: the highest rate that keeps a limit on latency.</summary>
internal static class LimitCommand
{
    private static readonly TimeSpan s_duration = TimeSpan.FromSeconds(10);

    public static Command Create(CliConsole console)
    {
        var plan = new PlanOptions();
        var output = new OutputOptions();
        var latency = OptionText.Create("--max-latency-ms", "MS", "The limit in milliseconds.", "--max-latency");
        var statistic = OptionText.Create("--statistic", "NAME", "What must keep it: average or p99. Default average.");
        var operation = OptionText.Create("--operation", "NAME", "Of a mixed pattern: the limit is on its reads or on its writes (read, write).");
        var tolerance = OptionText.Create("--tolerance-percent", "N", "Stop when the answer is known so closely. Default 2.", "--tolerance");
        var maxIops = OptionText.Create("--max-iops", "N", "Highest rate to try. Default: what a closed loop reaches.");
        var maxProbes = OptionText.Create("--max-probes", "N", "Runs at most. Default 60.");
        var quiet = OptionText.CreateFlag("--quiet", "Nothing on standard error but errors.", "-q");
        var command = new Command("limit", "Finds the highest rate that keeps a limit on latency, such as p99 of at most 5 ms.");
        foreach (var option in new[] { latency, statistic, operation, tolerance, maxIops, maxProbes })
            command.Add(option);
        plan.AddTo(command);
        output.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var limit = new LatencyLimit(parsed.Value(statistic, OptionText.Name<LatencyStatistic>) ?? LatencyStatistic.Average,
                parsed.Value(latency, OptionText.Number) ?? throw IoBenchException.Usage("IoBench.Usage", "limit needs --max-latency-ms: the limit in milliseconds, for example --max-latency-ms 5."),
                parsed.Value(operation, OptionText.Name<IoOperation>));
            var defaults = new LimitOptions();
            var options = new LimitOptions(parsed.Value(tolerance, OptionText.Number) ?? defaults.TolerancePercent, defaults.Repeats,
                parsed.Value(maxProbes, OptionText.Integer) ?? defaults.MaxProbes, parsed.Value(maxIops, OptionText.Number));
            var request = plan.Read(parsed);
            if (request.Paths.Count == 0)
                throw IoBenchException.Usage("IoBench.Usage", $"limit needs PATH: {PlanOptions.PathDescription}");
            request.Duration ??= s_duration;
            var tests = TestPlan.Create(request);
            if (tests.Count != 1)
                throw IoBenchException.Usage("IoBench.SuiteNotPossible", $"These are {tests.Count} tests: a limit is searched with one. Name one path, one workload and single values.");
            return Search(console, output.Read(parsed, DateTime.Now), tests[0], limit, options, parsed.GetValue(quiet));
        });
        return command;
    }

    private static int Search(CliConsole console, OutputPlan output, IoTestSpecification test, LatencyLimit limit, LimitOptions options, bool quiet)
    {
        if (output.Format is not (null or ResultFormat.Json))
            throw IoBenchException.Usage("IoBench.Usage", "--format: limit prints a table or json; --output FILE keeps its runs in other formats.");
        LimitSearch.Check(test, limit, options);
        output.CheckPaths();
        var runOptions = new TestRunOptions { Force = output.Force, AllowSqlServerRead = output.Force, Quiet = quiet };
        var targets = PlannedTargets.All([test], runOptions, console);
        if (!quiet)
        {
            console.Error.WriteLine();
            foreach (var line in RunHeader.Of([.. targets.Select(t => t.Target)], [test], TestPlan.Estimate(Enumerable.Repeat(test, options.MaxProbes), targets.Sum(t => t.BytesToMake)), isMost: true))
                console.Error.WriteLine(line);
            console.Error.WriteLine();
        }
        var file = output.OutputPath is { } path ? new ResultFile(path, output.OutputFormat!.Value) : null;
        var runner = new SuiteRunner(console, runOptions, new ProgressLine(console.Error, console.ErrorIsTerminal && !quiet));
        var table = new TextTable([.. new[] { "Asked IOPS", "IOPS", limit.Name == "p99" ? "P99 ms" : "Avg ms", "Limit" }.Select((h, i) => new TableColumn(h, i == 3 ? 6 : 10, IsNumber: i < 3))], 120);
        if (output.Format is null)
            foreach (var line in table.Header())
                console.Out.WriteLine(line);
        var probes = 0;
        var found = LimitSearch.Find(test, limit, specification =>
        {
            probes++;
            var result = runner.RunOne(specification, probes, options.MaxProbes, $"probe of {specification.Workload ?? PatternText.Of(specification)}");
            file?.Add(result);
            return result;
        }, options, probe =>
        {
            if (output.Format is null)
                console.Out.WriteLine(table.Line([Number(probe.TargetIops) ?? "all", Number(probe.IOPS), probe.LatencyMs?.ToString("0.000", CultureInfo.InvariantCulture), probe.TargetIops is null ? "" : probe.Kept ? "kept" : "missed"]));
        });
        if (output.Format is ResultFormat.Json)
            console.Out.WriteLine(JsonSerializer.Serialize(new[] { found }, TestCommand.Json));
        if (!quiet)
            console.Error.WriteLine();
        // The answer itself, whatever is quiet.
        console.Error.WriteLine(found.Summary);
        if (!quiet)
            RunNotes.Write(console, [.. found.Probes.Select(p => p.Result)], targets, removed: false, withVerdict: false);
        ReportWriting.Write(console, output, [.. found.Probes.Select(p => p.Result)], quiet);
        return found.Outcome switch
        {
            LimitOutcome.NeverKept => ExitCodes.Missed,
            LimitOutcome.Interrupted => console.Cancelled.IsCancellationRequested ? ExitCodes.Cancelled : ExitCodes.Failed,
            _ => ExitCodes.Done,
        };
    }

    private static string? Number(double? value) => value?.ToString(value >= 100 ? "#,##0" : "0.#", CultureInfo.InvariantCulture);
}
