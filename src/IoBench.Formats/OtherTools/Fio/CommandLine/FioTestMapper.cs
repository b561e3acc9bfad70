using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioTestMapper
{
    private const int MaxNotes = 1000;

    internal static CommandLineTests MapJobs(IReadOnlyList<FioJobDefinition> sections, string? sourceFile, string? outputFile)
    {
        var tests = new List<IoTestSpecification>();
        var notes = new List<string>();
        var refused = new List<IoBenchException>();
        foreach (var group in GroupConcurrentJobs(sections))
        {
            try
            {
                foreach (var section in group)
                    FioTestMapper.CheckSupported(section);
                var test = CreateTest(group, text => Note(group[0], text));
                test.GetOrAddOrigin().SourceFile = sourceFile;
                test.GetOrAddOrigin().SourceLine = group[0].Line;
                test.GetOrAddOrigin().OutputFile = outputFile;
                test.GetOrAddOrigin().CommandLine = CreateCommandLine(group, sourceFile);
                FioTestMapper.SetVerification(test, group, Note);
                tests.Add(test);
                foreach (var section in group)
                    NoteRest(section);
            }
            catch (IoBenchException error)
            {
                refused.Add(error);
            }
        }
        return new CommandLineTests(tests, notes, refused);

        void Note(FioJobDefinition section, string text)
        {
            var where = section.Line is { } line
                ? string.Create(CultureInfo.InvariantCulture, $"{(sourceFile is null ? "" : sourceFile + " ")}line {line}, ")
                : "";
            var note = $"{where}job {section.Name}: {text}";
            if (notes.Count < MaxNotes && !notes.Contains(note))
                notes.Add(note);
        }

        void NoteRest(FioJobDefinition section)
        {
            foreach (
                var name in section.Options.Names.Where(name =>
                    !FioOptionCatalog.IsMapped(name)
                    && !FioOptionCatalog.IsIgnorable(name)
                    && !FioTestMapper.IsVerificationOption(name)
                    && !IsPartOfOption(name)
                )
            )
            {
                var option = section.Options[name] is { Length: > 0 } value ? $"{name}={value}" : name;
                Note(
                    section,
                    GetCounterpart(section, name) is { } counterpart ? $"{option} is ignored: {counterpart}" : $"IoBench ignores {option}"
                );
            }
        }
    }

    private static IEnumerable<List<FioJobDefinition>> GroupConcurrentJobs(IReadOnlyList<FioJobDefinition> sections)
    {
        var group = new List<FioJobDefinition>();
        foreach (var section in sections)
        {
            if (group.Count > 0 && section.Options.IsOn("stonewall"))
            {
                yield return group;
                group = [];
            }
            group.Add(section);
        }
        if (group.Count > 0)
            yield return group;
    }

    private static IoTestSpecification CreateTest(List<FioJobDefinition> group, Action<string> note)
    {
        var test = new IoTestSpecification { Label = string.Join('+', group.Select(section => section.Name)), WarmUp = TimeSpan.Zero };
        SetTimes(test, group, note);
        test.Seed = GetCommonValue(
            group,
            "randseed",
            section =>
                section.Options["randseed"] is not { } text ? 0UL
                : ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var seed) ? seed
                : throw section.CreateError($"randseed={text} is not a number.")
        );
        test.Backend = GetCommonValue(group, "ioengine", GetBackend);
        SetSteadyState(test, group, note);
        FioPatternMapper.SetPattern(test, group[0], note);
        if (group.Count == 1)
        {
            SetSingleJob(test, group[0]);
            return test;
        }
        foreach (var section in group)
        {
            var pattern = new IoPattern();
            FioPatternMapper.SetPattern(pattern, section, note);
            var (targets, isPool) = FioTestMapper.CreateTargets(section, pattern.ThreadCount);
            if (isPool)
                throw section.CreateNotSupportedError(
                    "IoBench does not support several files in a job that runs concurrently with other jobs. Run the job alone (stonewall), or use one job per file."
                );
            SetThreads(pattern, section, targets.Count);
            foreach (var target in targets)
            {
                target.Pattern = pattern.ClonePattern();
                target.Role = section.Name;
                test.Targets.Add(target);
            }
        }
        return test;
    }

    private static void SetSingleJob(IoTestSpecification test, FioJobDefinition section)
    {
        var (targets, isPool) = FioTestMapper.CreateTargets(section, test.ThreadCount);
        test.Targets.AddRange(targets);
        if (!isPool)
        {
            SetThreads(test, section, targets.Count);
            return;
        }
        // The threads of the job share all its files and keep the same number of I/Os outstanding.
        test.SharedThreadPool = true;
        test.PoolOutstandingIO = test.OutstandingIO;
        test.TargetIops /= targets.Count;
        test.MaxBytesPerSecondPerThread /= targets.Count;
    }

    /// <summary>Gives each clone of a job without a file name its own file, as fio does.</summary>
    private static void SetThreads(IoPattern pattern, FioJobDefinition section, int targets)
    {
        if (section.Options.Files.Count > 0 || targets == 1)
            return;
        pattern.TargetIops /= targets;
        pattern.ThreadCount = 1;
    }

    private static void SetTimes(IoTestSpecification test, List<FioJobDefinition> group, Action<string> note)
    {
        var time = GetCommonValue(
            group,
            "runtime",
            section =>
                section.GetTime("runtime", TimeSpan.FromSeconds(1)) is { } runtime && runtime > TimeSpan.Zero ? runtime : (TimeSpan?)null
        );
        test.WarmUp = GetCommonValue(group, "ramp_time", section => section.GetTime("ramp_time", TimeSpan.FromSeconds(1)) ?? TimeSpan.Zero);
        if (time is not null)
            test.Duration = time.Value;
        if (time is null)
            note(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"the job has no runtime, so fio would stop after it transfers the amount of data that size specifies. In IoBench, the test ends after {test.Duration.TotalSeconds:0} s"
                )
            );
        else if (!group[0].Options.IsOn("time_based"))
            note(
                "fio can stop before the runtime ends, because it stops after it transfers the amount of data that size specifies. In IoBench, the test lasts for the whole runtime"
            );
    }

    private static T GetCommonValue<T>(List<FioJobDefinition> group, string name, Func<FioJobDefinition, T> value)
    {
        var first = value(group[0]);
        foreach (var section in group)
        {
            if (!EqualityComparer<T>.Default.Equals(value(section), first))
                throw section.CreateNotSupportedError(
                    $"{name} differs from its value in job {group[0].Name}. Jobs that run concurrently must use the same value."
                );
        }
        return first;
    }

    private static string GetBackend(FioJobDefinition section)
    {
        var engine = section.Options.Engine;
        if (FioOptions.FindBackend(engine) is { } backend)
            return backend;
        if (
            engine is null
            || (
                FioOptions.IsSynchronous(engine)
                && engine is not ("mmap" or "splice" or "ftruncate" or "falloc" or "e4defrag" or "filecreate" or "filestat" or "filedelete")
            )
        )
            return BackendCatalog.Auto;
        throw section.CreateNotSupportedError(
            $"ioengine={engine} is not supported. Use io_uring, libaio, windowsaio, posixaio, psync, a similar engine, or null."
        );
    }

    private static string CreateCommandLine(List<FioJobDefinition> group, string? sourceFile) =>
        sourceFile is null
            ? "fio "
                + string.Join(
                    ' ',
                    group.Select(section => $"{CommandLineSplitter.Quote("--name=" + section.Name)} {section.Options.CommandLine}")
                )
            : $"fio {CommandLineSplitter.Quote(sourceFile)} "
                + string.Join(' ', group.Select(section => CommandLineSplitter.Quote("--section=" + section.Name)));

    private static readonly (string Option, string Why)[] s_refusedOptions =
    [
        ("verify_only", "fio would then only verify data from an earlier run, but IoBench would write the data again"),
        ("create_only", "fio would then only create files, but IoBench would also read or write them"),
        ("read_iolog", "it replays recorded I/O"),
        ("opendir", "the files in that folder are unknown before the run. Specify each file with filename"),
        ("filename_format", "it generates the names of the files. Specify each file with filename"),
    ];

    internal static void CheckSupported(FioJobDefinition section)
    {
        foreach (var (option, why) in s_refusedOptions)
        {
            if (section.Options.IsOn(option))
                throw section.CreateNotSupportedError($"IoBench does not support {option}, because {why}.");
        }
        if (section.Options.IsOn("readonly") && section.Options.OperationKind is not ("read" or "randread"))
            throw section.CreateNotSupportedError(
                $"readonly does not allow writes, but rw={section.Options.OperationKind} writes. fio also refuses to run this job."
            );
    }

    internal static bool IsVerificationOption(string name) =>
        name is "verify" or "do_verify" or "readonly"
        || name.StartsWith("verify_", StringComparison.Ordinal)
        || name.StartsWith("experimental_verify", StringComparison.Ordinal);

    /// <summary>Creates the targets of a job. IsPool is true if the threads of the job share all targets.</summary>
    internal static (List<IoTargetSpecification> Targets, bool IsPool) CreateTargets(FioJobDefinition section, int clones)
    {
        var files = section.Options.Files;
        var each = section.GetNumber("nrfiles", 1, 10_000) ?? 1;
        var isNamed = files.Count > 0;
        if (!isNamed)
        {
            if (each > 1 && clones > 1)
                throw section.CreateNotSupportedError(
                    "IoBench does not support nrfiles above 1 together with numjobs above 1. Specify the files with filename, or define each clone as a separate job."
                );
            files = CreateFileNames(section, clones, each);
        }
        // fio resolves names without a folder in its directory.
        else if (section.Options.Directory is { Length: > 0 } directory)
            files = [.. files.Select(file => Path.Combine(directory, file))];
        // fio's size of a job is the total of all its files.
        var parts = isNamed ? files.Count : each;
        var size = GetFileSize(section, parts);
        var offset = section.GetSize("offset") ?? 0;
        var targets = files
            .Select(file => new IoTargetSpecification(file)
            {
                BaseOffset = offset,
                FileSize = size + offset,
                MaxOffset = size is not null && offset > 0 ? size + offset : null,
            })
            .ToList();
        return (targets, parts > 1);
    }

    private static List<string> CreateFileNames(FioJobDefinition section, int clones, int each)
    {
        var names = new List<string>();
        for (var clone = 0; clone < clones; clone++)
        {
            for (var file = 0; file < each; file++)
                names.Add(
                    Path.Combine(
                        section.Options.Directory ?? "",
                        string.Create(CultureInfo.InvariantCulture, $"{section.Name}.{clone}.{file}")
                    )
                );
        }
        return names;
    }

    private static long? GetFileSize(FioJobDefinition section, int parts)
    {
        foreach (var name in (string[])["filesize", "size"])
        {
            if (section.Options[name] is not { } text)
                continue;
            if (text.EndsWith('%') || text.EndsWith('z') || text.Contains('-', StringComparison.Ordinal))
                throw section.CreateNotSupportedError($"{name}={text} is not supported. Use a size in bytes.");
            return name == "size" ? section.GetSize(name) / parts : section.GetSize(name);
        }
        return null;
    }

    internal static bool IsVerificationRequested(FioJobDefinition section)
    {
        var options = section.Options;
        return options["verify"] is { Length: > 0 } and not "null"
            && options.IsOn("verify")
            && (OnlyReads(section) || options["do_verify"] is null || options.IsOn("do_verify"));
    }

    internal static void SetVerification(IoTestSpecification test, List<FioJobDefinition> group, Action<FioJobDefinition, string> note)
    {
        var verified = group.FindAll(IsVerificationRequested);
        if (verified.Count == 0)
            return;
        var reason = GetNoVerificationReason(test);
        test.Verify = reason is null;
        foreach (var section in verified)
        {
            var option = "verify=" + section.Options["verify"];
            note(
                section,
                reason is not null
                    ? $"{option} is ignored, and this test does not verify reads: {reason}"
                    : $"IoBench uses its own verification instead of {option}: {DescribeVerification(section, verified.Count < group.Count)}"
            );
        }
    }

    private static string DescribeVerification(FioJobDefinition section, bool hasOthers) =>
        (
            OnlyReads(section)
                ? "IoBench compares each read with the content that the file had before the test, not with data that fio wrote"
                : "IoBench compares each read with the expected content, and reads the whole file before and after the test"
        ) + (hasOthers ? ". The verification also applies to the jobs that run concurrently" : "");

    private static bool OnlyReads(FioJobDefinition section) => section.Options.OperationKind is "read" or "randread";

    /// <summary>Also null if the test cannot run at all, because its run reports that error.</summary>
    private static string? GetNoVerificationReason(IoTestSpecification test)
    {
        if (test.Targets.DistinctBy(target => target.Path).Count() < test.Targets.Count)
            return "IoBench cannot verify a file that several jobs use concurrently.";
        if (GetValidationError(test, check: false) is not null)
            return null;
        return GetValidationError(test, check: true);
    }

    private static string? GetValidationError(IoTestSpecification test, bool check)
    {
        test.Verify = check;
        try
        {
            SpecificationValidator.Validate(test);
            return null;
        }
        catch (IoBenchException error)
        {
            return error.Message;
        }
    }

    private const string Trigger =
        "iobench verify --witness records acknowledged writes on another computer and lists the writes that were lost in a power loss or crash";

    private static readonly string[] s_parts =
    [
        "latency_window",
        "latency_percentile",
        "latency_run",
        "trigger-timeout",
        "ss_dur",
        "ss_ramp",
        "ss_interval",
    ];

    /// <summary>Returns whether the option only refines another option, which has the note.</summary>
    internal static bool IsPartOfOption(string name) => s_parts.Contains(name);

    /// <summary>Returns the option to use instead of an option that IoBench does not support; null if IoBench has no counterpart.</summary>
    internal static string? GetCounterpart(FioJobDefinition section, string name) =>
        name switch
        {
            "trigger" or "trigger-file" or "trigger-remote" => Trigger,
            "latency_target" => GetLimitSearch(section),
            _ => null,
        };

    /// <summary>fio searches for the highest queue depth that keeps the latency. Its default unit is microseconds.</summary>
    private static string GetLimitSearch(FioJobDefinition section)
    {
        var milliseconds = section.GetTime("latency_target", TimeSpan.FromMicroseconds(1))?.TotalMilliseconds ?? 0;
        var percentile = double.TryParse(
            section.Options["latency_percentile"]?.TrimEnd('%'),
            NumberStyles.Float,
            CultureInfo.InvariantCulture,
            out var percent
        )
            ? percent
            : 100;
        var text = string.Create(
            CultureInfo.InvariantCulture,
            $"iobench limit --max-latency {milliseconds:0.######} --statistic p99 (Measure-IoLimit) searches for the highest IOPS rate at which the p99 latency is at most {milliseconds:0.######} ms"
        );
        return percentile == 99
            ? text
            : string.Create(CultureInfo.InvariantCulture, $"{text}. The fio limit applies to {percentile:0.####}% of the I/Os");
    }

    /// <summary>
    /// Sets the rounds of a steady state. fio compares averages of one second within a run. IoBench compares five rounds by the limits of
    /// the
    /// SNIA Performance Test Specification.
    /// </summary>
    internal static void SetSteadyState(IoTestSpecification test, List<FioJobDefinition> group, Action<string> note)
    {
        if (group.Find(section => section.Options["ss"] is { Length: > 0 }) is not { } steady)
            return;
        test.SteadyStateRounds = MaxSteadyStateRounds;
        if (test.Duration > s_longestRound)
            test.Duration = s_longestRound;
        var duration = steady.Options["ss_dur"] is { } length ? $" for {length}{(length.All(char.IsAsciiDigit) ? " s" : "")}" : "";
        note(
            string.Create(
                CultureInfo.InvariantCulture,
                $"IoBench replaces ss={steady.Options["ss"]}{duration} with --steady-state, which has a different criterion. The test runs up to {MaxSteadyStateRounds} rounds of {test.Duration.TotalSeconds:0} s. It ends earlier if five consecutive rounds are steady: IOPS range at most 20% of the average, slope at most 10%"
            )
        );
    }

    private const int MaxSteadyStateRounds = 25;

    private static readonly TimeSpan s_longestRound = TimeSpan.FromMinutes(1);
}
