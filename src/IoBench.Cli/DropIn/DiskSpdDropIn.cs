using IoBench.Cli.Output;
using IoBench.Cli.Running;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.DropIn;

/// <summary><c>iobench diskspd …</c>: DiskSpd 2.2's arguments, its text or XML on standard output, and its exit codes.</summary>
internal static class DiskSpdDropIn
{
    /// <summary>DiskSpd's exit code for a wrong command line or profile, and for none.</summary>
    private const int WrongCommandLine = 3;
    /// <summary>DiskSpd's exit code for a run that failed.</summary>
    private const int RunFailed = 1;

    /// <summary>Runs it.</summary>
    /// <param name="args">DiskSpd's arguments.</param>
    /// <param name="force">Use files that are not ours.</param>
    /// <param name="console">Where to.</param>
    /// <param name="emit">Takes each result as it comes; null = nobody wants them.</param>
    public static int Run(IReadOnlyList<string> args, bool force, CliConsole console, Action<IoTestResult>? emit = null)
    {
        DiskSpdCall call;
        try
        {
            call = DiskSpdCommandLine.ParseCall(args);
        }
        catch (IoBenchException error)
        {
            App.WriteError(console, error.Message);
            return WrongCommandLine;
        }
        if (call.ShowsUsage)
        {
            WriteUsage(console.Out);
            return args.Count == 0 ? WrongCommandLine : ExitCodes.Done;
        }
        foreach (var note in call.Notes)
            console.Error.WriteLine(note);
        if (!call.ProfileOnly)
            return RunTests(call, force, console, emit);
        if (call.ResultFormat == ResultFormat.DiskSpdXml)
            DiskSpdXmlWriter.WriteProfile(console.Out, call.Specifications);
        else
            DiskSpdTextWriter.WriteProfile(console.Out, call.Specifications);
        return ExitCodes.Done;
    }

    private static int RunTests(DiskSpdCall call, bool force, CliConsole console, Action<IoTestResult>? emit)
    {
        if (MissingTarget(call) is { } missing)
        {
            WriteResults(call, [], console);
            App.WriteError(console, $"{missing} does not exist: DiskSpd makes a file only when -c<size> says how large. Add -c, for example -c1G, or name a file that is there.");
            return RunFailed;
        }
        var options = new TestRunOptions { Force = force, AllowSqlServerRead = force };
        var progress = new ProgressLine(console.Error, console.ErrorIsTerminal);
        // An XML document must begin as one: there the lines go to standard error.
        var watcher = new DiskSpdProgress(call.ResultFormat == ResultFormat.DiskSpdXml ? console.Error : console.Out);
        var outcome = new SuiteRunner(console, options, progress) { Watch = watcher.Watch }.Run(call.Specifications, new Action<IoTestResult>(watcher.End) + emit);
        WriteResults(call, outcome.Results, console);
        if (outcome.Cancelled)
            return ExitCodes.Cancelled;
        if (outcome.Error is not { } error)
            return ExitCodes.Done;
        App.WriteError(console, DropIns.ForceHint(error, "diskspd"));
        return RunFailed;
    }

    /// <summary>
    /// All timespans as one run. One that did not come to its measurement stands there as DiskSpd shows it: parameters, and a sentence in place of
    /// figures, so that who reads the output finds a text or document that is whole.
    /// </summary>
    private static void WriteResults(DiskSpdCall call, IReadOnlyList<IoTestResult> results, CliConsole console)
    {
        var all = results.Concat(call.Specifications.Skip(results.Count).Select(NotMeasured)).ToList();
        foreach (var result in results)
            NameTargetsAsGiven(result);
        if (call.ResultFormat == ResultFormat.DiskSpdXml)
            DiskSpdXmlWriter.Write(console.Out, all);
        else
            DiskSpdTextWriter.WriteRun(console.Out, all);
    }

    /// <summary>DiskSpd's figures name a target as its command line or profile does; the engine's by its full path.</summary>
    private static void NameTargetsAsGiven(IoTestResult result)
    {
        if (result.Specification is not { } test || test.Targets.Count != result.Targets.Count)
            return;
        var given = new Dictionary<string, string>();
        foreach (var (target, named) in result.Targets.Zip(test.Targets))
        {
            given.TryAdd(target.Path, named.Path);
            if (result.ToolDetails.TryGetValue(EffectiveDistribution.Name, out var text))
                result.ToolDetails[EffectiveDistribution.Name] = text.Replace($"target: {target.Path} [", $"target: {named.Path} [", StringComparison.Ordinal);
            target.Path = named.Path;
        }
        foreach (var thread in result.Threads)
            thread.Path = thread.Path is { } path ? given.GetValueOrDefault(path, path) : null;
    }

    private static IoTestResult NotMeasured(IoTestSpecification test)
        => new() { Status = IoResultStatus.Failed, Specification = test, ComputerName = Environment.MachineName, StartTime = DateTimeOffset.Now };

    /// <summary>A file that must be there and is not; null when there is none.</summary>
    private static string? MissingTarget(DiskSpdCall call) => call.Specifications
        .Where(test => test.DiskSpd is { CreateFiles: false })
        .SelectMany(test => test.Targets)
        .Select(target => target.Path)
        .FirstOrDefault(path => !path.StartsWith(@"\\.\", StringComparison.Ordinal) && !File.Exists(path) && !Directory.Exists(path));

    private static void WriteUsage(TextWriter output)
    {
        output.WriteLine("iobench diskspd [options] target1 [target2 …]: DiskSpd 2.2's options with their meaning and defaults.");
        output.WriteLine();
        (string Options, string Meaning)[] lines =
        [
            ("-b<size> -o<n> -t<n> -F<n> -O<n>", "block size (64K), outstanding I/Os (2), threads a target (1), threads of the run, outstanding of a pool"),
            ("-d<s> -W<s> -C<s>", "seconds measured (10), warm-up (5), cool-down (0)"),
            ("-w<percent> -r[align] -rs<percent> -rd…", "writes (0), random, part random, distribution"),
            ("-s[i][size] -T<offset> -B<offset> -f<size>", "sequential with stride, distance of threads, first and last offset"),
            ("-S[b|h|u|w] -h", "caches: -Sh neither software nor hardware cache, as SQL Server"),
            ("-c<size>", "make the test file"),
            ("-g<bytes/ms|n i> -i<n> -j<ms>", "throughput limit, bursts and think time"),
            ("-L -D[ms] -R[p]<text|xml> -v", "latency, IOPS over time, form of the results"),
            ("-z[seed] -Z… -a… -n -I<1-3> -l -p -x -X<file>", "seed, content of writes, affinity, priority, large pages, and a profile"),
        ];
        foreach (var (options, meaning) in lines)
            output.WriteLine($"  {options,-47} {meaning}");
        output.WriteLine();
        output.WriteLine("Not offered: -e (ETW), -y (events), -Sm and -N (memory mapping), -Sr. docs/from-diskspd.md has every option and its name in iobench run.");
    }
}
