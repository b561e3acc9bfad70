using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class CommitCommand
{
    public static Command Create(CliConsole console)
    {
        var path = new Argument<string>("PATH") { Description = "New file, file that IoBench created, or folder for iobench.dat." };
        var options = new CommandOptionSet(OptionTables.Commit);
        var format = OptionParsing.CreateOption("--format", "table|json", "Output: a table with advice, or JSON.", "-f");
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only the table, the advice, and errors.", "-q");
        var command = new Command("commit", "Compare the ways in which SQL Server can write its log, and recommend the settings.") { path };
        options.AddTo(command);
        command.Add(format);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var values = options.ReadValues(parsed);
            return RunTest(
                console,
                CommitPlan.Create(parsed.GetValue(path)!, values),
                CommitPlan.CreateSettings(values),
                values,
                parsed.IsJsonRequested(format),
                parsed.GetValue(quiet)
            );
        });
        return command;
    }

    private static int RunTest(CliConsole console, CommitPlan plan, SuiteSettings settings, OptionValues values, bool isJson, bool quiet)
    {
        console.RequireOutput();
        using var output = ReportFile.Reserve(values, plan.Test);
        var suite = new ConsoleSuiteFront(console, quiet);
        var approval = SuiteApproval.Create([plan.Test], settings, suite);
        if (!quiet)
            foreach (var line in plan.DescribeStart(approval.Targets[0].Target))
                console.Error.WriteLine(line);
        var result = CancellableFileCall.Run(
            console,
            plan.Test.Targets[0].Path,
            () =>
                CommitRunner.Run(
                    plan,
                    approval.GetOptions(plan.Test),
                    (text, _, _) => suite.Progress.Show(text),
                    suite.OnWarning,
                    console.CancellationToken
                )
        );
        suite.Progress.Clear();
        if (isJson)
            console.Json.WriteLine(AnalysisJson.Serialize(result));
        else
            WriteResult(console, result);
        OutputDestinations.SaveReport(console, output, file => ReportFile.Save(file, result), quiet);
        RunMessages.WriteTestFiles(console, approval.Targets, settings.RemoveTestFile, quiet);
        return ExitCodes.Success;
    }

    private static void WriteResult(CliConsole console, CommitResult result)
    {
        CommandHelp.WriteParagraphs(console.Out, result.DescribeAdvice());
        foreach (var line in FormatTable(result))
            console.Out.WriteLine(line);
        if (result.Replica is not { } replica)
            return;
        console.Out.WriteLine();
        foreach (var line in FormatTable(replica))
            console.Out.WriteLine(line);
    }

    private const int MethodWidth = 24;
    private const int PartWidth = 13;
    private const int RateWidth = 9;
    private const int LatencyWidth = 7;
    private const int CountWidth = 8;

    /// <summary>Numbers of committers that fit in a line.</summary>
    private const int CommittersPerBlock = 3;

    /// <summary>Methods as rows, and numbers of committers side by side, in at most 79 columns. The device's requests are those with the
    /// most committers.</summary>
    private static IEnumerable<string> FormatTable(CommitResult result)
    {
        var isFirst = true;
        foreach (var group in result.GetGroups())
        {
            if (!isFirst)
                yield return "";
            isFirst = false;
            yield return group.Key;
            var methods = group.GroupBy(item => item.Method).ToList();
            foreach (var committers in group.Select(item => item.Committers).Distinct().Chunk(CommittersPerBlock))
            foreach (var line in FormatRates(methods, committers))
                yield return line;
            var most = group.Max(item => item.Committers);
            yield return $"{"".PadRight(MethodWidth)} {"writes", CountWidth} {"flushes", CountWidth} {"FUA", CountWidth}  per commit ({NumberFormat.Pluralize(most, "committer")})";
            foreach (var last in methods.Select(method => method.First(item => item.Committers == most)))
                yield return $"{last.MethodName.PadRight(MethodWidth)} {FormatCount(last.WritesPerCommit), CountWidth} {FormatCount(last.FlushesPerCommit), CountWidth} {FormatCount(last.FuaWritesPerCommit), CountWidth}";
        }
        if (
            result.Measurements.Any(item =>
                item.WritesPerCommit is null || item.FlushesPerCommit is null || item.FuaWritesPerCommit is null
            )
        )
            yield return "n/c: not counted";
    }

    private static IEnumerable<string> FormatRates(IReadOnlyList<IGrouping<CommitMethod, CommitMeasurement>> methods, int[] committers)
    {
        var heading = "Method".PadRight(MethodWidth);
        var units = "".PadRight(MethodWidth);
        foreach (var count in committers)
        {
            heading += " " + NumberFormat.Pluralize(count, "committer").PadLeft(RateWidth + 1 + LatencyWidth);
            units += $" {"commits/s", RateWidth} {"p99 ms", LatencyWidth}";
        }
        yield return heading;
        yield return units;
        foreach (var method in methods)
        {
            var line = method.MinBy(item => item.Committers)!.MethodName.PadRight(MethodWidth);
            foreach (var count in committers)
            {
                var item = method.FirstOrDefault(item => item.Committers == count);
                line += $" {NumberFormat.Grouped(item?.CommitsPerSecond, unknown: "-"), RateWidth}";
                line += $" {(item?.P99Ms is { } p99 ? NumberFormat.Fixed(p99, 3) : "-"), LatencyWidth}";
            }
            yield return line;
        }
    }

    /// <summary>A commit with the replica, and its parts below it.</summary>
    private static IEnumerable<string> FormatTable(ReplicaResult replica)
    {
        var (facts, isFirst) = (replica.Replica, true);
        foreach (var group in replica.Measurements.GroupBy(item => item.WriteDescription))
        {
            if (isFirst)
                yield return $"Replica {string.Join("  ", new[] { replica.Address, facts.Path, facts.FileSystem, facts.Device }.OfType<string>().Select(SafeText.Escape))}";
            isFirst = false;
            yield return group.Key;
            yield return $"{"".PadRight(PartWidth)} {"avg ms", RateWidth} {"p50 ms", RateWidth} {"p99 ms", RateWidth}  longest at p99";
            foreach (var item in group)
            {
                yield return $"{item.MethodName}, {NumberFormat.Pluralize(item.Committers, "committer")}: {NumberFormat.Grouped(item.CommitsPerSecond, unknown: "-")} commits/s";
                yield return FormatPart("commit", (item.AverageMs, item.P50Ms, item.P99Ms));
                foreach (var part in Enum.GetValues<CommitPart>())
                {
                    var share = item.GetLongestPercent(part) is { } percent ? Invariant($"{percent:0}%") : "-";
                    yield return $"{FormatPart(ReplicaMeasurement.GetName(part), item.GetLatencies(part))}  {share, 14}";
                }
            }
        }
    }

    private static string FormatPart(string name, (double? Average, double? P50, double? P99) latencies) =>
        $"{("  " + name).PadRight(PartWidth)} {FormatLatency(latencies.Average), RateWidth} {FormatLatency(latencies.P50), RateWidth} {FormatLatency(latencies.P99), RateWidth}";

    private static string FormatLatency(double? milliseconds) => milliseconds is { } value ? NumberFormat.Fixed(value, 3) : "-";

    private static string FormatCount(double? count) => count is { } value ? NumberFormat.Fixed(value, 2) : "n/c";

    /// <summary>The replica of <c>iobench commit --replica</c> on another host.</summary>
    public static Command CreateReplica(CliConsole console)
    {
        var path = new Argument<string>("PATH") { Description = "New file, file that IoBench created, or folder for iobench.dat." };
        var options = new CommandOptionSet(OptionTables.Replica);
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only errors.", "-q");
        var command = new Command(
            "replica",
            "Serve as the synchronous replica for iobench commit --replica on another computer. Press Ctrl+C to stop. The replica writes only to its own test file."
        )
        {
            path,
        };
        options.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var values = options.ReadValues(parsed);
            return Serve(
                console,
                ReplicaPlan.Create(parsed.GetValue(path)!, values),
                CommitPlan.CreateSettings(values),
                parsed.GetValue(quiet)
            );
        });
        return command;
    }

    private static int Serve(CliConsole console, ReplicaPlan plan, SuiteSettings settings, bool quiet)
    {
        var suite = new ConsoleSuiteFront(console, quiet);
        var approval = SuiteApproval.Create([plan.Test], settings, suite);
        var gate = new object();
        try
        {
            CancellableFileCall.Run(
                console,
                plan.Test.Targets[0].Path,
                () =>
                {
                    plan.Serve(
                        approval.GetOptions(plan.Test),
                        (text, _, _) => suite.Progress.Show(text),
                        suite.OnWarning,
                        Say,
                        console.CancellationToken
                    );
                    return true;
                }
            );
        }
        finally
        {
            suite.Progress.Clear();
            if (settings.RemoveTestFile)
                RunMessages.WriteTestFiles(console, approval.Targets, remove: true, quiet);
        }
        // Ctrl+C is the way to end a replica.
        return ExitCodes.Success;

        void Say(string line)
        {
            if (quiet)
                return;
            lock (gate)
            {
                suite.Progress.Clear();
                console.Error.WriteLine(SafeText.Escape(line));
            }
        }
    }
}
