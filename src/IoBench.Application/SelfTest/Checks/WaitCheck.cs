using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal static class TimingChecks
{
    private const string WaitsCode = "Waits",
        WaitsSubject = "Waits";
    private const int WaitRounds = 20;
    private const double MaxWaitDelayUs = 1000;
    private static readonly int[] s_waitMilliseconds = [1, 5];

    public static IEnumerable<SelfTestCheck> CheckWaits(SelfTestContext context)
    {
        using var resolution = new TimerResolutionScope();
        var own = MeasureDelay(Clock.WaitUntil);
        var sleep = MeasureDelay(until => Thread.Sleep((int)Math.Max(0, (until - Clock.Now) / 1_000_000)));
        double? timer = HighResolutionTimer.TryWait(1)
            ? MeasureDelay(until => HighResolutionTimer.TryWait(Math.Max(1, until - Clock.Now)))
            : null;
        var drift = context.GetClockDriftPpm();
        var what =
            FormattableString.Invariant($"waits of 1 and 5 ms end {own:0} us late on average, by the system's sleep {sleep:0} us")
            + (timer is { } fine ? FormattableString.Invariant($", by its timer of high resolution {fine:0} us") : "")
            + FormattableString.Invariant($"; clock and calendar differ by {Math.Abs(drift):0} ppm.");
        FindingEvidence[] figures =
        [
            new("Own waits", own, "us"),
            new("Sleep", sleep, "us"),
            new("High resolution", timer, "us"),
            new("Drift", drift, "ppm"),
        ];
        yield return own <= MaxWaitDelayUs
            ? SelfTestCheck.Pass(WaitsCode, WaitsSubject, what, null, figures)
            : SelfTestCheck.CannotTell(
                WaitsCode,
                WaitsSubject,
                what,
                "Repeat it while nothing else runs: busy processors and coarse timers look alike",
                figures
            );
    }

    private static double MeasureDelay(Action<long> wait)
    {
        var late = 0L;
        foreach (var milliseconds in s_waitMilliseconds)
        {
            for (var i = 0; i < WaitRounds; i++)
            {
                var until = Clock.Now + milliseconds * 1_000_000L;
                wait(until);
                late += Math.Max(0, Clock.Now - until);
            }
        }
        return late / 1000.0 / (WaitRounds * s_waitMilliseconds.Length);
    }
}
