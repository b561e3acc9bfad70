using System.Diagnostics;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Checks of timing: source, resolution, and cost of the clock (each I/O needs about two readings); delay of waits and of the system's
/// sleep; drift between clock and
/// calendar; and delay of starts with a target rate, which is part of the response time.
/// </summary>
internal static class ClockCheck
{
    private const string Code = "Clock",
        Subject = "Clock";
    private const int Looks = 100_000;

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
    {
        var clock = ClockCost.Measure(Looks);
        var (cost, step) = clock;
        var name =
            ClockCost.Source
            ?? (
                OperatingSystem.IsWindows()
                    ? FormattableString.Invariant($"the performance counter ({Stopwatch.Frequency / 1e6:0.##} MHz)")
                    : "the system's clock"
            );
        var what = FormattableString.Invariant($"{name}: a reading costs {cost:0} ns, its finest step is {step} ns.");
        var figures = new[] { new FindingFigure("Cost of a look", cost, "ns"), new FindingFigure("Finest step", step, "ns") };
        yield return !clock.IsSlow && step <= 1000
            ? SelfTestCheck.Pass(Code, Subject, what, null, figures)
            : SelfTestCheck.Fail(Code, Subject, what + " That adds to every short latency.", ClockCost.Advice, figures);
    }
}
