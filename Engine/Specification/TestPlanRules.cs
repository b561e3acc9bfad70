namespace IoBench.Engine;

/// <summary>What a request may not ask for as a whole. What a single test may not be is <see cref="SpecificationValidator"/>'s business.</summary>
internal static class TestPlanRules
{
    /// <exception cref="IoBenchException">The request contradicts itself.</exception>
    public static void Check(TestPlanRequest request)
    {
        CheckPaths(request);
        CheckSuites(request);
        CheckLoad(request);
        if (request.Repeat is < 1 or > 10000)
            throw IoBenchException.Usage("IoBench.InvalidRepeat", $"A repeat of {request.Repeat} is not possible: 1 to 10000.");
        if (request.SteadyStateRounds is < 5 or > 1000)
            throw IoBenchException.Usage("IoBench.InvalidRounds", $"Steady state is judged over 5 rounds: allow 5 to 1000, not {request.SteadyStateRounds}.");
        if (request.SteadyStateRounds is not null && (request.Repeat > 1 || request.Shuffle))
            throw IoBenchException.Usage("IoBench.RoundsAndRepeat", $"Rounds until the steady state and {(request.Repeat > 1 ? "a repeat" : "a shuffled order")} exclude each other: the rounds of a test follow one another. Leave one of them out.");
        if (request.Labels.Count > 1 && request.Labels.Count != request.Paths.Count)
            throw IoBenchException.Usage("IoBench.LabelCount", $"{request.Labels.Count} labels for {request.Paths.Count} paths: give one for all or one a path.");
    }

    private static void CheckPaths(TestPlanRequest request)
    {
        if (request.Paths.Count == 0 && !(request.Specifications.Count > 0 && request.Workloads.Count == 0 && request.Specifications.All(s => s.Targets.Count > 0)))
            throw IoBenchException.Usage("IoBench.NoPath", "No path to test: name a test file, or a folder for iobench.dat in it.");
        if (request.Paths.FirstOrDefault(string.IsNullOrWhiteSpace) is not null)
            throw IoBenchException.Usage("IoBench.NoPath", "A path is empty: name a test file, or a folder for iobench.dat in it.");
        var comparer = OperatingSystem.IsWindows() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;
        if (request.Paths.GroupBy(path => path, comparer).FirstOrDefault(group => group.Count() > 1) is { } twice)
            throw new IoBenchException("IoBench.DuplicatePath", IoErrorKind.Usage, $"{twice.Key} is named twice: name each path once (--repeat runs a test again).", twice.Key);
    }

    /// <summary>The tests of a suite differ in just what such an option would make equal.</summary>
    private static void CheckSuites(TestPlanRequest request)
    {
        var option = request switch
        {
            { BlockSizes.Count: > 0 } => "block size",
            { AccessPatterns.Count: > 0 } or { RandomPercent: not null } or { Stride: not null } => "access pattern",
            { WritePercents.Count: > 0 } => "share of writes",
            { ThreadCounts.Count: > 0 } => "thread count",
            { OutstandingIOs.Count: > 0 } => "number of outstanding I/Os",
            { TargetIops: not null } => "target rate",
            _ => null,
        };
        if (option is null)
            return;
        foreach (var name in request.Workloads)
        {
            var workload = WorkloadCatalog.Find(name);
            if (workload.Members.Count > 1)
                throw new IoBenchException("IoBench.SuiteOverride", IoErrorKind.Usage,
                    $"{workload.Name} is {workload.Members.Count} tests that differ in their {option}: leave it out, or name one of them ({string.Join(", ", workload.Members.Take(3))} …).", workload.Name);
        }
    }

    private static void CheckLoad(TestPlanRequest request)
    {
        if (request.TargetIops is not null && request.MaxRate is not null)
            throw IoBenchException.Usage("IoBench.TwoRates", "A target rate (open loop) and a maximum rate (closed loop) exclude each other: give one.");
        if (request.ThinkTimeMs is > 0 && request.BurstSize is null or 0)
            throw IoBenchException.Usage("IoBench.ThinkTimeWithoutBurst", "A think time needs a burst size: the number of I/Os after which it rests.");
    }
}
