namespace IoBench.Reports;

internal static class ReportMemoryPolicy
{
    private const int MinResults = 5_000;

    /// <summary>From this size on, objects that survived a part and are not needed anymore are most of the memory.</summary>
    private const int MinResultsForFullCollection = 50_000;

    /// <summary>
    /// Frees the memory of a finished part. Each part creates many short-lived strings, and the runtime would let garbage grow to several
    /// times the CPU cache before it collects.
    /// </summary>
    /// <param name="rows">Results or rows of the part.</param>
    public static void ReleaseMemory(int rows)
    {
        if (rows >= MinResults)
            GC.Collect(rows >= MinResultsForFullCollection ? 2 : 1, GCCollectionMode.Forced, blocking: true);
    }
}
