namespace IoBench.Reports;

internal static class ReportMemoryPolicy
{
    private const int MinResults = 5_000;

    /// <summary>From this size on, objects that survived a part and are not needed anymore are most of the memory.</summary>
    private const int MinResultsForFullCollection = 50_000;

    /// <summary>Each part creates many short-lived strings, and garbage would grow to several times the CPU cache.</summary>
    public static void ReleaseMemory(int rows)
    {
        if (rows >= MinResults)
            GC.Collect(rows >= MinResultsForFullCollection ? 2 : 1, GCCollectionMode.Forced, blocking: true);
    }
}
