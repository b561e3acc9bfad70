namespace IoBench.Reports.Model;

/// <summary>What a report of very many results does for its memory.</summary>
internal static class LargeReport
{
    /// <summary>Fewer need no care.</summary>
    private const int ManyResults = 5_000;

    /// <summary>From here on what outlived a part of the report, and is needed no longer, is most of the memory.</summary>
    private const int VeryManyResults = 50_000;

    /// <summary>
    /// Frees what a finished part has left behind. A part makes tens of megabytes of short-lived texts; by itself the runtime lets garbage grow to several times the processor's
    /// cache before it looks, which for a burst as short as a report is the most of its memory.
    /// </summary>
    /// <param name="rows">Results or rows of the part.</param>
    public static void EndPart(int rows)
    {
        if (rows >= ManyResults)
            GC.Collect(rows >= VeryManyResults ? 2 : 1, GCCollectionMode.Forced, blocking: true);
    }
}
