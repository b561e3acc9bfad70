using IoBench.Engine;
using IoBench.Workloads;

namespace IoBench.Application;

/// <summary>What a request may not ask for as a whole. What a single test may not be is <see cref="SpecificationValidator"/>'s business.</summary>
internal static class PlanRules
{
    /// <summary>Options that say what a pattern is, in words for a sentence: what a suite's tests, or roles, bring themselves.</summary>
    private static readonly (OptionName Option, string Words)[] s_patternOptions =
    [
        (Opt.BlockSize, "block size"), (Opt.AccessPattern, "access pattern"), (Opt.RandomPercent, "access pattern"), (Opt.Stride, "access pattern"),
        (Opt.WritePercent, "share of writes"), (Opt.ThreadCount, "thread count"), (Opt.OutstandingIO, "number of outstanding I/Os"), (Opt.TargetIops, "target rate"),
    ];

    /// <exception cref="IoBenchException">The request contradicts itself.</exception>
    public static void Check(PlanRequest request)
    {
        CheckPaths(request);
        CheckSuites(request);
        CheckLoad(request);
        CheckRounds(request);
        if (request.Labels.Count > 1 && request.Labels.Count != request.Paths.Count)
            throw IoBenchException.Usage("IoBench.LabelCount", $"{Opt.Label}: there are {request.Labels.Count} labels for {Count(request.Paths.Count, "path")}. Give one for all, or one per path.");
    }

    /// <summary>The first option of a pattern that was given, in words; null when none was.</summary>
    public static string? PatternOption(PlanRequest request) => Array.Find(s_patternOptions, pair => request.Has(pair.Option)).Words;

    private static void CheckPaths(PlanRequest request)
    {
        if (request.Paths.Count == 0 && !(request.Specifications.Count > 0 && request.Workloads.Count == 0 && !request.Specifications.Any(MixedTests.IsOpen)))
            throw IoBenchException.Usage("IoBench.NoPath", "No path to test: name a test file, or a folder for iobench.dat in it.");
        if (request.Paths.FirstOrDefault(string.IsNullOrWhiteSpace) is not null)
            throw IoBenchException.Usage("IoBench.NoPath", "A path is empty: name a test file, or a folder for iobench.dat in it.");
        var comparer = OperatingSystem.IsWindows() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;
        if (request.Paths.GroupBy(path => path, comparer).FirstOrDefault(group => group.Count() > 1) is { } twice)
            throw IoBenchException.Usage("IoBench.DuplicatePath", $"{twice.Key} is named twice: name each path once ({Opt.Repeat} runs a test again).", twice.Key);
    }

    /// <summary>The tests of a suite differ in just what such an option would make equal.</summary>
    private static void CheckSuites(PlanRequest request)
    {
        if (PatternOption(request) is not { } option)
            return;
        foreach (var name in request.Workloads)
        {
            var workload = WorkloadCatalog.Find(name);
            if (workload.IsMixed)
                throw IoBenchException.Usage("IoBench.SuiteOverride", $"{workload.Name} is {workload.CreateSpecifications()[0].Targets.Count} patterns at once that differ in their {option}: leave it out.", workload.Name);
            if (workload.Members.Count > 1)
                throw IoBenchException.Usage("IoBench.SuiteOverride",
                    $"{workload.Name} is {workload.Members.Count} tests that differ in their {option}: leave it out, or name one of them ({string.Join(", ", workload.Members.Take(3))} …).", workload.Name);
        }
    }

    private static void CheckLoad(PlanRequest request)
    {
        if (request.Has(Opt.TargetIops) && request.Has(Opt.MaxRate))
            throw IoBenchException.Usage("IoBench.TwoRates", $"A target rate ({Opt.TargetIops}, open loop) and a maximum rate ({Opt.MaxRate}, closed loop) exclude each other: give one.");
        if (request.Value<TimeSpan>(Opt.ThinkTime) > TimeSpan.Zero && request.Value<int>(Opt.BurstSize) is null or 0)
            throw IoBenchException.Usage("IoBench.ThinkTimeWithoutBurst", $"{Opt.ThinkTime} needs {Opt.BurstSize}: the number of I/Os after which it rests.");
    }

    private static void CheckRounds(PlanRequest request)
    {
        if (request.Repeat is < 1 or > 10000)
            throw IoBenchException.Usage("IoBench.InvalidRepeat", $"{Opt.Repeat.With(request.Repeat)}: 1 to 10000 is possible.");
        if (request.MaxRounds is not null && !request.SteadyState)
            throw IoBenchException.Usage("IoBench.RoundsWithoutSteadyState", $"{Opt.MaxRounds}: it needs {Opt.SteadyState}.");
        if (request.MaxRounds is < 5 or > 1000)
            throw IoBenchException.Usage("IoBench.InvalidRounds", $"{Opt.MaxRounds.With(request.MaxRounds)}: steady state is judged over 5 rounds. Allow 5 to 1000.");
        if (request.SteadyState && (request.Repeat > 1 || request.Shuffle))
            throw IoBenchException.Usage("IoBench.RoundsAndRepeat", $"Rounds until the steady state and {(request.Repeat > 1 ? "a repeat" : "a shuffled order")} exclude each other: the rounds of a test follow one another. Leave one of them out.");
    }

    private static string Count(int count, string what) => count == 1 ? $"one {what}" : $"{count} {what}s";
}
