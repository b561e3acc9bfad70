using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Measures the start delay of I/Os with a target rate. Response time includes it.</summary>
internal static class TimingChecks
{
    private const string PaceCode = "Pace",
        PaceSubject = "Pace";
    private const int TargetIops = 500;

    // The coarsest system timer (15.6 ms) causes a much larger delay.
    private const double MaxStartDelayMs = 1;

    public static IEnumerable<SelfTestCheck> CheckTargetRate(SelfTestContext context)
    {
        var test = context.CreateTest(IoBuffering.Both);
        test.Pace = new IoPace.OpenLoop(TargetIops);
        test.Duration = TimeSpan.FromSeconds(2);
        var result = context.RunTest(test);
        if (result.ResponseAverageMs - result.AverageLatencyMs is not { } late)
        {
            yield return SelfTestCheck.CannotTell(PaceCode, PaceSubject, "the paced test did no I/O.");
            yield break;
        }
        var what = FormattableString.Invariant(
            $"at {TargetIops} I/Os per second, I/Os start {Math.Max(0, late) * 1000:0} us late on average."
        );
        var figure = new FindingEvidence("Late", late * 1000, "us");
        yield return late <= MaxStartDelayMs ? SelfTestCheck.Pass(PaceCode, PaceSubject, what, null, figure)
        : SelfTestContext.IsBusy(result)
            ? SelfTestCheck.CannotTell(
                PaceCode,
                PaceSubject,
                what + " All processors were busy.",
                "Repeat it while nothing else runs",
                figure
            )
        : SelfTestCheck.Fail(
            PaceCode,
            PaceSubject,
            what + " Response times of paced tests include that.",
            "Look for power saving and coarse timers",
            figure
        );
    }
}
