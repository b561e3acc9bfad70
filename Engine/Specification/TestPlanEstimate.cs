namespace IoBench.Engine;

/// <summary>The time of the tests is known; the time to create files is an estimate, because the device is not measured yet.</summary>
/// <param name="Tests">Warm-up, measurement, cool-down, and idle time of all tests.</param>
public sealed record TestPlanEstimate(
    TimeSpan Tests,
    TimeSpan MakingFiles,
    long BytesToMake,
    double GuessedBytesPerSecond,
    long BytesToPrecondition = 0
)
{
    /// <summary>Assumed speed of filling a test file, in bytes per second, as long as the device is not measured.</summary>
    public const double GuessedFileBytesPerSecond = 500.0 * (1 << 20);

    /// <param name="bytesToMake">Bytes of test files that do not exist yet.</param>
    public static TestPlanEstimate Create(
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

    public TimeSpan Total => Tests + MakingFiles + Preconditioning;

    public TimeSpan Preconditioning => TimeSpan.FromSeconds(BytesToPrecondition / GuessedBytesPerSecond);

    /// <summary>Returns <c>about 6 minutes</c>, or <c>about 6 minutes and 40 seconds to make 20 GB at a guessed 500 MiB/s</c>.</summary>
    public override string ToString() => Describe("about");

    public string DescribeAtMost() => Describe("at most about");

    private string Describe(string how)
    {
        var text = $"{how} {FormatDuration(Tests)}";
        string[] before =
        [
            .. BytesToMake > 0 ? [$"{FormatDuration(MakingFiles)} to create {IoSize.Format(BytesToMake)}"] : Array.Empty<string>(),
            .. BytesToPrecondition > 0
                ? [$"{FormatDuration(Preconditioning)} to precondition with {IoSize.Format(BytesToPrecondition)}"]
                : Array.Empty<string>(),
        ];
        return before.Length == 0
            ? text
            : $"{text}, plus {string.Join(" and ", before)} (assuming {ThroughputDisplay.Format(GuessedBytesPerSecond / 1048576)})";
    }

    /// <summary>Formats a duration in rounded words: <c>45 seconds</c>, <c>6 minutes</c>, <c>2 hours 15 minutes</c>.</summary>
    public static string FormatDuration(TimeSpan time)
    {
        if (time.TotalSeconds < 100)
            return NumberFormat.Pluralize((long)Math.Max(1, Math.Round(time.TotalSeconds)), "second");
        var minutes = (long)Math.Round(time.TotalMinutes, MidpointRounding.AwayFromZero);
        if (minutes < 100)
            return NumberFormat.Pluralize(minutes, "minute");
        return minutes % 60 == 0 || minutes >= 24 * 60
            ? NumberFormat.Pluralize((long)Math.Round(minutes / 60.0), "hour")
            : NumberFormat.Pluralize(minutes / 60, "hour") + " " + NumberFormat.Pluralize(minutes % 60, "minute");
    }
}
