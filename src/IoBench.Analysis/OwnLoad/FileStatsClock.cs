namespace IoBench.Analysis;

internal static class FileStatsSnapshot
{
    private const long SampleMsWrap = 1L << 32;

    /// <summary>
    /// Removes the sign of <c>sample_ms</c>. The value counts milliseconds since the computer started. Through SQL Server 2014, it is an
    /// int, which becomes negative after 24.9 days and returns to zero after 49.7 days. Source: Microsoft Learn,
    /// sys.dm_io_virtual_file_stats.
    /// </summary>
    public static long ToUnsignedSampleMs(long printed) => printed < 0 ? printed + SampleMsWrap : printed;

    /// <summary>Returns the milliseconds between two snapshots; negative if the second one is earlier.</summary>
    public static long GetElapsedMs(long first, long second)
    {
        var difference = second - first;
        // Assume one overflow of the int only if the elapsed time is then less than half of its range. Otherwise, the snapshots are in the
        // wrong order.
        return difference < 0 && first < SampleMsWrap && difference + SampleMsWrap < SampleMsWrap / 2
            ? difference + SampleMsWrap
            : difference;
    }
}
