using System.Diagnostics;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Checks the clock (each I/O needs about two readings), waits, and starts with a target rate, whose delay is part of the response
/// time.</summary>
internal static class TimingChecks
{
    private const int ClockReadings = 100_000;

    public static HostCheck CheckClock(HostCheckContext context)
    {
        var clock = ClockCost.Measure(ClockReadings);
        var (cost, step) = clock;
        var name =
            ClockCost.Source
            ?? (
                OperatingSystem.IsWindows()
                    ? Invariant($"the performance counter ({Stopwatch.Frequency / 1e6:0.##} MHz)")
                    : "the system's clock"
            );
        var what = Invariant($"{name}: reading the clock takes {cost:0} ns, and its resolution is {step} ns.");
        var figures = new[] { new FindingEvidence("Cost of a reading", cost, "ns"), new FindingEvidence("Resolution", step, "ns") };
        return !clock.IsSlow && step <= 1000
            ? HostCheck.Pass(what, null, figures)
            : HostCheck.Fail(what + " Short latencies are therefore overstated.", ClockCost.Advice, figures);
    }

    private const int TargetIops = 500;

    // The coarsest system timer (15.6 ms) causes a much larger delay.
    private const double MaxStartDelayMs = 1;

    public static HostCheck CheckTargetRate(HostCheckContext context)
    {
        var test = context.CreateTest(IoBuffering.Both);
        test.TargetIops = TargetIops;
        test.Duration = TimeSpan.FromSeconds(1);
        var result = context.RunTest(test);
        if (result.ResponseAverageMs - result.AverageLatencyMs is not { } late)
            return HostCheck.NotRated("the test at a fixed rate completed no I/O.");
        var what = Invariant($"at {TargetIops} IOPS, I/Os start {Math.Max(0, late) * 1000:0} us late on average.");
        var figure = new FindingEvidence("Late", late * 1000, "us");
        return late <= MaxStartDelayMs ? HostCheck.Pass(what, null, figure)
            : HostCheckContext.IsBusy(result)
                ? HostCheck.NotRated(what + " All CPUs were busy.", "Repeat the check when no other program uses the CPUs", figure)
            : HostCheck.Fail(
                what + " Response times of tests at a fixed rate include this delay.",
                "Check power saving and timer settings",
                figure
            );
    }
}
