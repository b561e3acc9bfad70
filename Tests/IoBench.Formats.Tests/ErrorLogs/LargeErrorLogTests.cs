using System.Text;

namespace IoBench.Formats.Tests;

/// <summary>The reader must keep only one message and the unfinished events in memory, not the whole log.</summary>
[Collection(MemoryTestGroup.Name)]
public class LargeErrorLogTests : CreatedFolderTestBase
{
    private const string Prefix = "2026-11-28 02:12:36.12 spid";

    private const string LongIO =
        "5s      SQL Server has encountered 3 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [E:\\a.mdf] in database id 12.  The OS file handle is 0x0000000000001594.  The offset of the latest long I/O is: 0x000030435b0000.  The duration of the long I/O is: 26728 ms.";

    [Theory]
    [InlineData(LongIO, "\n", true)]
    [InlineData("5s      Starting up database 'x'.", "\n", false)]
    [InlineData("#      Error: 823, Severity: 24, State: 2.", "\n", true)]
    [InlineData("#      FlushCache: cleaned up 5 bufs with 4 writes in 75027 ms for db 6:0", "\n", true)]
    [InlineData("#      Memory limit: 249MB", "\n", false)]
    // One endless message: with lines, and without.
    [InlineData("", "\nx", false)]
    [InlineData("", "x", false)]
    public void Large_log_is_read_in_bounded_memory(string message, string separator, bool hasEvents)
    {
        var path = Path.Combine(Folder, "ERRORLOG");
        using (var writer = new StreamWriter(path, append: false, Encoding.Unicode))
        {
            writer.Write(Prefix + "5s      Starting up database 'master'.\n");
            for (var (i, length) = (0, 0); length < 6_000_000; i++)
            {
                var text = (message.Length > 0 ? Prefix : "") + message.Replace("#", $"{i % 1000}s", StringComparison.Ordinal) + separator;
                writer.Write(text);
                length += text.Length;
            }
        }
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var allocated = GC.GetAllocatedBytesForCurrentThread();
        var most = 0L;
        var count = 0;
        foreach (var _ in new ErrorLogReader(path).ReadEvents())
            if (++count % 10_000 == 0)
                most = Math.Max(most, GC.GetTotalMemory(forceFullCollection: true) - before);
        // The log has 12 MB. Messages without an event are not even allocated.
        Assert.InRange(most, 0, 2_000_000);
        if (!hasEvents && !message.Contains('#', StringComparison.Ordinal))
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - allocated, 0, 2_000_000);
        Assert.Equal(hasEvents, count > 15_000);
    }
}
