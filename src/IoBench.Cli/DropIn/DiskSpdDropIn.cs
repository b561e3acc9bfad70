using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary>DiskSpd's arguments through version 2.3, its text or XML output as 2.2 or 2.3 prints it, and its exit codes.</summary>
internal static class DiskSpdDropIn
{
    /// <summary>DiskSpd's exit code for an invalid or missing command line or profile.</summary>
    private const int InvalidCommandLine = 3;

    private const int RunFailed = 1;

    /// <summary>Environment variable with the version of the output: 2.2 (default) or 2.3.</summary>
    public const string VersionVariable = "IOBENCH_DISKSPD_VERSION";

    public static int Run(IReadOnlyList<string> args, TestRunOptions options, CliConsole console, Action<IoTestResult>? emit = null)
    {
        DiskSpdCall call;
        DiskSpdOutputVersion form;
        try
        {
            form = ParseVersion(Environment.GetEnvironmentVariable(VersionVariable));
            call = DiskSpdCommandLine.ParseCall(args);
        }
        catch (IoBenchException error)
        {
            App.WriteError(console, error.Message);
            return InvalidCommandLine;
        }
        if (call.ShowsUsage)
        {
            WriteUsage(console.Out);
            return args.Count == 0 ? InvalidCommandLine : ExitCodes.Success;
        }
        foreach (var note in call.Notes)
            console.Error.WriteLine(note);
        if (call.SystemOnly)
            WriteSystem(call, console.Data);
        else if (call.ProfileOnly)
            WriteProfile(call, form, console.Data);
        else
            return RunTests(call, form, options, console, emit);
        return ExitCodes.Success;
    }

    internal static DiskSpdOutputVersion ParseVersion(string? version) =>
        version switch
        {
            null or "" or "2.2" => DiskSpdOutputVersion.Version22,
            "2.3" => DiskSpdOutputVersion.Version23,
            _ => throw IoBenchException.Usage(
                "IoBench.InvalidSetting",
                $"{VersionVariable} is '{version}'. Set the variable to 2.2 or 2.3, or remove the variable."
            ),
        };

    private static void WriteProfile(DiskSpdCall call, DiskSpdOutputVersion form, TextWriter output)
    {
        if (call.ResultFormat == ResultFormat.DiskSpdXml)
            DiskSpdFormat.WriteXmlProfile(output, call.Specifications, form: form);
        else
            DiskSpdFormat.WriteTextProfile(output, call.Specifications, form: form);
    }

    private static void WriteSystem(DiskSpdCall call, TextWriter output)
    {
        var computer = CreateComputerResult();
        if (call.ResultFormat == ResultFormat.DiskSpdXml)
            DiskSpdFormat.WriteXmlSystem(output, computer);
        else
            DiskSpdFormat.WriteTextSystem(output, computer);
    }

    private static int RunTests(
        DiskSpdCall call,
        DiskSpdOutputVersion form,
        TestRunOptions options,
        CliConsole console,
        Action<IoTestResult>? emit
    )
    {
        if (
            (FindBlockSizeError(call.Specifications) ?? LegacyToolTests.FindTargetError(call.Specifications, CreateMissingFileError)) is
            { } refusal
        )
        {
            WriteResults(call, form, [], console);
            App.WriteError(console, refusal);
            return RunFailed;
        }
        // An XML document must start with its declaration, so write progress to standard error.
        var watcher = new DiskSpdProgressWriter(call.ResultFormat == ResultFormat.DiskSpdXml ? console.ErrorData : console.Data);
        var outcome = DropInCommands.RunTests(
            console,
            options,
            call.Specifications,
            new Action<IoTestResult>(watcher.ReportEnd) + emit,
            watcher.ReportProgress
        );
        WriteResults(call, form, outcome.Results, console);
        return DropInCommands.ReportEnd(outcome, "diskspd", console, _ => RunFailed);
    }

    /// <summary>Prints parameters and a sentence for a timespan that was not measured, as DiskSpd does, so that the output is
    /// complete.</summary>
    private static void WriteResults(DiskSpdCall call, DiskSpdOutputVersion form, IReadOnlyList<IoTestResult> results, CliConsole console)
    {
        var all = results.Concat(call.Specifications.Skip(results.Count).Select(CreateFailedResult)).ToList();
        foreach (var result in results)
            RestoreTargetNames(result);
        if (call.ResultFormat == ResultFormat.DiskSpdXml)
            DiskSpdFormat.WriteXml(console.Data, all, form: form);
        else
            DiskSpdFormat.WriteTextRun(console.Data, all, form: form);
    }

    /// <summary>DiskSpd names a target as its command line or profile does. The engine uses the full path.</summary>
    private static void RestoreTargetNames(IoTestResult result)
    {
        if (result.Specification is not { } test || test.Targets.Count != result.Targets.Count)
            return;
        var given = new Dictionary<string, string>();
        foreach (var (target, named) in result.Targets.Zip(test.Targets))
        {
            given.TryAdd(target.Path, named.Path);
            target.Path = named.Path;
        }
        foreach (var thread in result.Threads)
            thread.Path = thread.Path is { } path ? given.GetValueOrDefault(path, path) : null;
    }

    private static IoTestResult CreateFailedResult(IoTestSpecification test)
    {
        var result = CreateComputerResult();
        result.Status = IoResultStatus.Failed;
        result.Specification = test;
        return result;
    }

    /// <summary>DiskSpd prints the computer and its processors even if nothing was measured.</summary>
    private static IoTestResult CreateComputerResult()
    {
        var groups = HostFacts.GetProcessorGroups();
        return new IoTestResult
        {
            ComputerName = Environment.MachineName,
            StartTime = DateTimeOffset.Now,
            Host = new Dictionary<string, string>(HostFacts.All),
            Processors =
            [
                .. groups.SelectMany(
                    (count, group) =>
                        Enumerable
                            .Range(0, count)
                            .Select(i => new IoProcessorLoad { Processor = i, Group = groups.Count > 1 ? group : null })
                ),
            ],
        };
    }

    /// <summary>DiskSpd accepts blocks of any size. Returns null if all blocks are small enough for IoBench.</summary>
    private static IoBenchException? FindBlockSizeError(IEnumerable<IoTestSpecification> tests)
    {
        var block = tests.SelectMany(test => test.Targets.Select(target => test.GetPattern(target).BlockSize)).DefaultIfEmpty().Max();
        return block <= SpecificationValidator.MaxBlockSize
            ? null
            : IoBenchException.Usage(
                "IoBench.InvalidBlockSize",
                $"-b: blocks of {new IoSize(block)} are larger than the maximum of IoBench, {new IoSize(SpecificationValidator.MaxBlockSize)}. Use at most -b64M."
            );
    }

    private static IoBenchException CreateMissingFileError(IoTestSpecification test, int target) =>
        IoBenchException.NotFound(
            "IoBench.FileNotFound",
            $"{test.Targets[target].Path} does not exist. DiskSpd creates a file only with -c<size>.",
            test.Targets[target].Path,
            advice: "Add -c, for example -c1G, or specify an existing file."
        );

    private static void WriteUsage(TextWriter output)
    {
        output.WriteLine(
            "iobench diskspd [options] target1 [target2 …] accepts the options of DiskSpd through version 2.3, with the same meanings. Defaults are in parentheses."
        );
        output.WriteLine();
        (string Options, string Meaning)[] lines =
        [
            (
                "-b<size> -o<n> -t<n> -F<n> -O<n>",
                "block size (64K), outstanding I/Os (2), threads per target (1), threads in a pool for all targets, outstanding I/Os per thread of this pool"
            ),
            ("-d<s> -W<s> -C<s>", "seconds of measurement (10), warm-up (5), and cool-down (0)"),
            ("-w<percent> -r[align] -rs<percent> -rd…", "write percentage (0), random, partly random, distribution"),
            ("-s[i][size] -T<offset> -B<offset> -f<size>", "sequential stride, distance between threads, base offset, maximum offset"),
            ("-S[b|h|u|w] -h", "caches: -Sh uses no software or hardware cache, like SQL Server"),
            ("-c<size>", "create the test file of this size"),
            ("-g<bytes/ms|n i> -i<n> -j<ms>", "throughput limit, I/Os per burst, think time"),
            (
                "-L -D[ms] -R[p|s]<text|xml> -v[s]",
                "latency, IOPS over time, output format (p = only the profile, s = only facts about the computer), verbose"
            ),
            ("-z[seed] -Z… -a… -n -I<1-3> -l -p -x -X<file>", "seed, content of writes, affinity, priority, large pages, and a profile"),
            (
                "-u[n][batch] -bs<n|p> -oc<n> -Sy",
                "options of DiskSpd 2.3 (IoRing, buffer placement, completion depth, BypassIO); IoBench uses the closest equivalent"
            ),
        ];
        foreach (var (options, meaning) in lines)
            output.WriteLine($"  {options, -47} {meaning}");
        output.WriteLine();
        output.WriteLine($"The output has the format of DiskSpd 2.2, or of DiskSpd 2.3 if {VersionVariable} is 2.3.");
        output.WriteLine(
            "Not supported: -e (ETW), -y (events), -Sm and -N (memory mapping), -Sr, -SY. For each option and its name in iobench run, see docs/how-to/from-diskspd.md."
        );
    }
}
