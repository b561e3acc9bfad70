using System.CommandLine;
using System.Globalization;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary>The commands that search for the limits of the storage: the cap, and the highest rate that meets a latency limit.</summary>
internal static class LimitCommands
{
    public static Command CreateLimit(CliConsole console)
    {
        var plan = new CommandOptionSet(OptionTables.LimitTest, $"{CommandOptionSet.PathDescription}.");
        var search = new CommandOptionSet(OptionTables.LimitSearch);
        var output = new OutputOptions();
        var quiet = OptionParsing.CreateFlag(
            "--quiet",
            "Print only results, errors, and a notice before IoBench creates a large file.",
            "-q"
        );
        var command = new Command("limit", "Find the highest rate that meets a latency limit, such as a p99 of at most 5 ms.");
        search.AddTo(command);
        plan.AddTo(command, twoPages: true);
        output.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var values = search.ReadValues(parsed);
            var request = plan.ReadRequest(parsed);
            if (request.Paths.Count == 0)
                throw plan.CreateMissingPathError(IoCommand.Limit);
            return RunSearch(
                console,
                output.ReadTargets(parsed, DateTime.Now),
                LimitSearchPlan.Create(values, request),
                request.Suite,
                parsed.GetValue(quiet)
            );
        });
        return command;
    }

    private static int RunSearch(CliConsole console, OutputDestinations output, LimitSearchPlan plan, SuiteSettings settings, bool quiet)
    {
        if (output.Format is not (null or ResultFormat.Json))
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{new OptionName("Format")} of iobench limit must be table or json. To save the runs in another format, use {OptionNames.OutputPath}."
            );
        if (output.HasFile)
            console.MarkResultsSaved();
        console.RequireOutput();
        var front = new ConsoleSuiteFront(console, quiet);
        using var suite = Suite.Prepare([plan.Test], settings, output, front, plan.Options.MaxProbes, quiet);
        var table = new TextTable(
            [
                .. new[] { "Target IOPS", "IOPS", plan.Limit.Name == "p99" ? "P99 ms" : "Avg ms", "Limit" }.Select(
                    (h, i) => new TextColumn(h, i == 3 ? 17 : 10, IsNumber: i < 3)
                ),
            ],
            120
        );
        if (output.Format is null)
            foreach (var line in table.FormatHeader())
                console.Out.WriteLine(line);
        var found = LimitSearchPlan.FindLimit(
            plan,
            suite,
            probe =>
            {
                OutputDestinations.WriteNotices(console, suite.Outputs);
                if (output.Format is null)
                    console.Out.WriteLine(
                        table.FormatRow([
                            FormatNumber(probe.TargetIops) ?? "all",
                            FormatNumber(probe.IOPS),
                            probe.LatencyMs?.ToString("0.000", CultureInfo.InvariantCulture),
                            probe.TargetIops is null ? ""
                            : probe.IsWithinLimit ? "meets the limit"
                            : probe.IsDoubtful ? "not rated"
                            : !probe.IsRateReached ? "rate not reached"
                            : probe.LatencyMs is null ? "too few I/Os"
                            : "exceeds the limit",
                        ])
                    );
            },
            console.CancellationToken
        );
        if (output.Format is ResultFormat.Json)
            console.Json.WriteLine(AnalysisJson.SerializeAnalyses(new[] { found }));
        if (!quiet)
            console.Error.WriteLine();
        // The result is printed even with --quiet.
        console.Error.WriteLine(found.Summary);
        if (!quiet)
            RunMessages.WriteNotes(console, [.. found.Probes.Select(p => p.Result)], suite.Targets, removed: false, withVerdict: false);
        OutputDestinations.WriteReport(console, output, suite.Outputs, [.. found.Probes.Select(p => p.Result)], quiet);
        return found.Outcome switch
        {
            LimitOutcome.NeverMet or LimitOutcome.Unknown => ExitCodes.RequirementNotMet,
            LimitOutcome.Interrupted => console.CancellationToken.IsCancellationRequested ? ExitCodes.Canceled : ExitCodes.Failed,
            _ => ExitCodes.Success,
        };
    }

    private static string? FormatNumber(double? value) => value?.ToString(value >= 100 ? "#,##0" : "0.#", CultureInfo.InvariantCulture);

    public static Command CreateCap(CliConsole console)
    {
        var paths = new Argument<string[]>("PATH")
        {
            Description =
                "Test file, or folder for iobench.dat. With two or more paths, IoBench finds out whether the paths share a limit.",
            Arity = ArgumentArity.OneOrMore,
        };
        var options = new CommandOptionSet(OptionTables.Cap.Except(OptionTables.Rating));
        var quiet = OptionParsing.CreateFlag(
            "--quiet",
            "Print only results, errors, and a notice before IoBench creates a large file.",
            "-q"
        );
        var output = new OutputOptions();
        var command = new Command(
            "cap",
            "Find what limits the storage: an IOPS limit, a throughput limit, burst credits, the computer, or the device."
        )
        {
            paths,
        };
        options.AddTo(command);
        output.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var values = options.ReadValues(parsed);
            var request = CapSearchPlan.Create(parsed.GetValue(paths) ?? [], values);
            var plan = output.ReadTargets(parsed, DateTime.Now);
            plan.ReportOptions.Bought = request.Storage;
            return new RunCommand(console)
            {
                Output = plan,
                IsQuiet = parsed.GetValue(quiet),
                Settings = new PlanRequest([], values).Suite,
                ResultEvaluator = results => ReportCaps(console, results, request.Storage, parsed.GetValue(quiet)),
            }.Execute(request.Tests);
        });
        return command;
    }

    private static int ReportCaps(CliConsole console, IReadOnlyList<IoTestResult> results, StorageSpecification? bought, bool quiet)
    {
        var missed = false;
        foreach (var answer in CapResult.Analyze(results, bought))
        {
            console.Error.WriteLine(answer.Summary);
            missed |= answer.Checks.Any(check => check.IsMet == false);
            foreach (var warning in quiet ? [] : answer.Warnings)
                console.Error.WriteLine($"Note: {warning}");
        }
        return missed ? ExitCodes.RequirementNotMet : ExitCodes.Success;
    }
}
