using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Creates the tests of a request (paths x workloads x lists x repeats) in the order of the run.</summary>
public static class TestPlanner
{
    /// <summary>
    /// Creates the tests of a request. Repeated tests run round by round; the rounds of a steady state test follow one another, up to the
    /// maximum number. A round runs path by path
    /// (then all paths concurrently, depending on <see cref="PlanRequest.PathMode"/>), and on a path workload by workload. The lists of a
    /// sweep are innermost, and outstanding I/Os vary fastest.
    /// </summary>
    /// <exception cref="IoBenchException">The request contradicts itself, or a value is out of range. Test files are not
    /// checked.</exception>
    public static TestPlanResult Create(PlanRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        var warnings = new List<IoWarning>();
        TestPlanner.AddRoleOrCapturedTests(request, warnings);
        PlanRequestValidator.CheckRequest(request);
        var tests = PlaceOnPaths(request, TestPlanner.ExpandCombinations(request));
        foreach (var setting in request.Settings.Where(s => s.Row.NeedsTargets))
            tests.ForEach(test => setting.Row.Apply(test, setting.Values[0]));
        // The rounds of the SNIA standard take one minute.
        if (request is { SteadyState: true, Specifications.Count: 0 } && !request.Has(OptionNames.Duration))
            tests.ForEach(test =>
                test.Duration = test.Duration < Preconditioning.StandardRound ? Preconditioning.StandardRound : test.Duration
            );
        tests.ForEach(SpecificationValidator.Validate);
        PlanRequestValidator.CheckEffect(request, tests);
        var seed = request.GetValue<ulong>(new OptionName("Seed")) ?? RunSeed.CreateBase();
        var plan = request.SteadyState
            ? CreateSteadyStateRounds(tests, request.MaxRounds ?? SteadyState.DefaultMaxRounds, request.Idle, seed)
            : CreateRepeats(request, tests, seed);
        if (request.Precondition is { } passes)
            SetPreconditioning(plan, passes);
        return new TestPlanResult(plan, warnings);
    }

    /// <summary>
    /// Preconditions each file before its first test. With steady state rounds, preconditions it before the first round of each test,
    /// because the previous test has changed the state.
    /// </summary>
    private static void SetPreconditioning(List<IoTestSpecification> plan, double passes)
    {
        var written = new HashSet<(string, long?)>();
        foreach (var test in plan)
        {
            var files = test.Targets.ConvertAll(target => (target.Path, target.FileSize ?? test.FileSize));
            (test.Precondition, test.PreconditionsFirst) = (
                passes,
                test.SteadyStateRounds is null ? !files.TrueForAll(written.Contains) : test.Repeat == 1
            );
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
                RunSeed.Assign(order[i], seed, i, round);
            if (request.Shuffle)
                Shuffle(order, random);
            foreach (var test in order)
            {
                if (request.Repeat > 1)
                    test.Repeat = round;
                // The first test needs no idle time.
                if (request.Idle is { } idle)
                    test.RestBefore = plan.Count == 0 ? TimeSpan.Zero : idle;
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
            for (var round = 1; round <= rounds; round++)
            {
                var copy = tests[i].Clone();
                RunSeed.Assign(copy, seed, i, round);
                (copy.Repeat, copy.SteadyStateRounds) = (round, rounds);
                // Idle time between rounds would let caches drain, so that the steady state is never reached.
                copy.RestBefore = round > 1 || plan.Count == 0 ? TimeSpan.Zero : idle ?? copy.RestBefore;
                plan.Add(copy);
            }
        }
        return plan;
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
                "The specification names its own targets: leave the path out, or give one path for a specification with one target."
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
}

/// <summary>Tests of a request.</summary>
/// <param name="Tests">Tests in the order of the run.</param>
/// <param name="Warnings">Notes and warnings about the request.</param>
public sealed record TestPlanResult(IReadOnlyList<IoTestSpecification> Tests, IReadOnlyList<IoWarning> Warnings);
