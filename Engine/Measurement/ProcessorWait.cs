using System.Globalization;

namespace IoBench.Engine;

/// <summary>Time that ready workers waited for a CPU, which latencies include (Linux: /proc/self/task/TID/schedstat).</summary>
internal sealed class ProcessorWait(IReadOnlyList<Worker> workers)
{
    /// <summary>A wait of 5% changes averages by about 12%.</summary>
    private const double MaxPercent = 5;

    // A sample of workers is sufficient, and reading the times of all of them would take longer.
    private const int MaxSampledWorkers = 64;

    private readonly Worker[] _workers =
    [
        .. workers.Where((_, i) => i % ((workers.Count + MaxSampledWorkers - 1) / MaxSampledWorkers) == 0),
    ];
    private long?[] _before = [];
    private long?[] _after = [];

    public void Begin() => _before = ReadWaits();

    public void End() => _after = ReadWaits();

    /// <summary>Nanoseconds of wait so far; null if the system does not report it or the thread has ended.</summary>
    public static long? GetThreadWait(int thread) =>
        thread == 0 ? null : Parse(KernelFile.ReadText(string.Create(CultureInfo.InvariantCulture, $"/proc/self/task/{thread}/schedstat")));

    /// <summary>schedstat: nanoseconds on a CPU, nanoseconds of wait, time slices; all 0 if the kernel does not count.</summary>
    public static long? Parse(string? text) =>
        text?.Split(' ') is [var ran, var waited, ..]
        && ran != "0"
        && long.TryParse(waited, NumberStyles.None, CultureInfo.InvariantCulture, out var nanoseconds)
            ? nanoseconds
            : null;

    public static double? GetPercent(IReadOnlyList<long?> before, IReadOnlyList<long?> after, long nanoseconds)
    {
        var waits = before.Zip(after, (from, to) => (double?)(to - from)).OfType<double>().ToList();
        return waits.Count == 0 || nanoseconds <= 0 ? null : Math.Clamp(100 * waits.Average() / nanoseconds, 0, 100);
    }

    public double? GetPercent(long nanoseconds) => GetPercent(_before, _after, nanoseconds);

    public static IoWarning? CreateWarning(IoTestResult result) =>
        result.ProcessorWaitPercent > MaxPercent
            ? new IoWarning(
                WarningCodes.WaitedForProcessors,
                $"Worker threads waited {result.ProcessorWaitPercent:0}% of the time for a CPU, so latency is overstated and IOPS are "
                    + $"understated.{DescribeDeviceShare(result)} Stop other programs on this computer, or use fewer threads."
            )
            : null;

    private static string DescribeDeviceShare(IoTestResult result) =>
        result.GetDeviceLatencyMs() is { } device
            ? $" The block device accounted for {NumberFormat.Milliseconds(device)} of the average latency of {NumberFormat.Milliseconds(result.AverageLatencyMs!.Value)}."
            : "";

    // An ended thread has stored its last value. A thread that ends between the two reads has stored it by the second one.
    private long?[] ReadWaits() =>
        Array.ConvertAll(
            _workers,
            worker => worker.EndedAt != 0 ? worker.CpuWaitAtEnd : GetThreadWait(worker.ThreadId) ?? worker.CpuWaitAtEnd
        );
}
