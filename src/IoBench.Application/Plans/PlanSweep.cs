namespace IoBench.Application.Plans;

/// <summary>Workloads and settings of a request as tests that have no path yet.</summary>
internal static class PlanSweep
{
    /// <summary>Every workload x every combination of the lists; the last list changes fastest.</summary>
    public static List<IoTestSpecification> Expand(PlanRequest request)
    {
        var tests = Starts(request);
        // Single values first, so that a list is set of tests that are otherwise done.
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
            // A short test needs no long warm-up, unless one was asked for.
            if (request.Has(Opt.Duration) && !request.Has(Opt.WarmUp) && test.WarmUp > TimeSpan.Zero)
                test.WarmUp = TestPlan.DefaultWarmUp(test.Duration);
            ForgetWorkloadIfChanged(test);
        }
        return tests;
    }

    private static List<IoTestSpecification> Starts(PlanRequest request)
    {
        // A test that a suite once drew is drawn anew; a seed that somebody chose for it stays.
        var starts = request.Workloads.SelectMany(WorkloadCatalog.Resolve).Concat(request.Specifications.Select(Undrawn)).ToList();
        return starts.Count > 0 ? starts : [new IoTestSpecification()];
    }

    private static IoTestSpecification Undrawn(IoTestSpecification test)
    {
        var copy = test.Clone();
        if (copy.SeedBase is not null)
            (copy.Seed, copy.SeedBase) = (0, null);
        return copy;
    }

    /// <summary>Another block size, order or operation is another pattern: it must not be judged as the workload it started from.</summary>
    private static void ForgetWorkloadIfChanged(IoTestSpecification test)
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
