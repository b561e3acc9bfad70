using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Tests that show where the latency of a file comes from.</summary>
/// <param name="Tests">Tests of the file, in order.</param>
/// <param name="OnCommand">Command before the tests A of a comparison; null for no comparison.</param>
/// <param name="OffCommand">Command before the tests B of a comparison; null for no comparison.</param>
public sealed record LatencySourcePlan(
    IReadOnlyList<(LatencyStepKind Step, IoTestSpecification Test)> Tests,
    TimeSpan Duration,
    bool ReadsDevice,
    bool IsAnonymous,
    string? OnCommand,
    string? OffCommand
)
{
    private const int ReadSize = 8192;

    // The workload log-commit has the same size and pattern.
    private const int WriteSize = 4096;
    private const long DefaultFileSize = 256 << 20;
    private const long CachedRange = 1 << 20;

    // A report has a heat map, and its columns are intervals.
    private const int Intervals = 20;
    private const double WarmUpShare = 0.1;

    // The first pass over the range reads it into memory.
    private const double CachedWarmUpShare = 0.5;
    private static readonly TimeSpan s_duration = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_longest = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_shortestInterval = TimeSpan.FromMilliseconds(10);

    /// <summary>Whether the user requested a report.</summary>
    public bool HasReport { get; init; }

    public bool IsComparison => OnCommand is not null;

    /// <summary>Estimated time of the tests, without a comparison and without the creation of the file.</summary>
    public TimeSpan EstimatedTime =>
        Tests.Aggregate(GetShortTime(LatencyStepKind.NoIO), (sum, item) => sum + item.Test.WarmUp + item.Test.Duration)
        + (ReadsDevice ? GetShortTime(LatencyStepKind.RawRead) : TimeSpan.Zero);

    /// <summary>Switches that the command does not have, because it writes only to its own file.</summary>
    public static SuiteSettings CreateSettings(OptionValues values)
    {
        return new SuiteSettings
        {
            Permissions = new PlanRequest([], values).Suite.Permissions,
            RemoveTestFile = values.IsOn(new OptionName("RemoveTestFile")),
            OwnFilesOnly = true,
            MissingSwitches = [OptionNames.OverwriteFile, OptionNames.EraseDevice, OptionNames.ReadDatabase, OptionNames.Buffering],
            AdviceWithoutSwitch = "Specify a new file, or a folder on the storage.",
        };
    }

    /// <exception cref="IoBenchException">A value is invalid.</exception>
    public static LatencySourcePlan Create(string path, OptionValues values)
    {
        var duration = values.GetValue<TimeSpan>(OptionNames.Duration) ?? s_duration;
        if (duration < s_shortest || duration > s_longest)
            throw IoBenchException.Usage(
                "IoBench.InvalidValue",
                $"{OptionNames.Duration.WithValue(new IoDuration(duration))} is out of range. Use a value from 100 ms to 1 hour."
            );
        string[] given = [.. values.GetList<string>(new OptionName("ToggleCommand")).Select(text => text.Trim())];
        if (given.Length is not (0 or 2) || given.Contains(""))
            throw IoBenchException.Usage(
                "IoBench.InvalidValue",
                $"{new OptionName("ToggleCommand")} requires two commands: one that turns a feature on, and one that turns it off.",
                advice: $"Put each command in quotation marks: {new OptionName("ToggleCommand")} \"A\" \"B\" (in PowerShell, \"A\", \"B\")."
            );
        var fileSize = values.GetValue<long>(OptionNames.FileSize) ?? DefaultFileSize;
        if (fileSize < CachedRange)
            throw IoBenchException.Usage(
                "IoBench.InvalidSize",
                $"{OptionNames.FileSize.WithValue(new IoSize(fileSize))} is too small. Use 1MB or more.",
                path
            );
        if (given.Length > 0 && values.GetText(new OptionName("ReportPath")) is { } report)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{new OptionName("ReportPath")} cannot be combined with {new OptionName("ToggleCommand")}.",
                report,
                advice: "Run the command twice: once for the report, and once for the comparison."
            );
        var seed = IoTestSpecification.CreateSeedBase();
        LatencyStepKind[] steps =
        [
            LatencyStepKind.Read,
            LatencyStepKind.Write,
            LatencyStepKind.WriteWithoutWriteThrough,
            LatencyStepKind.CachedRead,
        ];
        List<(LatencyStepKind, IoTestSpecification)> tests = [];
        foreach (var step in steps)
        {
            var test = CreateTest(step, path, fileSize, duration);
            SpecificationValidator.Validate(test);
            test.AssignSeed(seed, tests.Count, round: 1);
            tests.Add((step, test));
        }
        return new LatencySourcePlan(
            tests,
            duration,
            values.IsOn(new OptionName("RawRead")),
            values.IsOn(new OptionName("Anonymous")),
            given.ElementAtOrDefault(0),
            given.ElementAtOrDefault(1)
        )
        {
            HasReport = values.Has(new OptionName("ReportPath")),
        };
    }

    internal IoTestSpecification CreateDeviceTest(string device) => CreateTest(LatencyStepKind.RawRead, device, null, Duration);

    internal IoTestSpecification CreateTestWithoutIO()
    {
        var test = CreateTest(LatencyStepKind.NoIO, "null", 1L << 30, Duration);
        test.Backend = BackendCatalog.Null;
        return test;
    }

    /// <summary>One outstanding I/O, so that each I/O waits only for itself. The thread executes it, so that a wait for a CPU is its
    /// own.</summary>
    private static IoTestSpecification CreateTest(LatencyStepKind step, string path, long? size, TimeSpan duration)
    {
        var isMain = step is LatencyStepKind.Read or LatencyStepKind.Write;
        var isWrite = step is LatencyStepKind.Write or LatencyStepKind.WriteWithoutWriteThrough;
        var time = isMain ? duration : GetShortTime(step, duration);
        var target = new IoTargetSpecification(path);
        if (step == LatencyStepKind.CachedRead)
            target.MaxOffset = CachedRange;
        return new IoTestSpecification
        {
            Targets = [target],
            Label = isMain ? "as SQL Server" : LatencyStep.Describe(step),
            FileSize = size,
            BlockSize = isWrite ? WriteSize : ReadSize,
            WritePercent = isWrite ? 100 : 0,
            ThreadCount = 1,
            OutstandingIO = 1,
            Duration = time,
            WarmUp = time * (step == LatencyStepKind.CachedRead ? CachedWarmUpShare : WarmUpShare),
            AccessPattern = isWrite || step == LatencyStepKind.CachedRead ? IoAccessPattern.Sequential : IoAccessPattern.Random,
            TimelineInterval = time / Intervals > s_shortestInterval ? time / Intervals : s_shortestInterval,
            Buffering = step switch
            {
                LatencyStepKind.WriteWithoutWriteThrough => IoBuffering.Hardware,
                LatencyStepKind.CachedRead => IoBuffering.Both,
                _ => IoBuffering.None,
            },
            Backend = BackendCatalog.Threads,
        };
    }

    private TimeSpan GetShortTime(LatencyStepKind step) => GetShortTime(step, Duration);

    private static TimeSpan GetShortTime(LatencyStepKind step, TimeSpan duration) =>
        step is LatencyStepKind.CachedRead or LatencyStepKind.NoIO ? duration / 5 : duration / 2;

    /// <summary>Lines before the tests: target and estimated time.</summary>
    public IEnumerable<string> DescribeStart(CheckedTarget target)
    {
        yield return CommitPlan.DescribeTarget(target);
        var time = IsComparison ? ToggleRunner.GetEstimatedTime(this) : EstimatedTime;
        yield return $"Estimate  {new IoDuration(TimeSpan.FromSeconds(Math.Ceiling(time.TotalSeconds)))}{(IsComparison ? " or more, plus the time of the commands" : "")}";
    }
}
