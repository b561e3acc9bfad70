namespace IoBench.Engine.Specification;

/// <summary>What holds for any list of tests: how long it takes, and how long each of them warms up.</summary>
public static class TestPlan
{
    /// <summary>Speed that a test file is guessed to be made at before the device is known, in bytes per second.</summary>
    public const double GuessedFileBytesPerSecond = 500.0 * (1 << 20);

    /// <summary>
    /// How long a plan takes. <paramref name="bytesToMake"/>: bytes of test files that are not there yet;
    /// <paramref name="bytesToPrecondition"/>: bytes that are written before tests.
    /// </summary>
    public static TestPlanEstimate Estimate(
        IEnumerable<IoTestSpecification> plan,
        long bytesToMake = 0,
        double bytesPerSecond = GuessedFileBytesPerSecond,
        long bytesToPrecondition = 0
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        var tests = TimeSpan.Zero;
        foreach (var test in plan)
            tests += test.RestBefore + test.WarmUp + test.Duration + test.CoolDown;
        return new TestPlanEstimate(
            tests,
            TimeSpan.FromSeconds(bytesToMake / bytesPerSecond),
            bytesToMake,
            bytesPerSecond,
            bytesToPrecondition
        );
    }

    /// <summary>Warm-up when none is asked for: a sixth of the measured time, at least 1 s and at most 5 s; so 5 s from 30 s on.</summary>
    public static TimeSpan DefaultWarmUp(TimeSpan duration) => TimeSpan.FromSeconds(Math.Clamp(duration.TotalSeconds / 6, 1, 5));
}
