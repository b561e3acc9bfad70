namespace IoBench.Engine.Measurement;

/// <summary>What a look at the clock costs: about two are taken for each batch of I/Os, so that a slow source adds to every short latency.</summary>
/// <param name="Nanoseconds">Cost of a look.</param>
/// <param name="Step">The finest step that was seen, in nanoseconds.</param>
internal readonly record struct ClockCost(double Nanoseconds, long Step)
{
    // Fast sources take 20 to 60 ns, those that leave the processor 300 ns to several us.
    private const double SlowNanoseconds = 250;
    private const int Rounds = 10;

    private static readonly Lazy<ClockCost> s_short = new(() => Measure(2000));

    /// <summary>That of this computer, from a short look once a process.</summary>
    public static ClockCost Here => s_short.Value;

    /// <summary>Whether the source is one that leaves the processor.</summary>
    public bool IsSlow => Nanoseconds > SlowNanoseconds;

    /// <summary>The system's name of the source; null where it does not say.</summary>
    public static string? Source =>
        OperatingSystem.IsLinux() ? KernelFile.Text("/sys/devices/system/clocksource/clocksource0/current_clocksource") : null;

    /// <summary>What to do about a slow one.</summary>
    public static string Advice =>
        OperatingSystem.IsLinux()
            ? "Choose the clock source tsc, or the hypervisor's own (kvm-clock, hyperv)"
            : "Let the computer use its invariant time stamp counter (bcdedit /deletevalue useplatformclock)";

    /// <summary>Measures it; the lowest of several rounds, because whatever interrupts one of them is no cost of the clock.</summary>
    /// <param name="looks">Looks of a round.</param>
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

    /// <summary>What a result says of it; null when the clock is fast.</summary>
    public IoWarning? Warning() =>
        IsSlow
            ? new IoWarning(
                WarningCodes.SlowClock,
                $"reading the clock{(Source is { } source ? $" ({source})" : "")} costs {Nanoseconds:0} ns: short latencies include that. {Advice}."
            )
            : null;
}
