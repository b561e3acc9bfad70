using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

public sealed record LimitSearchPlan(IoTestSpecification Test, LatencyLimit Limit, LimitOptions Options)
{
    private static readonly TimeSpan s_duration = TimeSpan.FromSeconds(10);

    public static LimitSearchPlan Create(OptionValues search, PlanRequest request)
    {
        ArgumentNullException.ThrowIfNull(search);
        ArgumentNullException.ThrowIfNull(request);
        var milliseconds = new OptionName("MaxLatencyMs");
        var limit = new LatencyLimit(
            search.GetValue<LatencyStatistic>(new OptionName("Statistic")) ?? LatencyStatistic.Average,
            search.GetValue<double>(milliseconds)
                ?? throw IoBenchException.Usage(
                    "IoBench.Usage",
                    $"{IoCommand.Limit} requires {milliseconds}, the limit in milliseconds, for example {milliseconds.WithValue(5)}."
                ),
            search.GetValue<IoOperation>(new OptionName("Operation"))
        );
        var defaults = new LimitOptions();
        var options = new LimitOptions(
            search.GetValue<double>(new OptionName("TolerancePercent")) ?? defaults.TolerancePercent,
            defaults.Repeats,
            search.GetValue<int>(new OptionName("MaxProbes")) ?? defaults.MaxProbes,
            search.GetValue<double>(new OptionName("MaxIops"))
        );
        if (!request.Has(OptionNames.Duration))
            request.Set(OptionNames.Duration.Name, s_duration);
        var tests = TestPlanner.Create(request).Tests;
        if (tests.Count != 1)
            throw IoBenchException.Usage(
                "IoBench.SuiteNotPossible",
                $"The command contains {tests.Count} tests, but a limit search requires one test.",
                advice: "Specify one path, one workload, and one value per option."
            );
        if (TestPlacement.HasSeveralPatterns(tests[0]))
            throw IoBenchException.Usage(
                "IoBench.SuiteNotPossible",
                $"{tests[0].Workload} consists of {tests[0].Targets.Count} concurrent patterns. A limit search requires one pattern."
            );
        LimitSearch.CheckInputs(tests[0], limit, options);
        // Evenly spaced arrivals never queue by chance, so they would find a rate that no real workload can reach.
        if (!request.Has(OptionNames.Arrivals))
            TestOptions.Find(OptionNames.Arrivals).Apply(tests[0], IoArrivals.Poisson);
        return new LimitSearchPlan(tests[0], limit, options);
    }

    /// <param name="cancelled">Ends the search. The result then contains the probes so far.</param>
    public static LimitResult FindLimit(LimitSearchPlan plan, Suite suite, Action<LimitProbe> probed, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(suite);
        var number = 0;
        var found = LimitSearch.Find(
            plan.Test,
            plan.Limit,
            test =>
            {
                var place = new TestPosition(
                    ++number,
                    plan.Options.MaxProbes,
                    Name: $"probe of {test.Workload ?? PatternText.Describe(test)}"
                );
                return suite.RunTest(test, place, cancelled);
            },
            plan.Options,
            probed
        );
        suite.SaveUnsavedResults();
        return found;
    }
}

/// <param name="Storage">Provisioned limits; null if not specified.</param>
public sealed record CapSearchPlan(IReadOnlyList<IoTestSpecification> Tests, StorageSpecification? Storage)
{
    public static CapSearchPlan Create(IReadOnlyList<string> paths, OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(paths);
        ArgumentNullException.ThrowIfNull(values);
        var storage = values.GetText(new OptionName("Provisioned")) is { } text ? StorageSpecification.Parse(text) : null;
        var template = new IoTestSpecification
        {
            FileSize = values.GetValue<long>(OptionNames.FileSize),
            StorageCacheSize = values.GetValue<long>(OptionNames.StorageCacheSize),
            Backend = values.GetText(OptionNames.Backend) ?? BackendCatalog.Auto,
        };
        var time = values.GetValue<TimeSpan>(OptionNames.Duration);
        // Several paths are tested alone and concurrently, to find out if they share a limit.
        var mode = values.GetValue<IoPathMode>(OptionNames.PathMode) ?? (paths.Count > 1 ? IoPathMode.Both : IoPathMode.Each);
        var tests = CapPlan.Create(
            paths,
            mode,
            values.GetList<long>(OptionNames.BlockSize) is { Count: > 0 } sizes ? sizes : null,
            values.GetList<int>(OptionNames.OutstandingIO) is { Count: > 0 } loads ? loads : null,
            time,
            values.GetValue<TimeSpan>(OptionNames.WarmUp) ?? (time is { } given ? TestPlanEstimate.DefaultWarmUp(given) : null),
            template
        );
        var seed = IoTestSpecification.CreateSeedBase();
        for (var i = 0; i < tests.Count; i++)
        {
            SpecificationValidator.Validate(tests[i]);
            tests[i].AssignSeed(seed, i, round: 1);
        }
        return new CapSearchPlan(tests, storage);
    }
}
