namespace IoBench.Engine;

public static class TestPlanEstimator
{
    /// <summary>Assumed speed of filling a test file, in bytes per second, as long as the device is not measured.</summary>
    public const double GuessedFileBytesPerSecond = 500.0 * (1 << 20);

    /// <param name="bytesToMake">Bytes of test files that do not exist yet.</param>
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

    /// <summary>Gets the default warm-up: one sixth of the measurement, at least 1 s and at most 5 s (5 s for 30 s or more).</summary>
    public static TimeSpan DefaultWarmUp(TimeSpan duration) => TimeSpan.FromSeconds(Math.Clamp(duration.TotalSeconds / 6, 1, 5));
}
