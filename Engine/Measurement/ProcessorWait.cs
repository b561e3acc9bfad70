using System.Globalization;

namespace IoBench.Engine.Measurement;

/// <summary>
/// How long workers were ready to go on and got no processor: latencies include it, and no device took it. Linux counts it for each thread
/// (/proc/self/task/TID/schedstat, the wait in run queues); Windows does not report it.
/// </summary>
internal sealed class ProcessorWait(IReadOnlyList<Worker> workers)
{
    /// <summary>From here on a closed loop's IOPS may lack as much as the smallest change that single runs show.</summary>
    private const double MaxPercent = 15;

    // So many show what a thousand would, and reading them takes about a millisecond.
    private const int MaxLooks = 64;

    private readonly Worker[] _workers = [.. workers.Where((_, i) => i % ((workers.Count + MaxLooks - 1) / MaxLooks) == 0)];
    private long?[] _before = [];
    private long?[] _after = [];

    /// <summary>Notes what has been waited for when the measured time begins.</summary>
    public void Begin() => _before = Look();

    /// <summary>Notes it at its end.</summary>
    public void End() => _after = Look();

    /// <summary>Nanoseconds that a thread of this process has waited so far; null where the system does not say, or the thread is over.</summary>
    /// <param name="thread">The system's number of the thread; 0 = not known.</param>
    public static long? Of(int thread) =>
        thread == 0 ? null : Parse(KernelFile.Text(string.Create(CultureInfo.InvariantCulture, $"/proc/self/task/{thread}/schedstat")));

    /// <summary>The second number of schedstat: nanoseconds on a processor, nanoseconds of wait, slices. A kernel that does not count says 0 everywhere.</summary>
    /// <param name="text">Its line.</param>
    public static long? Parse(string? text) =>
        text?.Split(' ') is [var ran, var waited, ..]
        && ran != "0"
        && long.TryParse(waited, NumberStyles.None, CultureInfo.InvariantCulture, out var nanoseconds)
            ? nanoseconds
            : null;

    /// <summary>The wait of an average worker in percent of a time; null where no worker's is known.</summary>
    /// <param name="before">Nanoseconds of each worker at the time's beginning.</param>
    /// <param name="after">At its end.</param>
    /// <param name="nanoseconds">The time.</param>
    public static double? Percent(IReadOnlyList<long?> before, IReadOnlyList<long?> after, long nanoseconds)
    {
        var waits = before.Zip(after, (from, to) => (double?)(to - from)).OfType<double>().ToList();
        return waits.Count == 0 || nanoseconds <= 0 ? null : Math.Clamp(100 * waits.Average() / nanoseconds, 0, 100);
    }

    /// <summary>The wait of an average worker in percent of a time; null where the system does not report it.</summary>
    /// <param name="nanoseconds">From <see cref="Begin"/> to <see cref="End"/>.</param>
    public double? Percent(long nanoseconds) => Percent(_before, _after, nanoseconds);

    /// <summary>What a result says of a share; null when it is small or not known.</summary>
    /// <param name="percent">The wait of an average worker in percent of the measured time.</param>
    public static IoWarning? Warning(double? percent) =>
        percent > MaxPercent
            ? new IoWarning(
                WarningCodes.WaitedForProcessors,
                $"workers waited {percent:0} % of the time for a processor: latencies include that, and IOPS lack it. End what else runs on this computer, or use fewer threads."
            )
            : null;

    // A thread that is over left its last word; one that ends between the two looks has left it by then.
    private long?[] Look() =>
        Array.ConvertAll(_workers, worker => worker.EndedAt != 0 ? worker.WaitedAtEnd : Of(worker.ThreadId) ?? worker.WaitedAtEnd);
}
