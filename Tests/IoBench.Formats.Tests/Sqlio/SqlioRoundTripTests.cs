using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class SqlioRoundTripTests
{
    private sealed record GeneratedRun(
        string Text,
        double Iops,
        double Bandwidth,
        int Average,
        int Threads,
        int? Outstanding,
        int Block,
        string Path,
        int Size,
        int[] Percents
    );

    private static GeneratedRun GenerateRun(Random random)
    {
        int threads = random.Next(1, 257),
            block = 1 << random.Next(0, 11),
            size = random.Next(1, 4_000_000),
            average = random.Next(0, 5000);
        int? outstanding = random.Next(2) == 0 ? null : random.Next(1, 257);
        var iops = Math.Round(random.NextDouble() * 1e6, 2);
        var bandwidth = Math.Round(iops * block / 1024, 2);
        var path = new[]
        {
            @"O:\t.dat",
            @"D:\my files\a, b and c.dat",
            "E:Testfile.dat",
            "9:",
            @"\\server\share\ümlaut.dat",
            "/mnt/x/t.dat",
        }[random.Next(6)];
        var write = random.Next(2) == 0;
        var percents = CreatePercentages(random);
        var parameterFile = random.Next(2) == 0;
        // A parameter file has a thread pool per line. Otherwise, all threads work on all files.
        var second = random.Next(3) == 0 && threads > 1 ? @"F:\second file.dat" : null;
        var pools = second is null ? [threads] : new[] { random.Next(1, threads), 0 };
        if (second is not null)
            pools[1] = threads - pools[0];
        var paths = second is null ? [path] : new[] { path, second };
        var each = random.Next(2) == 0;
        var load = Enumerable.Range(0, 9).Select(_ => Math.Round(random.NextDouble() * 100, 2)).ToArray();
        var pattern = random.Next(3) switch
        {
            0 => $"{block}KB random IOs",
            1 => $"{block}KB sequential IOs",
            _ => $"{block}KB IOs over {block * 16}KB stripes with 64 IOs per run",
        };
        var buffering = new[] { null, "use hardware disk cache (but not file cache)", "not use file nor disk caches (as is SQL Server)" }[
            random.Next(3)
        ];
        var lines = new List<string?>
        {
            "sqlio v1.5.SG",
            $"using {(random.Next(2) == 0 ? "system" : "processor")} counter for latency timings, {random.Next(1, int.MaxValue)} counts per second",
            parameterFile ? "parameter file used: param.txt" : null,
            parameterFile ? string.Join("\n", paths.Select((p, i) => FormatPool(p, pools, i, random.Next(1, 1 << 20)))) : null,
            $"{threads} {(threads == 1 ? "thread" : "threads")} {(write ? "writing" : "reading")} for {random.Next(1, 10000)} secs {(write ? "to" : "from")} {(second is null ? "file" : "files")} {string.Join(" and ", paths)}",
            "\tusing " + pattern,
            outstanding is null ? null : $"\tenabling multiple I/Os per thread with {outstanding} outstanding",
            buffering is null ? null : "\tbuffering set to " + buffering,
            $"using {(random.Next(2) == 0 ? "specified" : "current")} size: {size} MB for file: {path}",
            second is null ? null : $"using specified size: 512 MB for file: {second}",
            "initialization done",
            "CUMULATIVE DATA:",
            "throughput metrics:",
            $"IOs/sec:{FormatNumber(iops)}",
            $"MBs/sec:{FormatNumber(bandwidth)}",
            random.Next(2) == 0 ? null : FormatProcessorTable(load, each),
            "latency metrics:",
            random.Next(2) == 0
                ? null
                : $"Min_Init_Latency(us): {random.Next(10)}\nAvg_Init_Latency(us): {random.Next(10, 100)}\nMax_Init_Latency(us): {random.Next(100, 9999)}",
            $"Min_Latency(ms): {random.Next(10)}",
            $"Avg_Latency(ms): {average}",
            $"Max_Latency(ms): {random.Next(100000)}",
            "histogram:",
            "ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+",
            "%:" + string.Concat(percents.Select(p => p.ToString(CultureInfo.InvariantCulture).PadLeft(3))),
        };
        var text = string.Join(random.Next(2) == 0 ? "\r\n" : "\n", lines.Where(l => l is not null)) + "\r\n";
        return new GeneratedRun(
            text,
            iops,
            bandwidth,
            average,
            threads,
            outstanding,
            block,
            string.Join("; ", paths),
            size + (second is null ? 0 : 512),
            percents
        );
    }

    private static string FormatPool(string path, int[] threads, int number, int mask)
    {
        var first = threads.Take(number).Sum();
        return string.Create(
            CultureInfo.InvariantCulture,
            $"\tfile {path} with {threads[number]} threads ({first}-{first + threads[number] - 1}) using mask 0x{mask:X} ({mask})"
        );
    }

    /// <summary>Formats the table of -U, or of -Up with columns for each processor after their mean.</summary>
    private static string FormatProcessorTable(double[] load, bool each)
    {
        string Row(string name, double one, double other) =>
            name.PadRight(19)
            + string.Concat(
                (each ? [Math.Round((one + other) / 2, 2), one, other] : new[] { one }).Select(v =>
                    v.ToString("0.00", CultureInfo.InvariantCulture).PadLeft(9)
                )
            );
        return "ProcessorNumber:".PadRight(19)
            + "ALL".PadLeft(9)
            + (each ? "        0        1" : "")
            + "\n"
            + string.Join(
                '\n',
                Row("DPCTime(%):", load[0], load[1]),
                Row("InterruptTime(%):", load[2], load[3]),
                Row("PrivilegedTime(%):", load[4], load[5]),
                Row("ProcessorTime(%):", load[6], load[7]),
                Row("UserTime(%):", load[8], load[0]),
                Row("Interrupts/sec:", load[1] * 100, load[2] * 100)
            );
    }

    private static string FormatNumber(double value) => value.ToString("0.00", CultureInfo.InvariantCulture).PadLeft(9);

    private static int[] CreatePercentages(Random random)
    {
        var percents = new int[25];
        for (var left = 100; left > 0; )
        {
            var share = Math.Min(left, random.Next(1, 101));
            percents[random.Next(25)] += share;
            left -= share;
        }
        return percents;
    }

    /// <summary>Properties that SQLIO text contains. The reader derives the others, or the text has no place for them.</summary>
    private static readonly string[] s_preserved =
    [
        "Path",
        "TargetCount",
        "FileSizeMB",
        "ThreadCount",
        "OutstandingIO",
        "TotalOutstanding",
        "BlockSizeKB",
        "Operation",
        "WritePercent",
        "AccessPattern",
        "IOPattern",
        "Buffering",
        "DurationSeconds",
        "BandwidthMBps",
        "IOPS",
        "ReadMBps",
        "ReadIOPS",
        "WriteMBps",
        "WriteIOPS",
        "AverageLatencyMs",
        "MinLatencyMs",
        "MaxLatencyMs",
        "P50Ms",
        "P90Ms",
        "P95Ms",
        "P99Ms",
        "ReadAverageLatencyMs",
        "ReadP99Ms",
        "WriteAverageLatencyMs",
        "WriteP99Ms",
        "LittlesLawLatencyMs",
        "CpuPercent",
        "ToolDetails",
        "Targets.Path",
        "Targets.FileSizeMB",
        "Targets.ThreadCount",
        "Histogram.Buckets.Percent",
        "Percentiles.Percent",
        "Percentiles.TotalMs",
        "Processors.Processor",
        "Processors.UsagePercent",
        "Processors.UserPercent",
        "Processors.KernelPercent",
        "Specification.Duration",
        "Specification.Targets.Path",
        "Specification.Targets.FileSize",
        "Specification.Targets.Pattern.BlockSize",
        "Specification.Targets.Pattern.ThreadCount",
        "Specification.Targets.Pattern.OutstandingIO",
        "Specification.Targets.Pattern.WritePercent",
        "Specification.Targets.Pattern.AccessPattern",
        "Specification.Targets.Pattern.Buffering",
        "Specification.Targets.Pattern.StripeColumns",
        "Specification.Targets.Pattern.Processors",
        "Histogram.Buckets.FromMs",
        "Histogram.Buckets.ToMs",
        "Specification.SharedThreadPool",
        "Specification.Sqlio.BufferingGiven",
        "Specification.Sqlio.InitiationLatency",
        "Specification.Sqlio.LatencyTimer",
        "Specification.Sqlio.OutstandingGiven",
        "Specification.Sqlio.ProcessorUse",
        "Specification.Sqlio.ProcessorUseEach",
        "Specification.Targets.Pattern.AffinityMode",
        "Targets.IOPattern",
        "Targets.Read.AverageLatencyMs",
        "Targets.Read.IOPS",
        "Targets.Read.MaxLatencyMs",
        "Targets.Read.MBps",
        "Targets.Read.MinLatencyMs",
        "Targets.Total.AverageLatencyMs",
        "Targets.Total.IOPS",
        "Targets.Total.MaxLatencyMs",
        "Targets.Total.MBps",
        "Targets.Total.MinLatencyMs",
        "Targets.Write.AverageLatencyMs",
        "Targets.Write.IOPS",
        "Targets.Write.MaxLatencyMs",
        "Targets.Write.MBps",
        "Targets.Write.MinLatencyMs",
    ];

    [Fact]
    public void Generated_SQLIO_runs_survive_a_round_trip()
    {
        var carries = new PropertyCoverage(s_preserved, []);
        for (var seed = 0; seed < 200; seed++)
        {
            var random = new Random(seed);
            var facts = Enumerable.Range(0, 3).Select(_ => GenerateRun(random)).ToList();
            var results = SqlioTestText.ReadAll(string.Concat(facts.Select(f => f.Text)));

            Assert.Equal(3, results.Count);
            for (var i = 0; i < 3; i++)
            {
                var (fact, result) = (facts[i], results[i]);
                Assert.True(
                    result.Status == IoResultStatus.Complete && result.Warnings.Count == 0,
                    $"seed {seed}: {string.Join(" | ", result.Warnings)}\n{fact.Text}"
                );
                Assert.Equal(
                    (fact.Iops, fact.Bandwidth, (double)fact.Average),
                    (result.IOPS, result.BandwidthMBps, result.AverageLatencyMs)
                );
                Assert.Equal(
                    (fact.Threads, fact.Outstanding ?? 1, (double)fact.Block),
                    (result.ThreadCount, result.OutstandingIO, result.BlockSizeKB)
                );
                Assert.Equal((fact.Path, (double)fact.Size), (result.Path, result.FileSizeMB));
                Assert.Equal(fact.Percents.Select(p => (double)p), result.Histogram!.Buckets.Select(b => b.Percent));
            }
            var writer = new StringWriter();
            ResultWriter.Write(writer, results, ResultFormat.Sqlio);
            var again = SqlioTestText.ReadAll(writer.ToString());
            for (var i = 0; i < 3; i++)
            {
                again[i].SourceLine = results[i].SourceLine;
                DeepComparer.AssertEqual(results[i], again[i], $"seed {seed}");
                if (seed < 60)
                    carries.AssertEqual(results[i], again[i], $"seed {seed}");
                AssertScriptReadsSame(facts[i], results[i]);
            }
        }
        carries.AssertPreservedPropertiesVary();
        carries.AssertOthersDoNotVary();
    }

    /// <summary>
    /// Checks that the rules of SQLIOResult2Excel.ps1 find the same values. They take the first word of a path with spaces and have no rule
    /// for stripes.
    /// </summary>
    private static void AssertScriptReadsSame(GeneratedRun fact, IoTestResult result)
    {
        var writer = new StringWriter();
        ResultWriter.Write(writer, [result], ResultFormat.Sqlio);
        var row = Assert.Single(SqlioResult2ExcelReader.ReadRows(writer.ToString()));
        Assert.Equal(
            (fact.Threads.ToString(CultureInfo.InvariantCulture), fact.Iops, fact.Bandwidth, fact.Average),
            (row.Threads, row.Iops, row.Bandwidth, row.Latency)
        );
        Assert.Equal(
            (result.Targets[0].Path.Split(' ')[0], result.DurationSeconds!.Value.ToString(CultureInfo.InvariantCulture)),
            (row.Path, row.Seconds)
        );
        Assert.Equal(fact.Outstanding is { } depth ? depth.ToString(CultureInfo.InvariantCulture) : "", row.Outstanding);
        Assert.Equal(string.Create(CultureInfo.InvariantCulture, $"{result.Targets[^1].FileSizeMB} MB"), row.Size);
        if (result.AccessPattern != IoAccessPattern.Stride)
            Assert.Equal(
                $"{fact.Block}KB{(result.AccessPattern == IoAccessPattern.Random ? "random" : "sequential")}{(result.Operation == IoOperation.Write ? "write" : "read")}",
                row.Pattern
            );
    }

    [Fact]
    public void Percentiles_are_correct_for_any_distribution_with_equal_rounding()
    {
        double[] wanted = [50, 90, 95, 99, 99.9];
        var given = 0;
        for (var seed = 0; seed < 300; seed++)
        {
            var random = new Random(seed);
            // Latencies of 10,000 I/Os in hundredths of a millisecond, with few or many different values.
            var spread = random.Next(10, 4000);
            var values = Enumerable
                .Range(0, 10_000)
                .Select(_ => (int)(spread * Math.Pow(random.NextDouble(), random.Next(1, 5))))
                .Order()
                .ToArray();
            var counts = new int[25];
            foreach (var value in values)
                counts[Math.Min(value / 100, 24)]++;
            var percents = counts.Select(c => (byte)Math.Round(c / 100.0, MidpointRounding.AwayFromZero)).ToArray();
            var found = new double?[wanted.Length];
            Assert.True(SqlioHistogram.TryGetPercentiles(percents, wanted, found));

            for (var i = 0; i < wanted.Length; i++)
            {
                if (found[i] is not { } percentile)
                    continue;
                given++;
                // The nearest-rank percentile of the true latencies is in the millisecond whose upper edge was returned.
                var real = values[(int)Math.Ceiling(wanted[i] / 100 * values.Length) - 1] / 100.0;
                Assert.True(percentile - 1 <= real && real < percentile, $"seed {seed}: P{wanted[i]} is {real}, given {percentile}");
                Assert.True(percentile <= 24);
            }
        }
        Assert.True(given > 150, $"only {given} percentiles were given");
    }
}
