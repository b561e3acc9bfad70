using System.Diagnostics;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Checks the clock (each I/O needs about two readings), waits, and starts with a target rate, whose delay is part of the response
/// time.</summary>
internal static class TimingChecks
{
    private const string ClockCode = "Clock",
        ClockSubject = "Clock";
    private const int ClockReadings = 100_000;

    public static IEnumerable<SelfTestCheck> CheckClock(SelfTestContext context)
    {
        var clock = ClockCost.Measure(ClockReadings);
        var (cost, step) = clock;
        var name =
            ClockCost.Source
            ?? (
                OperatingSystem.IsWindows()
                    ? FormattableString.Invariant($"the performance counter ({Stopwatch.Frequency / 1e6:0.##} MHz)")
                    : "the system's clock"
            );
        var what = FormattableString.Invariant($"{name}: a reading costs {cost:0} ns, its finest step is {step} ns.");
        var figures = new[] { new FindingEvidence("Cost of a look", cost, "ns"), new FindingEvidence("Finest step", step, "ns") };
        yield return !clock.IsSlow && step <= 1000
            ? SelfTestCheck.Pass(ClockCode, ClockSubject, what, null, figures)
            : SelfTestCheck.Fail(ClockCode, ClockSubject, what + " That adds to every short latency.", ClockCost.Advice, figures);
    }

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
