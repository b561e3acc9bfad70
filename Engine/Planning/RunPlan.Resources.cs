namespace IoBench.Engine;

internal sealed partial class RunPlan
{
    // Rough estimate for the runtime, ring, stack, and lists of a thread.
    private const long BytesPerThread = 1 << 20;
    private const int FilesOfTheProgram = 100;

    public void CheckResources(BackendDescriptor needs)
    {
        var threads = needs.CountThreads(Workers);
        CheckMemory();
        CheckLargePages();
        if (!OperatingSystem.IsLinux())
            return;
        if (LinuxResourceLimits.GetMaxThreads() is { } max && threads > max)
            throw CreateLimitError(
                "IoBench.TooManyThreads",
                "threads",
                threads,
                max,
                "Use fewer threads, or raise the process limit (ulimit -u, or the pids limit of the container)."
            );
        // In addition to the workers' handles, the run has its own handle for each target.
        var files = FilesOfTheProgram + (needs.IsModeled ? 0 : Targets.Length) + needs.CountOpenFiles(Workers);
        if (LinuxResourceLimits.GetMaxOpenFiles() is { } open && files > open)
            throw CreateLimitError(
                "IoBench.TooManyOpenFiles",
                "open files",
                files,
                open,
                "Use fewer threads or targets, or raise the limit (ulimit -n)."
            );
        if (needs.UsesAioRequests)
        {
            var ios = Workers.Sum(w => (long)w.SlotCount);
            if (LinuxResourceLimits.GetFreeAioRequests() is { } requests && ios > requests)
                throw CreateLimitError(
                    "IoBench.AioLimit",
                    "outstanding Linux native asynchronous I/Os",
                    ios,
                    requests,
                    "Use fewer threads or outstanding I/Os, or raise fs.aio-max-nr."
                );
        }
    }

    private void CheckMemory()
    {
        var intervals = (long)TimelineInterval.CountIntervals(Specification);
        var interval = TimelineInterval.Size + (Specification.ThreadTimelines ? 2 * IntervalLatency.Size : 0);
        var histograms = (long)IOKindCount * IntervalHistograms.GetColumnCount(intervals, IOKindCount) * IntervalHistograms.ColumnBytes;
        var bytes = Workers.Aggregate(
            (Int128)histograms,
            (sum, w) =>
                sum
                + (w.UsesLargePages ? 0 : w.BufferBytes)
                + BytesPerThread
                + w.Streams.Aggregate((Int128)0, (all, stream) => all + GetHistogramBytes(stream.Pattern) + intervals * interval)
        );
        bytes += RunVerification.GetMemoryBytes(Specification, Targets.Sum(t => t.Size));
        var available = OperatingSystem.IsLinux()
            ? LinuxResourceLimits.GetAvailableMemory()
            : GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        if (available is { } room && bytes > room)
        {
            throw IoBenchException.Usage(
                ErrorIds.NotEnoughMemory,
                $"The run needs {IoSize.Format((long)Int128.Min(long.MaxValue, bytes))} of memory for its buffers ({NumberFormat.Pluralize(Workers.Length, "thread")}, {NumberFormat.Pluralize(Workers.Sum(w => (long)w.SlotCount), "outstanding I/O")}), but only {IoSize.Format(room)} is free.",
                advice: "Use fewer threads, fewer outstanding I/Os, or smaller blocks."
            );
        }
    }

    // Reads, writes, and flushes have one histogram each. An open loop also has response times for reads and writes.
    private static long GetHistogramBytes(IoPattern pattern)
    {
        var operations = pattern.WritePercent is 0 or 100 ? 1 : 2;
        var times = pattern.TargetIops is not null ? 2 : 1;
        var flushes = pattern.FlushEvery > 0 ? 1 : 0;
        return (operations * times + flushes) * LatencyHistogram.BucketCount * (long)sizeof(long);
    }

    private void CheckLargePages()
    {
        var workers = Workers.Where(w => w.UsesLargePages).ToArray();
        if (workers.Length == 0 || LargePages.GetFreeCount() is not { } free)
            return;
        var pages = workers.Sum(w => LargePages.RoundUp(w.BufferBytes) / LargePages.Size);
        if (pages > free)
            throw LargePages.CreateTooFewError(pages, free);
    }

    private static IoBenchException CreateLimitError(string id, string what, long needed, long limit, string advice) =>
        IoBenchException.Usage(id, $"The run needs {needed} {what}, but the limit is {limit}.", advice: advice);
}
