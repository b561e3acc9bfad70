using IoBench.Engine;
using IoBench.Workloads;

namespace IoBench.Application;

internal static class TestPlanner
{
    public static List<IoTestSpecification> ExpandCombinations(PlanRequest request)
    {
        var tests = GetBaseTests(request);
        // Apply single values first, so that lists are applied to tests that are otherwise complete.
        foreach (
            var setting in request
                .Settings.Where(s => !s.Row.NeedsTargets)
                .OrderBy(s => s.Row.Order)
                .ThenBy(s => s.Row.Count == OptionValueCount.Combinations)
        )
        {
            tests =
            [
                .. tests.SelectMany(test =>
                    setting.Values.Select(value =>
                    {
                        var copy = test.Clone();
                        setting.Row.Apply(copy, value);
                        return copy;
                    })
                ),
            ];
        }
        foreach (var test in tests)
        {
            // The default warm-up depends on the duration.
            if (request.Has(OptionNames.Duration) && !request.Has(OptionNames.WarmUp) && test.WarmUp > TimeSpan.Zero)
                test.WarmUp = TestPlan.DefaultWarmUp(test.Duration);
            ClearWorkloadIfChanged(test);
        }
        return tests;
    }

    private static List<IoTestSpecification> GetBaseTests(PlanRequest request)
    {
        // A seed that an earlier suite derived is derived again. A seed that the user chose stays.
        var starts = request
            .Workloads.SelectMany(WorkloadCatalog.Resolve)
            .Concat(request.Specifications.Select(WithoutDerivedSeed))
            .ToList();
        return starts.Count > 0 ? starts : [new IoTestSpecification()];
    }

    private static IoTestSpecification WithoutDerivedSeed(IoTestSpecification test)
    {
        var copy = test.Clone();
        if (copy.SeedBase is not null)
            (copy.Seed, copy.SeedBase) = (0, null);
        return copy;
    }

    /// <summary>A test with another block size, access pattern, or write percentage must not be rated as the original workload.</summary>
    private static void ClearWorkloadIfChanged(IoTestSpecification test)
    {
        if (
            test.Workload is null
            || WorkloadCatalog.All.FirstOrDefault(w => w.Name == test.Workload && w.Kind == IoWorkloadKind.Workload) is not { } workload
        )
            return;
        var original = workload.CreateSpecifications()[0];
        if (
            test.BlockSize == original.BlockSize
            && test.BlockMix is null
            && test.AccessPattern == original.AccessPattern
            && test.WritePercent == original.WritePercent
        )
            return;
        test.Workload = null;
        test.WorkloadRole = null;
    }
}
