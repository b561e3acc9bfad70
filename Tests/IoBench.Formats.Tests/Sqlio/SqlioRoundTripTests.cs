using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>Generated SQLIO runs: what the text says is what is read, and writing and reading it again changes nothing.</summary>
public class SqlioRoundTripTests
{
    private sealed record Facts(string Text, double Iops, double Bandwidth, int Average, int Threads, int? Outstanding, int Block, string Path, int Size, int[] Percents);

    private static Facts Generate(Random random)
    {
        int threads = random.Next(1, 257), block = 1 << random.Next(0, 11), size = random.Next(1, 4_000_000), average = random.Next(0, 5000);
        int? outstanding = random.Next(2) == 0 ? null : random.Next(1, 257);
        var iops = Math.Round(random.NextDouble() * 1e6, 2);
        var bandwidth = Math.Round(iops * block / 1024, 2);
        var path = new[] { @"O:\t.dat", @"D:\my files\a, b and c.dat", "E:Testfile.dat", "9:", @"\\server\share\ümlaut.dat", "/mnt/x/t.dat" }[random.Next(6)];
        var write = random.Next(2) == 0;
        var percents = Percents(random);
        var parameterFile = random.Next(2) == 0;
        var pattern = random.Next(3) switch { 0 => $"{block}KB random IOs", 1 => $"{block}KB sequential IOs", _ => $"{block}KB IOs over {block * 16}KB stripes with 64 IOs per run" };
        var buffering = new[] { null, "use hardware disk cache (but not file cache)", "not use file nor disk caches (as is SQL Server)" }[random.Next(3)];
        var lines = new List<string?>
        {
            "sqlio v1.5.SG",
            $"using {(random.Next(2) == 0 ? "system" : "processor")} counter for latency timings, {random.Next(1, int.MaxValue)} counts per second",
            parameterFile ? "parameter file used: param.txt" : null,
            parameterFile ? $"\tfile {path} with {threads} threads (0-{threads - 1}) using mask 0x{random.Next():X} (0)" : null,
            $"{threads} {(threads == 1 ? "thread" : "threads")} {(write ? "writing" : "reading")} for {random.Next(1, 10000)} secs {(write ? "to" : "from")} file {path}",
            "\tusing " + pattern,
            outstanding is null ? null : $"\tenabling multiple I/Os per thread with {outstanding} outstanding",
            buffering is null ? null : "\tbuffering set to " + buffering,
            $"using {(random.Next(2) == 0 ? "specified" : "current")} size: {size} MB for file: {path}",
            "initialization done", "CUMULATIVE DATA:", "throughput metrics:",
            $"IOs/sec:{Figure(iops)}", $"MBs/sec:{Figure(bandwidth)}",
            "latency metrics:", $"Min_Latency(ms): {random.Next(10)}", $"Avg_Latency(ms): {average}", $"Max_Latency(ms): {random.Next(100000)}",
            "histogram:", "ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+",
            "%:" + string.Concat(percents.Select(p => p.ToString(CultureInfo.InvariantCulture).PadLeft(3))),
        };
        var text = string.Join(random.Next(2) == 0 ? "\r\n" : "\n", lines.Where(l => l is not null)) + "\r\n";
        return new Facts(text, iops, bandwidth, average, threads, outstanding, block, path, size, percents);
    }

    private static string Figure(double value) => value.ToString("0.00", CultureInfo.InvariantCulture).PadLeft(9);

    private static int[] Percents(Random random)
    {
        var percents = new int[25];
        for (var left = 100; left > 0;)
        {
            var share = Math.Min(left, random.Next(1, 101));
            percents[random.Next(25)] += share;
            left -= share;
        }
        return percents;
    }

    [Fact]
    public void Generated_runs()
    {
        for (var seed = 0; seed < 200; seed++)
        {
            var random = new Random(seed);
            var facts = Enumerable.Range(0, 3).Select(_ => Generate(random)).ToList();
            var results = SqlioText.Read(string.Concat(facts.Select(f => f.Text)));

            Assert.Equal(3, results.Count);
            for (var i = 0; i < 3; i++)
            {
                var (fact, result) = (facts[i], results[i]);
                Assert.True(result.Status == IoResultStatus.Complete && result.Warnings.Count == 0, $"seed {seed}: {string.Join(" | ", result.Warnings)}\n{fact.Text}");
                Assert.Equal((fact.Iops, fact.Bandwidth, (double)fact.Average), (result.IOPS, result.BandwidthMBps, result.AverageLatencyMs));
                Assert.Equal((fact.Threads, fact.Outstanding ?? 1, (double)fact.Block), (result.ThreadCount, result.OutstandingIO, result.BlockSizeKB));
                Assert.Equal((fact.Path, (double)fact.Size), (result.Path, result.FileSizeMB));
                Assert.Equal(fact.Percents.Select(p => (double)p), result.Histogram!.Buckets.Select(b => b.Percent));
            }
            var writer = new StringWriter();
            ResultWriter.Write(writer, results, ResultFormat.Sqlio);
            var again = SqlioText.Read(writer.ToString());
            for (var i = 0; i < 3; i++)
            {
                again[i].SourceLine = results[i].SourceLine;
                Deep.Equal(results[i], again[i], $"seed {seed}");
            }
        }
    }

    [Fact]
    public void Percentiles_hold_for_every_distribution_that_rounds_to_the_printed_one()
    {
        double[] wanted = [50, 90, 95, 99, 99.9];
        var given = 0;
        for (var seed = 0; seed < 300; seed++)
        {
            var random = new Random(seed);
            // Latencies of 10,000 I/Os in hundredths of a millisecond, few or many different ones.
            var spread = random.Next(10, 4000);
            var values = Enumerable.Range(0, 10_000).Select(_ => (int)(spread * Math.Pow(random.NextDouble(), random.Next(1, 5)))).Order().ToArray();
            var counts = new int[25];
            foreach (var value in values)
                counts[Math.Min(value / 100, 24)]++;
            var percents = counts.Select(c => (byte)Math.Round(c / 100.0, MidpointRounding.AwayFromZero)).ToArray();
            var found = new double?[wanted.Length];
            Assert.True(SqlioHistogram.Percentiles(percents, wanted, found));

            for (var i = 0; i < wanted.Length; i++)
            {
                if (found[i] is not { } percentile)
                    continue;
                given++;
                // Nearest rank of the true latencies lies in the millisecond whose upper edge was given.
                var real = values[(int)Math.Ceiling(wanted[i] / 100 * values.Length) - 1] / 100.0;
                Assert.True(percentile - 1 <= real && real < percentile, $"seed {seed}: P{wanted[i]} is {real}, given {percentile}");
                Assert.True(percentile <= 24);
            }
        }
        Assert.True(given > 150, $"only {given} percentiles were given");
    }
}
