namespace IoBench.Engine.Specification;

/// <summary>How long a plan takes. Tests take the time they are given; making files depends on a device that is not measured yet, so that part is a guess.</summary>
/// <param name="Tests">Warm-up, measurement, cool-down and rests of all tests.</param>
/// <param name="MakingFiles">Making test files, at <paramref name="GuessedBytesPerSecond"/>.</param>
/// <param name="BytesToMake">Bytes of test files still to be written.</param>
/// <param name="GuessedBytesPerSecond">The speed that was assumed.</param>
/// <param name="BytesToPrecondition">Bytes that are written before tests, at the same speed.</param>
public sealed record TestPlanEstimate(
    TimeSpan Tests,
    TimeSpan MakingFiles,
    long BytesToMake,
    double GuessedBytesPerSecond,
    long BytesToPrecondition = 0
)
{
    /// <summary>All together.</summary>
    public TimeSpan Total => Tests + MakingFiles + Preconditioning;

    /// <summary>Writing before tests.</summary>
    public TimeSpan Preconditioning => TimeSpan.FromSeconds(BytesToPrecondition / GuessedBytesPerSecond);

    /// <summary><c>about 6 minutes</c>, or <c>about 6 minutes and 40 seconds to make 20 GB at a guessed 500 MiB/s</c>.</summary>
    public override string ToString() => Describe("about");

    /// <summary>The same of tests that may end early: <c>at most about 6 minutes</c>.</summary>
    public string AtMost() => Describe("at most about");

    private string Describe(string how)
    {
        var text = $"{how} {Words(Tests)}";
        string[] before =
        [
            .. BytesToMake > 0 ? [$"{Words(MakingFiles)} to make {Size(BytesToMake)}"] : Array.Empty<string>(),
            .. BytesToPrecondition > 0
                ? [$"{Words(Preconditioning)} to precondition with {Size(BytesToPrecondition)}"]
                : Array.Empty<string>(),
        ];
        return before.Length == 0
            ? text
            : $"{text} and {string.Join(" and ", before)} at a guessed {Throughput.Text(GuessedBytesPerSecond / 1048576)}";
    }

    /// <summary>A time in words, rounded as people say it: <c>45 seconds</c>, <c>6 minutes</c>, <c>2 hours 15 minutes</c>.</summary>
    public static string Words(TimeSpan time)
    {
        if (time.TotalSeconds < 100)
            return Figures.Counted((long)Math.Max(1, Math.Round(time.TotalSeconds)), "second");
        var minutes = (long)Math.Round(time.TotalMinutes, MidpointRounding.AwayFromZero);
        if (minutes < 100)
            return Figures.Counted(minutes, "minute");
        return minutes % 60 == 0 || minutes >= 24 * 60
            ? Figures.Counted((long)Math.Round(minutes / 60.0), "hour")
            : Figures.Counted(minutes / 60, "hour") + " " + Figures.Counted(minutes % 60, "minute");
    }

    private static string Size(long bytes) => new IoSize(bytes).ToDisplayString();
}
