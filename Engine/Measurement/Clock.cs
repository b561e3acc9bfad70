using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace IoBench.Engine;

public static class Clock
{
    public const long Second = 1_000_000_000;

    private static readonly bool s_isNanoseconds = Stopwatch.Frequency == Second;
    private static readonly double s_scale = (double)Second / Stopwatch.Frequency;

    public static long Now
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => s_isNanoseconds ? Stopwatch.GetTimestamp() : (long)(Stopwatch.GetTimestamp() * s_scale);
    }

    public static long ToNanoseconds(TimeSpan span) => span.Ticks * 100;

    // Maximum lateness of a fine timer.
    private const long FineSlack = 1_000_000;

    /// <summary>Waits until a time to within about a microsecond: sleeps first and spins at the end.</summary>
    public static void WaitUntil(long moment) => WaitUntil(moment, WindowsTimer.TryWaitOnThread);

    /// <param name="wait">Returns false at once if there is no fine timer; the system's sleep is used then.</param>
    internal static void WaitUntil(long moment, Func<long, bool> wait)
    {
        for (var left = moment - Now; left > 0; left = moment - Now)
        {
            if (left > FineSlack && wait(Math.Min(left - FineSlack, Second)))
                continue;
            if (left > 3_000_000)
                Thread.Sleep((int)Math.Min(left / 1_000_000 - 1, 1000));
            else
                Thread.SpinWait(20);
        }
    }
}

/// <summary>Clock that only a modeled device advances, so that a test of the measurement is exact and takes no time.</summary>
internal sealed class VirtualClock
{
    /// <summary>Nanoseconds since the run began.</summary>
    public long Now { get; set; }
}

internal readonly struct WorkerClock(VirtualClock? modelled)
{
    public long Now
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => modelled is null ? Clock.Now : modelled.Now;
    }

    /// <summary>Waits until a time. A modeled device advances its clock to that time itself.</summary>
    public void WaitUntil(long moment)
    {
        if (modelled is null)
            Clock.WaitUntil(moment);
    }
}
