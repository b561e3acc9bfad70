using System.Diagnostics;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Checks of timing: source, resolution, and cost of the clock (each I/O needs about two readings); delay of waits and of the system's
/// sleep; drift between clock and
/// calendar; and delay of starts with a target rate, which is part of the response time.
/// </summary>
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
}
