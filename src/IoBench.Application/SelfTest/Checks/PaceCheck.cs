using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Measures the start delay of I/Os with a target rate. Response time includes it.</summary>
internal static class PaceCheck
{
    private const string Code = "Pace",
        Subject = "Pace";
    private const int Rate = 500;

    // The coarsest system timer (15.6 ms) causes a much larger delay.
    private const double LateMs = 1;

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
    {
        var test = context.Test(IoBuffering.Both);
        test.Pace = new IoPace.Open(Rate);
        test.Duration = TimeSpan.FromSeconds(2);
        var result = context.Run(test);
        if (result.ResponseAverageMs - result.AverageLatencyMs is not { } late)
        {
            yield return SelfTestCheck.CannotTell(Code, Subject, "the paced test did no I/O.");
            yield break;
        }
        var what = FormattableString.Invariant($"at {Rate} I/Os per second, I/Os start {Math.Max(0, late) * 1000:0} us late on average.");
        var figure = new FindingFigure("Late", late * 1000, "us");
        yield return late <= LateMs ? SelfTestCheck.Pass(Code, Subject, what, null, figure)
        : SelfTestContext.IsBusy(result)
            ? SelfTestCheck.CannotTell(Code, Subject, what + " All processors were busy.", "Repeat it while nothing else runs", figure)
        : SelfTestCheck.Fail(
            Code,
            Subject,
            what + " Response times of paced tests include that.",
            "Look for power saving and coarse timers",
            figure
        );
    }
}
