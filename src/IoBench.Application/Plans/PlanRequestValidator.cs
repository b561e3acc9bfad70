using IoBench.Engine;
using IoBench.Workloads;

namespace IoBench.Application;

internal static class PlanRequestValidator
{
    private static readonly (OptionName Option, string Words)[] s_patternOptions =
    [
        (OptionNames.BlockSize, "block size"),
        (OptionNames.BlockMix, "block size"),
        (OptionNames.ReadOutstanding, "number of outstanding I/Os"),
        (OptionNames.WriteOutstanding, "number of outstanding I/Os"),
        (OptionNames.AccessPattern, "access pattern"),
        (OptionNames.RandomPercent, "access pattern"),
        (OptionNames.Stride, "access pattern"),
        (OptionNames.WritePercent, "write percentage"),
        (OptionNames.ThreadCount, "thread count"),
        (OptionNames.OutstandingIO, "number of outstanding I/Os"),
        (OptionNames.TargetIops, "target rate"),
    ];

    public static void CheckRequest(PlanRequest request)
    {
        CheckPaths(request);
        CheckSuites(request);
        CheckLoad(request);
        CheckRounds(request);
        if (request.Labels.Count > 1 && request.Labels.Count != request.Paths.Count)
            throw IoBenchException.Usage(
                "IoBench.LabelCount",
                $"{OptionNames.Label}: there are {request.Labels.Count} labels for {FormatCount(request.Paths.Count, "path")}.",
                advice: "Specify one label for all paths, or one per path."
            );
    }

    public static string? FindPatternOption(PlanRequest request) => Array.Find(s_patternOptions, pair => request.Has(pair.Option)).Words;

    private static readonly (OptionName Option, Func<IoPattern, bool> Has, string Words)[] s_effects =
    [
        (OptionNames.Alignment, pattern => pattern.HasRandomOffsets, "the offsets of random I/Os, but no test has random I/O"),
        (
            OptionNames.ThreadStride,
            pattern => pattern.AccessPattern is IoAccessPattern.Sequential or IoAccessPattern.PartRandom,
            "tests in which each thread has its own sequence of offsets, but the command has no such test"
        ),
        (OptionNames.CompressiblePercent, pattern => pattern.WritePercent > 0, "the content of writes, but no test writes"),
        (OptionNames.DedupablePercent, pattern => pattern.WritePercent > 0, "the content of writes, but no test writes"),
    ];

    public static void CheckEffect(PlanRequest request, IReadOnlyList<IoTestSpecification> tests)
    {
        foreach (var (option, has, words) in s_effects)
            if (request.Has(option) && !tests.Any(test => test.Targets.Exists(target => has(test.GetPattern(target)))))
                throw IoBenchException.Usage(
                    "IoBench.NoEffect",
                    $"{option} applies to {words}.",
                    advice: $"Remove the option, or change {(option == OptionNames.Alignment || option == OptionNames.ThreadStride ? OptionNames.AccessPattern : OptionNames.WritePercent)}."
                );
    }

    private static void CheckPaths(PlanRequest request)
    {
        if (
            request.Paths.Count == 0
            && !(request.Specifications.Count > 0 && request.Workloads.Count == 0 && !request.Specifications.Any(TestPlacement.HasNoPath))
        )
            throw IoBenchException.Usage("IoBench.NoPath", "Specify a path: a test file, or a folder for iobench.dat.");
        if (request.Paths.FirstOrDefault(string.IsNullOrWhiteSpace) is not null)
            throw IoBenchException.Usage("IoBench.NoPath", "A path is empty. Specify a test file, or a folder for iobench.dat.");
        var comparer = OperatingSystem.IsWindows() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;
        if (request.Paths.GroupBy(path => path, comparer).FirstOrDefault(group => group.Count() > 1) is { } twice)
            throw IoBenchException.Usage("IoBench.DuplicatePath", $"{twice.Key} is specified twice. Specify each path once.", twice.Key);
    }

    /// <summary>The tests of a suite differ in these options, so that one value for all would make the tests equal.</summary>
    private static void CheckSuites(PlanRequest request)
    {
        if (FindPatternOption(request) is not { } option)
            return;
        foreach (var name in request.Workloads)
        {
            var workload = WorkloadCatalog.Find(name);
            if (workload.IsMixed)
                throw IoBenchException.Usage(
                    "IoBench.SuiteOverride",
                    $"{workload.Name} consists of {workload.CreateSpecifications()[0].Targets.Count} concurrent patterns that differ in {option}. Remove this option.",
                    workload.Name
                );
            if (workload.Members.Count > 1)
                throw IoBenchException.Usage(
                    "IoBench.SuiteOverride",
                    $"{workload.Name} consists of {workload.Members.Count} tests that differ in {option}. Remove this option, or specify one of the tests ({string.Join(", ", workload.Members.Take(3))} …).",
                    workload.Name
                );
        }
    }

    private static void CheckLoad(PlanRequest request)
    {
        if (request.Has(OptionNames.TargetIops) && request.Has(OptionNames.MaxRate))
            throw IoBenchException.Usage(
                "IoBench.TwoRates",
                $"A target rate ({OptionNames.TargetIops}, open loop) and a maximum rate ({OptionNames.MaxRate}, closed loop) cannot be combined."
            );
        if (request.Has(OptionNames.BlockMix) && request.Has(OptionNames.BlockSize))
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{OptionNames.BlockMix} specifies the block sizes. Remove {OptionNames.BlockSize}."
            );
        var apart = request.Has(OptionNames.ReadOutstanding) ? OptionNames.ReadOutstanding : OptionNames.WriteOutstanding;
        if (
            request.Has(apart) && Array.Find([OptionNames.OutstandingIO, OptionNames.WritePercent], request.Has) is { Name: not null } other
        )
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{apart} sets separate numbers of outstanding reads and writes, so the speed of reads and writes determines the write percentage. Remove {other}."
            );
        if (request.GetValue<TimeSpan>(OptionNames.ThinkTime) > TimeSpan.Zero && request.GetValue<int>(OptionNames.BurstSize) is null or 0)
            throw IoBenchException.Usage(
                "IoBench.ThinkTimeWithoutBurst",
                $"{OptionNames.ThinkTime} requires {OptionNames.BurstSize}, the number of I/Os before each think time."
            );
    }

    private static void CheckRounds(PlanRequest request)
    {
        if (request.Repeat is < 1 or > 10000)
            throw IoBenchException.Usage(
                "IoBench.InvalidRepeat",
                $"{OptionNames.Repeat.WithValue(request.Repeat)} is out of range. Use a value from 1 to 10000."
            );
        if (request.Precondition is not (null or (> 0 and <= Preconditioning.MaxPasses)))
            throw IoBenchException.Usage(
                "IoBench.InvalidPrecondition",
                $"{OptionNames.Precondition.WithValue(request.Precondition)} is out of range. Use a value greater than 0 and at most {Preconditioning.MaxPasses}. SNIA requires 2x."
            );
        if (request.MaxRounds is not null && !request.SteadyState)
            throw IoBenchException.Usage(
                "IoBench.RoundsWithoutSteadyState",
                $"{OptionNames.MaxRounds} requires {OptionNames.SteadyState}."
            );
        if (request.MaxRounds is < 5 or > 1000)
            throw IoBenchException.Usage(
                "IoBench.InvalidRounds",
                $"{OptionNames.MaxRounds.WithValue(request.MaxRounds)} is out of range. A steady state requires at least 5 rounds.",
                advice: "Use a value from 5 to 1000."
            );
        if (request.SteadyState && (request.Repeat > 1 || request.Shuffle))
            throw IoBenchException.Usage(
                "IoBench.RoundsAndRepeat",
                $"{OptionNames.SteadyState} and {(request.Repeat > 1 ? OptionNames.Repeat : new OptionName("Shuffle"))} cannot be combined, because the rounds of each test must run consecutively.",
                advice: "Remove one of them."
            );
    }

    private static string FormatCount(int count, string what) => count == 1 ? $"one {what}" : $"{count} {what}s";
}
