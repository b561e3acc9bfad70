using System.Diagnostics;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>The clock that latencies are taken from: its source, its finest step and what a look at it costs. Each I/O needs about two looks.</summary>
internal static class ClockCheck
{
    private const string Code = "Clock", Subject = "Clock";
    private const int Looks = 100_000, Rounds = 10;

    // Fast sources take 20 to 60 ns, those that leave the processor 300 ns to several us.
    private const double SlowNanoseconds = 250;

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
    {
        var (cost, step) = Measure();
        var source = OperatingSystem.IsLinux() ? LinuxLimits.Text("/sys/devices/system/clocksource/clocksource0/current_clocksource") : null;
        var name = source ?? (OperatingSystem.IsWindows() ? FormattableString.Invariant($"the performance counter ({Stopwatch.Frequency / 1e6:0.##} MHz)") : "the system's clock");
        var what = FormattableString.Invariant($"{name}: a look costs {cost:0} ns, its finest step is {step} ns.");
        var figures = new[] { new FindingFigure("Cost of a look", cost, "ns"), new FindingFigure("Finest step", step, "ns") };
        yield return cost <= SlowNanoseconds && step <= 1000
            ? SelfTestCheck.Pass(Code, Subject, what, null, figures)
            : SelfTestCheck.Fail(Code, Subject, what + " That adds to every short latency.", OperatingSystem.IsLinux() ? "Choose the clock source tsc, or the hypervisor's own (kvm-clock, hyperv)" : "Let the computer use its invariant time stamp counter (bcdedit /deletevalue useplatformclock)", figures);
    }

    // The least of several rounds: whatever interrupts one of them is no cost of the clock.
    private static (double Cost, long Step) Measure()
    {
        var cost = double.MaxValue;
        var step = long.MaxValue;
        for (var round = 0; round < Rounds; round++)
        {
            var start = Clock.Now;
            var last = start;
            for (var i = 0; i < Looks; i++)
            {
                var now = Clock.Now;
                if (now > last)
                    step = Math.Min(step, now - last);
                last = now;
            }
            cost = Math.Min(cost, (last - start) / (double)Looks);
        }
        return (cost, step);
    }
}
