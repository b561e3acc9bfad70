namespace IoBench.Engine;

/// <summary>Cost of reading the clock, which each batch of I/Os does about twice.</summary>
/// <param name="Step">Smallest observed step in nanoseconds.</param>
public readonly record struct ClockCost(double Nanoseconds, long Step)
{
    // Above the cost of sources that the CPU reads itself, below the cost of sources outside the CPU.
    private const double SlowNanoseconds = 250;
    private const int Rounds = 10;

    private static readonly Lazy<ClockCost> s_short = new(() => Measure(2000));

    public static ClockCost Current => s_short.Value;

    public bool IsSlow => Nanoseconds > SlowNanoseconds;

    public static string? Source =>
        OperatingSystem.IsLinux() ? KernelFile.ReadText("/sys/devices/system/clocksource/clocksource0/current_clocksource") : null;

    public static string Advice =>
        OperatingSystem.IsLinux()
            ? "Choose the clock source tsc, or the clock source of the hypervisor (kvm-clock, hyperv)"
            : "Use the invariant time stamp counter of the computer (bcdedit /deletevalue useplatformclock)";

    /// <summary>Measures the cost. The lowest of several rounds counts, because an interruption is not a cost of the clock.</summary>
    public static ClockCost Measure(int looks)
    {
        var cost = double.MaxValue;
        var step = long.MaxValue;
        for (var round = 0; round < Rounds; round++)
        {
            var start = Clock.Now;
            var last = start;
            for (var i = 0; i < looks; i++)
            {
                var now = Clock.Now;
                if (now > last)
                    step = Math.Min(step, now - last);
                last = now;
            }
            cost = Math.Min(cost, (last - start) / (double)looks);
        }
        return new(cost, step);
    }

    public IoWarning? CreateWarning() =>
        IsSlow
            ? new IoWarning(
                WarningCodes.SlowClock,
                $"Reading the clock{(Source is { } source ? $" ({source})" : "")} takes {Nanoseconds:0} ns, and short latencies include "
                    + $"this time. {Advice}."
            )
            : null;
}
