using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

internal static class SqlioTestText
{
    public const string Run = """
        sqlio v1.5.SG
        using system counter for latency timings, 2539062 counts per second
        parameter file used: paramMT.txt
        	file O:\test.dat with 4 threads (0-3) using mask 0x0 (0)
        4 threads reading for 60 secs from file O:\test.dat
        	using 8KB random IOs
        	enabling multiple I/Os per thread with 8 outstanding
        	buffering set to not use file nor disk caches (as is SQL Server)
        using specified size: 92160 MB for file: O:\test.dat
        initialization done
        CUMULATIVE DATA:
        throughput metrics:
        IOs/sec: 15504.09
        MBs/sec:   121.12
        latency metrics:
        Min_Latency(ms): 0
        Avg_Latency(ms): 24
        Max_Latency(ms): 4887
        histogram:
        ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+
        %: 13 21  7  4  3  3  2  2  2  1  1  1  1  1  1  1  1  1  1  0  0  0  0  0 32

        """;

    public static List<IoTestResult> ReadAll(string text) => SqlioFormat.Read(new StringReader(text), "test.txt").ToList();

    public static List<IoTestResult> ReadAll(byte[] bytes) => SqlioFormat.Read(new MemoryStream(bytes), "test.txt").ToList();

    public static IoTestResult ReadSingle(string text) => Assert.Single(ReadAll(text));

    public static byte[] Encode(string text, Encoding encoding) => [.. encoding.GetPreamble(), .. encoding.GetBytes(text)];

    public static string ReplaceLine(string oldPart, string newPart)
    {
        Assert.Contains(oldPart, Run, StringComparison.Ordinal);
        return Run.Replace(oldPart, newPart, StringComparison.Ordinal);
    }
}
