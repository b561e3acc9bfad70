using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace IoBench.Engine.Measurement;

/// <summary>The one clock of a run: monotonic nanoseconds.</summary>
internal static class Clock
{
    /// <summary>Nanoseconds per second.</summary>
    public const long Second = 1_000_000_000;

    private static readonly bool s_isNanoseconds = Stopwatch.Frequency == Second;
    private static readonly double s_scale = (double)Second / Stopwatch.Frequency;

    /// <summary>Nanoseconds since some fixed moment.</summary>
    public static long Now
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => s_isNanoseconds ? Stopwatch.GetTimestamp() : (long)(Stopwatch.GetTimestamp() * s_scale);
    }

    /// <summary>A time span in nanoseconds.</summary>
    public static long Nanoseconds(TimeSpan span) => span.Ticks * 100;

    // What a fine timer may be late.
    private const long FineSlack = 1_000_000;

    /// <summary>Waits until a moment to about a microsecond: sleeps while it is far, spins at the end.</summary>
    public static void WaitUntil(long moment) => WaitUntil(moment, HighResolutionTimer.TryWait);

    /// <summary>The same by another fine timer.</summary>
    /// <param name="moment">When it ends.</param>
    /// <param name="wait">Waits for nanoseconds; false, at once, where there is no fine timer, and then the system's sleep is used.</param>
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

/// <summary>A clock that only a modelled device moves, so that a test of the measurement takes no time and is exact.</summary>
internal sealed class VirtualClock
{
    /// <summary>Nanoseconds since the run began.</summary>
    public long Now { get; set; }
}
