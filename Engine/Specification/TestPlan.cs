namespace IoBench.Engine;

/// <summary>Makes the tests of a request: paths x workloads x lists x repeats, in the order they are run.</summary>
public static class TestPlan
{
    /// <summary>Speed that a test file is guessed to be made at before the device is known, in bytes a second.</summary>
    public const double GuessedFileBytesPerSecond = 500.0 * (1 << 20);

    /// <summary>
    /// The tests of a request in order: round by round when repeated (the rounds of a steady state one after the other, as many as there may be); in a round path by path (then all paths at once, as
    /// <see cref="TestPlanRequest.PathMode"/> says); for a path workload by workload; the lists of a sweep innermost, outstanding I/O changing fastest.
    /// </summary>
    /// <exception cref="IoBenchException">The request contradicts itself or a value is out of range; no file was looked at.</exception>
    public static IReadOnlyList<IoTestSpecification> Create(TestPlanRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        TestPlanRules.Check(request);
        var tests = PlaceOnPaths(request, TestPlanSweep.Expand(request));
        tests.ForEach(SpecificationValidator.Validate);
        if (request.SteadyStateRounds is { } rounds)
            return Rounds(tests, rounds, request.Idle);
        var plan = new List<IoTestSpecification>(tests.Count * request.Repeat);
        var random = new Random(unchecked((int)(request.Seed ?? 0)));
        for (var round = 1; round <= request.Repeat; round++)
        {
            var order = tests.ConvertAll(test => test.Clone());
            if (request.Shuffle)
                Shuffle(order, random);
            foreach (var test in order)
            {
                if (request.Repeat > 1)
                    test.Repeat = round;
                // Nothing to rest from before the first test.
                if (request.Idle is { } idle)
                    test.RestBefore = plan.Count == 0 ? TimeSpan.Zero : idle;
                plan.Add(test);
            }
        }
        return plan;
    }

    /// <summary>
    /// How long a plan takes. <paramref name="bytesToMake"/>: bytes of test files that are not there yet.
    /// </summary>
    public static TestPlanEstimate Estimate(IEnumerable<IoTestSpecification> plan, long bytesToMake = 0, double bytesPerSecond = GuessedFileBytesPerSecond)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var tests = TimeSpan.Zero;
        foreach (var test in plan)
            tests += test.RestBefore + test.WarmUp + test.Duration + test.CoolDown;
        return new TestPlanEstimate(tests, TimeSpan.FromSeconds(bytesToMake / bytesPerSecond), bytesToMake, bytesPerSecond);
    }

    /// <summary>Warm-up when none is asked for: a sixth of the measured time, at least 1 s and at most 5 s; so 5 s from 30 s on.</summary>
    public static TimeSpan DefaultWarmUp(TimeSpan duration) => TimeSpan.FromSeconds(Math.Clamp(duration.TotalSeconds / 6, 1, 5));

    private static List<IoTestSpecification> Rounds(List<IoTestSpecification> tests, int rounds, TimeSpan? idle)
    {
        var plan = new List<IoTestSpecification>(tests.Count * rounds);
        foreach (var test in tests)
        {
            for (var round = 1; round <= rounds; round++)
            {
                var copy = test.Clone();
                (copy.Repeat, copy.SteadyStateRounds) = (round, rounds);
                // A rest between rounds would let caches drain and never reach the steady state of work.
                copy.RestBefore = round > 1 || plan.Count == 0 ? TimeSpan.Zero : idle ?? copy.RestBefore;
                plan.Add(copy);
            }
        }
        return plan;
    }

    private static List<IoTestSpecification> PlaceOnPaths(TestPlanRequest request, List<IoTestSpecification> tests)
    {
        var placed = new List<IoTestSpecification>();
        var own = tests.FindAll(test => test.Targets.Count > 0);
        var open = tests.FindAll(test => test.Targets.Count == 0);

        if (request.PathMode != IoPathMode.Together || request.Paths.Count == 1)
        {
            for (var i = 0; i < request.Paths.Count; i++)
                placed.AddRange(open.Select(test => Place(test, [request.Paths[i]], LabelOf(request, i) ?? test.Label)));
        }
        if (request.PathMode != IoPathMode.Each && request.Paths.Count > 1)
            placed.AddRange(open.Select(test => Place(test, request.Paths, JoinedLabel(request) ?? test.Label)));

        placed.AddRange(own.Select(test => PlaceOwn(request, test)));
        return placed;
    }

    private static IoTestSpecification Place(IoTestSpecification test, IReadOnlyList<string> paths, string? label)
    {
        var placed = test.Clone();
        placed.Targets = [.. paths.Select(path => new IoTargetSpecification(path))];
        placed.Label = label;
        return placed;
    }

    /// <summary>A specification that names its target: a path beside it moves that target.</summary>
    private static IoTestSpecification PlaceOwn(TestPlanRequest request, IoTestSpecification test)
    {
        var placed = test.Clone();
        if (request.Paths.Count == 1 && placed.Targets.Count == 1)
            placed.Targets[0].Path = request.Paths[0];
        else if (request.Paths.Count > 0)
            throw IoBenchException.Usage("IoBench.PathsAndTargets", "The specification names its own targets: leave the path out, or give one path for a specification with one target.");
        placed.Label = LabelOf(request, 0) ?? placed.Label;
        return placed;
    }

    private static string? LabelOf(TestPlanRequest request, int path) => request.Labels.Count switch
    {
        0 => null,
        1 => request.Labels[0],
        _ => request.Labels[path],
    };

    private static string? JoinedLabel(TestPlanRequest request)
        => request.Labels.Count == 0 ? null : string.Join(" + ", request.Labels);

    private static void Shuffle(List<IoTestSpecification> tests, Random random)
    {
        for (var i = tests.Count - 1; i > 0; i--)
        {
            var j = random.Next(i + 1);
            (tests[i], tests[j]) = (tests[j], tests[i]);
        }
    }
}
