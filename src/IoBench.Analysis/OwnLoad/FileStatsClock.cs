namespace IoBench.Analysis.OwnLoad;

/// <summary>
/// <c>sample_ms</c>: milliseconds since the computer, not SQL Server, was started. To SQL Server 2014 it is an int, which turns negative after 24.9 days and comes
/// round to zero after 49.7. Source: Microsoft Learn, sys.dm_io_virtual_file_stats.
/// </summary>
internal static class FileStatsClock
{
    private const long Round = 1L << 32;

    /// <summary>A value as it was printed, without the sign that an int may have.</summary>
    public static long Unsigned(long printed) => printed < 0 ? printed + Round : printed;

    /// <summary>Milliseconds from one snapshot to the next; negative when the second one is the earlier.</summary>
    public static long Between(long first, long second)
    {
        var difference = second - first;
        // Once round the int, as long as that is the shorter way; two snapshots in the wrong order are the longer one.
        return difference < 0 && first < Round && difference + Round < Round / 2 ? difference + Round : difference;
    }
}
