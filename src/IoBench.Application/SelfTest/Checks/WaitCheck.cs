using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal static class WaitCheck
{
    private const string Code = "Waits",
        Subject = "Waits";
    private const int Rounds = 20;
    private const double LateUs = 1000;
    private static readonly int[] s_milliseconds = [1, 5];

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
    {
        using var resolution = new TimerResolution();
        var own = Late(Clock.WaitUntil);
        var sleep = Late(until => Thread.Sleep((int)Math.Max(0, (until - Clock.Now) / 1_000_000)));
        double? timer = HighResolutionTimer.TryWait(1) ? Late(until => HighResolutionTimer.TryWait(Math.Max(1, until - Clock.Now))) : null;
        var drift = context.DriftPpm();
        var what =
            FormattableString.Invariant($"waits of 1 and 5 ms end {own:0} us late on average, by the system's sleep {sleep:0} us")
            + (timer is { } fine ? FormattableString.Invariant($", by its timer of high resolution {fine:0} us") : "")
            + FormattableString.Invariant($"; clock and calendar differ by {Math.Abs(drift):0} ppm.");
        FindingFigure[] figures =
        [
            new("Own waits", own, "us"),
            new("Sleep", sleep, "us"),
            new("High resolution", timer, "us"),
            new("Drift", drift, "ppm"),
        ];
        yield return own <= LateUs
            ? SelfTestCheck.Pass(Code, Subject, what, null, figures)
            : SelfTestCheck.CannotTell(
                Code,
                Subject,
                what,
                "Repeat it while nothing else runs: busy processors and coarse timers look alike",
                figures
            );
    }

    private static double Late(Action<long> wait)
    {
        var late = 0L;
        foreach (var milliseconds in s_milliseconds)
        {
            for (var i = 0; i < Rounds; i++)
            {
                var until = Clock.Now + milliseconds * 1_000_000L;
                wait(until);
                late += Math.Max(0, Clock.Now - until);
            }
        }
        return late / 1000.0 / (Rounds * s_milliseconds.Length);
    }
}
