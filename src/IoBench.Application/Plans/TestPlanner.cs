using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Workloads;

namespace IoBench.Application;

/// <summary>Creates the tests of a request (paths x workloads x lists x repeats) in the order of the run.</summary>
public static class TestPlanner
{
    /// <summary>Creates the tests of a request. Repeated tests run round by round; the rounds of a steady state test follow one another, up
    /// to the maximum number. A round runs path by path (then all paths concurrently, depending on <see cref="PlanRequest.PathMode"/>), and
    /// on a path workload by workload. The lists of a sweep are innermost, and outstanding I/Os vary fastest.</summary>
    public static TestPlanResult Create(PlanRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        var warnings = new List<IoWarning>();
        AddRoleOrCapturedTests(request, warnings);
        PlanRequestValidator.CheckRequest(request);
        var tests = PlaceOnPaths(request, ExpandCombinations(request));
        foreach (var setting in request.Settings.Where(s => s.Row.NeedsTargets))
            tests.ForEach(test => setting.Row.Apply(test, setting.Values[0]));
        // The rounds of the SNIA standard take one minute.
        if (request is { SteadyState: true, Specifications.Count: 0 } && !request.Has(OptionNames.Duration))
            tests.ForEach(test =>
                test.Duration = test.Duration < Preconditioning.StandardRound ? Preconditioning.StandardRound : test.Duration
            );
        tests.ForEach(SpecificationValidator.Validate);
        PlanRequestValidator.CheckEffect(request, tests);
        var seed = request.GetValue<ulong>(new OptionName("Seed")) ?? IoTestSpecification.CreateSeedBase();
        var plan = request.SteadyState
            ? CreateSteadyStateRounds(tests, request.MaxRounds ?? SteadyState.DefaultMaxRounds, request.Idle, seed)
            : CreateRepeats(request, tests, seed);
        if (request.Precondition is { } passes)
            SetPreconditioning(plan, passes);
        return new TestPlanResult(plan, warnings);
    }

    /// <summary>Preconditions each file before its first test. With steady state rounds, preconditions it before the first round of each
    /// test, because the previous test has changed the state.</summary>
    private static void SetPreconditioning(List<IoTestSpecification> plan, double passes)
    {
        var written = new HashSet<(string, long?)>();
        foreach (var test in plan)
        {
            var files = test.Targets.ConvertAll(target => (target.Path, target.FileSize ?? test.FileSize));
            test.Precondition = passes;
            test.PreconditionsFirst = test.SteadyStateRounds is null ? !files.TrueForAll(written.Contains) : test.Repeat == 1;
            written.UnionWith(files);
        }
    }

    private static List<IoTestSpecification> CreateRepeats(PlanRequest request, List<IoTestSpecification> tests, ulong seed)
    {
        var plan = new List<IoTestSpecification>(tests.Count * request.Repeat);
        var random = new Random(unchecked((int)seed));
        for (var round = 1; round <= request.Repeat; round++)
        {
            var order = tests.ConvertAll(test => test.Clone());
            for (var i = 0; i < order.Count; i++)
                order[i].AssignSeed(seed, i, round);
            if (request.Shuffle)
                Shuffle(order, random);
            foreach (var test in order)
            {
                if (request.Repeat > 1)
                    test.Repeat = round;
                // The first test needs no idle time.
                if (request.Idle is { } idle)
                    test.RestBefore = plan.Count == 0 ? TimeSpan.Zero : idle;
                // A converted test can request a steady state of its own. The rounds of a saved plan are numbered.
                if (test is { SteadyStateRounds: { } rounds, Repeat: null })
                    AddSteadyStateRounds(plan, test, order.IndexOf(test), rounds, test.RestBefore, seed);
                else
                    plan.Add(test);
            }
        }
        return plan;
    }

    private static List<IoTestSpecification> CreateSteadyStateRounds(
        List<IoTestSpecification> tests,
        int rounds,
        TimeSpan? idle,
        ulong seed
    )
    {
        var plan = new List<IoTestSpecification>(tests.Count * rounds);
        for (var i = 0; i < tests.Count; i++)
        {
            var rest = plan.Count == 0 ? TimeSpan.Zero : idle ?? tests[i].RestBefore;
            AddSteadyStateRounds(plan, tests[i], i, rounds, rest, seed);
        }
        return plan;
    }

    private static void AddSteadyStateRounds(
        List<IoTestSpecification> plan,
        IoTestSpecification test,
        int index,
        int rounds,
        TimeSpan restBefore,
        ulong seed
    )
    {
        for (var round = 1; round <= rounds; round++)
        {
            var copy = test.Clone();
            copy.AssignSeed(seed, index, round);
            copy.Repeat = round;
            copy.SteadyStateRounds = rounds;
            // Idle time between rounds would let caches drain, so that the steady state is never reached.
            copy.RestBefore = round > 1 ? TimeSpan.Zero : restBefore;
            plan.Add(copy);
        }
    }

    private static List<IoTestSpecification> PlaceOnPaths(PlanRequest request, List<IoTestSpecification> tests)
    {
        var placed = new List<IoTestSpecification>();
        var mode = request.PathMode ?? IoPathMode.Each;
        var own = tests.FindAll(test => !TestPlacement.HasNoPath(test));
        var open = tests.FindAll(TestPlacement.HasNoPath);

        if (mode != IoPathMode.Together || request.Paths.Count == 1)
        {
            for (var i = 0; i < request.Paths.Count; i++)
                placed.AddRange(open.Select(test => CloneOnPaths(test, [request.Paths[i]], GetLabel(request, i) ?? test.Label)));
        }
        if (mode != IoPathMode.Each && request.Paths.Count > 1)
            placed.AddRange(open.Select(test => CloneOnPaths(test, request.Paths, GetJoinedLabel(request) ?? test.Label)));

        placed.AddRange(own.Select(test => CloneOnOwnTargets(request, test)));
        return placed;
    }

    private static IoTestSpecification CloneOnPaths(IoTestSpecification test, IReadOnlyList<string> paths, string? label)
    {
        var placed = test.Clone();
        TestPlacement.SetPaths(placed, paths);
        placed.Label = label;
        return placed;
    }

    private static IoTestSpecification CloneOnOwnTargets(PlanRequest request, IoTestSpecification test)
    {
        var placed = test.Clone();
        if (request.Paths.Count == 1 && placed.Targets.Count == 1)
            placed.Targets[0].Path = request.Paths[0];
        else if (request.Paths.Count > 0)
            throw IoBenchException.Usage(
                "IoBench.PathsAndTargets",
                "The specification contains its own targets. Remove the path. You can specify one path if the specification has one target."
            );
        placed.Label = GetLabel(request, 0) ?? placed.Label;
        return placed;
    }

    private static string? GetLabel(PlanRequest request, int path) =>
        request.Labels.Count switch
        {
            0 => null,
            1 => request.Labels[0],
            _ => request.Labels[path],
        };

    private static string? GetJoinedLabel(PlanRequest request) => request.Labels.Count == 0 ? null : string.Join(" + ", request.Labels);

    private static void Shuffle(List<IoTestSpecification> tests, Random random)
    {
        for (var i = tests.Count - 1; i > 0; i--)
        {
            var j = random.Next(i + 1);
            (tests[i], tests[j]) = (tests[j], tests[i]);
        }
    }

    internal static List<IoTestSpecification> ExpandCombinations(PlanRequest request)
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
                test.WarmUp = TestPlanEstimate.DefaultWarmUp(test.Duration);
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
        {
            copy.Seed = 0;
            copy.SeedBase = null;
        }
        return copy;
    }

    /// <summary>A test with another block size, access pattern, or write percentage must not be rated as the original workload.</summary>
    private static void ClearWorkloadIfChanged(IoTestSpecification test)
    {
        if (
            test.Workload is null
            || WorkloadCatalog.All.FirstOrDefault(w => w.Name == test.Workload && w.Kind == CatalogEntryKind.Workload) is not { } workload
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

    private static readonly OptionName[] s_capturedOptions =
    [
        OptionNames.BlockSize,
        OptionNames.AccessPattern,
        OptionNames.WritePercent,
        OptionNames.TargetIops,
    ];

    internal static void AddRoleOrCapturedTests(PlanRequest request, List<IoWarning> warnings)
    {
        if (request.MixLoad is { } percent)
            CheckMixLoad(request, percent);
        if (IsCaptured(request))
            AddCapturedWorkload(request, warnings);
        else if (!request.Roles.IsEmpty)
            AddRoleTests(request);
    }

    private static bool IsCaptured(PlanRequest request) => request.FileStats.Count + request.XEvents.Count > 0;

    private static void CheckMixLoad(PlanRequest request, int percent)
    {
        if (percent is < 1 or > 100)
            throw IoBenchException.Usage(
                "IoBench.InvalidMixLoad",
                $"{OptionNames.MixLoad.WithValue(percent)} is out of range. Use a value from 1 to 100."
            );
        if (request.Roles.IsEmpty || IsCaptured(request) || request.Workloads.Count > 0)
            throw IoBenchException.Usage(
                "IoBench.InvalidMixLoad",
                $"{OptionNames.MixLoad} requires at least two of {OptionNames.DataPath}, {OptionNames.LogPath}, {OptionNames.TempdbPath}, and {OptionNames.BackupPath}. {OptionNames.MixLoad} cannot be combined with a workload or a captured workload."
            );
    }

    private static void AddRoleTests(PlanRequest request)
    {
        var other = request switch
        {
            { Paths.Count: > 0 } => "paths without a role",
            { Specifications.Count: > 0 } => "a workload",
            { PathMode: not (null or IoPathMode.Each) } => "a path mode",
            { Shuffle: true } => "a shuffled order",
            _ => PlanRequestValidator.FindPatternOption(request) is { } option ? NumberFormat.WithArticle(option) : null,
        };
        if (other is not null)
            throw IoBenchException.Usage(
                "IoBench.RolesAndPattern",
                $"Paths per file role and {other} cannot be combined. IoBench runs the workload of each file role alone, and then all of these workloads concurrently.",
                advice: "Remove one of them."
            );
        request.Specifications =
            request.Workloads.Count == 0
                ? RoleTestPlan.Create(request.Roles, mixLoadPercent: request.MixLoad)
                : TestPlacement.CreateForRoles(request.Workloads, request.Roles.ToDictionary());
        request.Workloads = [];
    }

    private static void AddCapturedWorkload(PlanRequest request, List<IoWarning> warnings)
    {
        var option = request.XEvents.Count > 0 ? OptionNames.FromXEvents : OptionNames.FromFileStats;
        if (request.XEvents.Count > 0 && request.FileStats.Count > 0)
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{OptionNames.FromFileStats} and {OptionNames.FromXEvents} cannot be combined. Remove one of them."
            );
        if (request.Workloads.Count > 0 || s_capturedOptions.Any(request.Has))
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{option} already specifies block sizes, write percentage, and rate. Remove the options for workload, block size, pattern, write percentage, and rate."
            );
        var duration = request.GetValue<TimeSpan>(OptionNames.Duration);
        var load =
            request.XEvents.Count > 0
                ? CapturedWorkload.FromEvents(request.XEvents, duration)
                : CapturedWorkload.FromSnapshots(LoadSnapshots(request), duration);
        request.CapturedWorkload = load;
        warnings.AddRange(load.Warnings.Select(IoWarning.FromString));
        if (request.Roles.IsEmpty)
        {
            request.Specifications = load.CreateSpecifications();
            return;
        }
        if (request.Paths.Count > 0)
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{option} requires either one path or paths for file roles. With one path, IoBench tests the captured loads one after the other. With paths for file roles, IoBench tests all of them concurrently."
            );
        var paths = request.Roles.ToDictionary();
        warnings.AddRange(load.DescribeRolesWithoutPath(paths).Select(IoWarning.FromString));
        request.Specifications = load.CreateConcurrentSpecifications(paths);
    }

    private static List<FileStatsSnapshot> LoadSnapshots(PlanRequest request)
    {
        List<FileStatsSnapshot> snapshots = [.. request.FileStats.SelectMany(FileStatsSnapshot.LoadFile)];
        if (snapshots.Count < 2)
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{OptionNames.FromFileStats} requires two snapshots, with the earlier snapshot first: {OptionNames.FromFileStats.WithValue("before.csv,after.csv")}, or one file with several snapshots."
            );
        return snapshots;
    }
}

/// <summary>The tests of a plan, and the warnings about the plan.</summary>
public sealed record TestPlanResult(IReadOnlyList<IoTestSpecification> Tests, IReadOnlyList<IoWarning> Warnings);
