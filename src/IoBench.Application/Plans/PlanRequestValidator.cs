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
        (OptionNames.WritePercent, "share of writes"),
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
                advice: "Give one for all, or one per path."
            );
    }

    public static string? FindPatternOption(PlanRequest request) => Array.Find(s_patternOptions, pair => request.Has(pair.Option)).Words;

    private static readonly (OptionName Option, Func<IoPattern, bool> Has, string Words)[] s_effects =
    [
        (
            OptionNames.Alignment,
            pattern => pattern.Order is IoOrder.RandomBlocks or IoOrder.PartRandom,
            "the places of random I/Os, and no test has random I/O"
        ),
        (
            OptionNames.ThreadStride,
            pattern => pattern.Order is IoOrder.Sequential or IoOrder.PartRandom,
            "where the sequences of threads begin, and no test has sequences of its threads' own"
        ),
        (OptionNames.CompressiblePercent, pattern => pattern.WritePercent > 0, "the content of writes, and no test writes"),
        (OptionNames.DedupablePercent, pattern => pattern.WritePercent > 0, "the content of writes, and no test writes"),
    ];

    public static void CheckEffect(PlanRequest request, IReadOnlyList<IoTestSpecification> tests)
    {
        foreach (var (option, has, words) in s_effects)
            if (request.Has(option) && !tests.Any(test => test.Targets.Exists(target => has(test.GetPattern(target)))))
                throw IoBenchException.Usage(
                    "IoBench.NoEffect",
                    $"{option} is about {words}.",
                    advice: $"Leave it out, or see {(option == OptionNames.Alignment || option == OptionNames.ThreadStride ? OptionNames.AccessPattern : OptionNames.WritePercent)}."
                );
    }

    private static void CheckPaths(PlanRequest request)
    {
        if (
            request.Paths.Count == 0
            && !(request.Specifications.Count > 0 && request.Workloads.Count == 0 && !request.Specifications.Any(TestPlacement.HasNoPath))
        )
            throw IoBenchException.Usage("IoBench.NoPath", "No path to test: name a test file, or a folder for iobench.dat in it.");
        if (request.Paths.FirstOrDefault(string.IsNullOrWhiteSpace) is not null)
            throw IoBenchException.Usage("IoBench.NoPath", "A path is empty: name a test file, or a folder for iobench.dat in it.");
        var comparer = OperatingSystem.IsWindows() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;
        if (request.Paths.GroupBy(path => path, comparer).FirstOrDefault(group => group.Count() > 1) is { } twice)
            throw IoBenchException.Usage("IoBench.DuplicatePath", $"{twice.Key} is named twice: name each path once.", twice.Key);
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
                    $"{workload.Name} is {workload.CreateSpecifications()[0].Targets.Count} patterns at once that differ in their {option}: leave it out.",
                    workload.Name
                );
            if (workload.Members.Count > 1)
                throw IoBenchException.Usage(
                    "IoBench.SuiteOverride",
                    $"{workload.Name} is {workload.Members.Count} tests that differ in their {option}: leave it out, or name one of them ({string.Join(", ", workload.Members.Take(3))} …).",
                    workload.Name
                );
        }
    }

    private static void CheckLoad(PlanRequest request)
    {
        if (request.Has(OptionNames.TargetIops) && request.Has(OptionNames.MaxRate))
            throw IoBenchException.Usage(
                "IoBench.TwoRates",
                $"A target rate ({OptionNames.TargetIops}, open loop) and a maximum rate ({OptionNames.MaxRate}, closed loop) exclude each other: give one."
            );
        if (request.Has(OptionNames.BlockMix) && request.Has(OptionNames.BlockSize))
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{OptionNames.BlockMix} says which block sizes there are: leave {OptionNames.BlockSize} out."
            );
        var apart = request.Has(OptionNames.ReadOutstanding) ? OptionNames.ReadOutstanding : OptionNames.WriteOutstanding;
        if (
            request.Has(apart) && Array.Find([OptionNames.OutstandingIO, OptionNames.WritePercent], request.Has) is { Name: not null } other
        )
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{apart} keeps reads and writes apart, and their shares come out of how fast both are: leave {other} out."
            );
        if (request.GetValue<TimeSpan>(OptionNames.ThinkTime) > TimeSpan.Zero && request.GetValue<int>(OptionNames.BurstSize) is null or 0)
            throw IoBenchException.Usage(
                "IoBench.ThinkTimeWithoutBurst",
                $"{OptionNames.ThinkTime} needs {OptionNames.BurstSize}: the number of I/Os after which it rests."
            );
    }

    private static void CheckRounds(PlanRequest request)
    {
        if (request.Repeat is < 1 or > 10000)
            throw IoBenchException.Usage(
                "IoBench.InvalidRepeat",
                $"{OptionNames.Repeat.WithValue(request.Repeat)}: 1 to 10000 are possible."
            );
        if (request.Precondition is not (null or (> 0 and <= Preconditioning.MaxPasses)))
            throw IoBenchException.Usage(
                "IoBench.InvalidPrecondition",
                $"{OptionNames.Precondition.WithValue(request.Precondition)}: the files are written more than 0 and at most {Preconditioning.MaxPasses} times over. The standard has 2x."
            );
        if (request.MaxRounds is not null && !request.SteadyState)
            throw IoBenchException.Usage(
                "IoBench.RoundsWithoutSteadyState",
                $"{OptionNames.MaxRounds}: it needs {OptionNames.SteadyState}."
            );
        if (request.MaxRounds is < 5 or > 1000)
            throw IoBenchException.Usage(
                "IoBench.InvalidRounds",
                $"{OptionNames.MaxRounds.WithValue(request.MaxRounds)}: steady state is judged over 5 rounds.",
                advice: "Allow 5 to 1000."
            );
        if (request.SteadyState && (request.Repeat > 1 || request.Shuffle))
            throw IoBenchException.Usage(
                "IoBench.RoundsAndRepeat",
                $"Rounds until the steady state and {(request.Repeat > 1 ? "a repeat" : "a shuffled order")} exclude each other: the rounds of a test follow one another.",
                advice: "Leave one of them out."
            );
    }

    private static string FormatCount(int count, string what) => count == 1 ? $"one {what}" : $"{count} {what}s";
}
