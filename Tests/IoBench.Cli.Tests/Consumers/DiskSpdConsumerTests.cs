using System.Globalization;
using IoBench.Engine;

namespace IoBench.Cli.Tests;

public sealed class DropInRunFixture
{
    internal DropInRun MixedText { get; } = DropInRun.Execute("-b8K -o4 -t2 -r -w30 -L -D250 -c4M", "a.dat", "b.dat");
    internal DropInRun MixedXml { get; } = DropInRun.Execute("-Rxml -b8K -o4 -t2 -r -w30 -L -D250 -c4M", "a.dat", "b.dat");
    internal DropInRun WriteText { get; } = DropInRun.Execute("-b64K -o2 -si -w100 -L -c4M", "a.dat");
    internal DropInRun WriteXml { get; } = DropInRun.Execute("-Rxml -b64K -o2 -si -n -w100 -L -D -c4M", "a.dat");
    internal DropInRun PoolText { get; } = DropInRun.Execute("-b4K -F2 -O4 -r -w0 -L -c4M", "a.dat", "b.dat");
    internal DropInRun MinimalXml { get; } = DropInRun.Execute("-Rxml -b4K -c4M", "a.dat");
}

/// <summary>
/// Programs that read the output of DiskSpd can read the output of the drop-in unchanged, and they find the values of the engine.
/// </summary>
public class DiskSpdConsumerTests(DropInRunFixture runs) : IClassFixture<DropInRunFixture>
{
    private static readonly string[] s_percents = ["25", "50", "75", "90", "95", "99", "99.9", "99.99", "99.999", "100"];

    [InProcessFact]
    public void Process_DiskSpd_reads_a_mixed_run() => AssertProcessDiskSpdReads(runs.MixedXml, reads: true, writes: true);

    [InProcessFact]
    public void Process_DiskSpd_reads_a_write_only_run()
    {
        AssertProcessDiskSpdReads(runs.WriteXml, reads: false, writes: true);
        var read = new ProcessDiskSpdParser(runs.WriteXml.Output);
        Assert.Equal((null, "65536", "true"), (read.Random, read.StrideSize, read.DisableAffinity));
        Assert.Null(read.ReadAverage);
        Assert.All(read.Percentiles.Values, p => Assert.Null(p.Read));
    }

    /// <summary>Without -L and -D, the output has neither latencies nor standard deviations, and the script must accept that.</summary>
    [InProcessFact]
    public void Process_DiskSpd_reads_a_run_without_latency()
    {
        var read = new ProcessDiskSpdParser(runs.MinimalXml.Output);
        Assert.Equal((double)runs.MinimalXml.Result.IOCount!.Value, read.ReadCount);
        Assert.Empty(read.Percentiles);
        Assert.DoesNotContain("<Iops>", runs.MinimalXml.Output, StringComparison.Ordinal);
    }

    private static void AssertProcessDiskSpdReads(DropInRun run, bool reads, bool writes)
    {
        var (read, result) = (new ProcessDiskSpdParser(run.Output), run.Result);
        var totals = result.Totals!;
        Assert.Equal((Environment.MachineName, Math.Round(result.DurationSeconds!.Value, 2)), (read.System, read.TestTime));
        Assert.Equal(((double)totals.Read.IOCount!.Value, (double)totals.Read.ByteCount!.Value), (read.ReadCount, read.ReadBytes));
        Assert.Equal(((double)totals.Write.IOCount!.Value, (double)totals.Write.ByteCount!.Value), (read.WriteCount, read.WriteBytes));
        var pattern = result.Specification!;
        Assert.Equal(
            (pattern.WritePercent, pattern.OutstandingIO, pattern.BlockSize, result.ThreadCount!.Value),
            (ParseNumber(read.WriteRatio), ParseNumber(read.RequestCount), ParseNumber(read.BlockSize), ParseNumber(read.ThreadCount))
        );
        if (pattern.AccessPattern == IoAccessPattern.Random)
            Assert.Equal(pattern.BlockSize, ParseNumber(read.Random));
        Assert.Equal(result.Specification!.Targets[0].Path, read.Path);
        PrintedValues.AssertEqual(result.CpuPercent, read.CpuUsage, 2, "CPU");
        PrintedValues.AssertEqual(result.Processors.Average(p => p.KernelPercent), read.CpuKernel, 2, "CPU in the kernel");
        PrintedValues.AssertEqual(result.Processors.Max(p => p.UsagePercent), read.HotProcessor, 2, "busiest processor");
        PrintedValues.AssertEqual(result.Processors.Max(p => p.KernelPercent), read.HotProcessorKernel, 2, "busiest processor, kernel");
        if (reads)
        {
            PrintedValues.AssertEqual(totals.Read.IopsStdDev, read.ReadIopsStdDev, 3, "deviation of reads");
            PrintedValues.AssertEqual(result.ReadAverageLatencyMs, read.ReadAverage!.Value, 3, "average of reads");
        }
        if (writes)
        {
            PrintedValues.AssertEqual(totals.Write.IopsStdDev, read.WriteIopsStdDev, 3, "deviation of writes");
            PrintedValues.AssertEqual(result.WriteAverageLatencyMs, read.WriteAverage!.Value, 3, "average of writes");
        }
        foreach (var percent in s_percents)
        {
            var number = ParseNumber(percent);
            if (reads)
                PrintedValues.AssertPercentile(
                    result,
                    number,
                    p => p.ReadMs,
                    b => b.ReadCount,
                    ParseNumber(read.Percentiles[percent].Read),
                    "reads, " + percent
                );
            if (writes)
                PrintedValues.AssertPercentile(
                    result,
                    number,
                    p => p.WriteMs,
                    b => b.WriteCount,
                    ParseNumber(read.Percentiles[percent].Write),
                    "writes, " + percent
                );
        }
        // The latency table has one row for each of DiskSpd's 108 buckets.
        Assert.Equal(108, read.Percentiles.Count);
    }

    private static double ParseNumber(string? text) => double.Parse(text!, CultureInfo.InvariantCulture);

    [InProcessFact]
    public void VMFleet_reads_mixed_and_write_only_runs()
    {
        foreach (var run in new[] { runs.MixedXml, runs.WriteXml })
        {
            var (read, result) = (new VmFleetXmlParser(run.Output), run.Result);
            Assert.Equal(result.IOPS!.Value, read.Iops, result.IOPS.Value * 0.006);
            Assert.Equal(result.ReadIOPS!.Value, read.ReadIops, result.IOPS.Value * 0.006);
            Assert.Equal(result.WriteIOPS!.Value, read.WriteIops, result.IOPS.Value * 0.006);
            Assert.Equal(result.ReadMBps!.Value * 1048576, read.ReadBytesPerSecond, result.BandwidthMBps!.Value * 1048576 * 0.006);
            Assert.Equal(result.WriteMBps!.Value * 1048576, read.WriteBytesPerSecond, result.BandwidthMBps.Value * 1048576 * 0.006);
            Assert.Equal(result.Timeline.Average(p => p.IOPS!.Value), read.MeanOfBuckets, 1.0);
            foreach (var percent in new[] { 50, 90, 99 })
            {
                PrintedValues.AssertPercentile(
                    result,
                    percent,
                    p => p.WriteMs,
                    b => b.WriteCount,
                    read.GetPercentile(percent, "Write")!.Value,
                    "writes, " + percent
                );
                if (result.ReadIOPS > 0)
                    PrintedValues.AssertPercentile(
                        result,
                        percent,
                        p => p.ReadMs,
                        b => b.ReadCount,
                        read.GetPercentile(percent, "Read")!.Value,
                        "reads, " + percent
                    );
                else
                    Assert.Null(read.GetPercentile(percent, "Read"));
            }
            PrintedValues.AssertEqual(result.WriteAverageLatencyMs, read.GetAverage("Write")!.Value, 3, "average of writes");
            Assert.Equal(result.ReadIOPS > 0, read.GetAverage("Read") is not null);
        }
    }

    /// <summary>A profile with two timespans: VMFleet sums them; the text has one header, both results, and their totals.</summary>
    [InProcessFact]
    public void Timespans_of_a_profile_are_summed()
    {
        var xml = DropInRun.ExecuteProfile(CreateProfile("xml"), "a.dat", "b.dat");
        Assert.Equal(2, xml.Results.Count);
        var read = new VmFleetXmlParser(xml.Output);
        Assert.Equal(xml.Results.Sum(r => r.DurationSeconds!.Value), read.Time, 0.011);
        Assert.Equal(
            xml.Results.Sum(r => (double)r.IOCount!.Value) / xml.Results.Sum(r => r.DurationSeconds!.Value),
            read.Iops,
            read.Iops * 0.006
        );

        var text = DropInRun.ExecuteProfile(CreateProfile("text"), "a.dat", "b.dat");
        Assert.Single(text.Output.Split("\r\n"), line => line.StartsWith("Command Line:", StringComparison.Ordinal));
        var heads = text
            .Output.Split("\r\n")
            .Where(line => line.StartsWith("Results for timespan", StringComparison.Ordinal) || line == "Totals:");
        Assert.Equal(["Results for timespan 1:", "Results for timespan 2:", "Totals:"], heads);
        var total = text.Output.Split("\r\n").Last(line => line.StartsWith("total  |", StringComparison.Ordinal)).Split('|');
        Assert.Equal(
            (text.Results.Sum(r => r.ByteCount!.Value), text.Results.Sum(r => r.IOCount!.Value)),
            ((long)ParseNumber(total[1]), (long)ParseNumber(total[2]))
        );
        // The output shows the target paths as given.
        foreach (var (result, path) in text.Results.Zip(text.CommandLine.Split(' ')[^2..]))
            Assert.Contains($" | {path} (4MiB)", text.Output, StringComparison.Ordinal);
    }

    private static string CreateProfile(string format) =>
        $"""
            <Profile><ResultFormat>{format}</ResultFormat><TimeSpans>
              <TimeSpan><MeasureLatency>true</MeasureLatency><CalculateIopsStdDev>true</CalculateIopsStdDev><Duration>1</Duration><Warmup>0</Warmup><Targets><Target><Path>*1</Path><BlockSize>8192</BlockSize><FileSize>4194304</FileSize><Random>8192</Random><RequestCount>4</RequestCount><WriteRatio>30</WriteRatio><ThreadsPerFile>2</ThreadsPerFile></Target></Targets></TimeSpan>
              <TimeSpan><MeasureLatency>true</MeasureLatency><Duration>1</Duration><Warmup>0</Warmup><Targets><Target><Path>*2</Path><BlockSize>65536</BlockSize><FileSize>4194304</FileSize><StrideSize>65536</StrideSize><RequestCount>2</RequestCount><WriteRatio>100</WriteRatio><ThreadsPerFile>1</ThreadsPerFile></Target></Targets></TimeSpan>
            </TimeSpans></Profile>
            """;

    [InProcessFact]
    public void VirtualClient_reads_the_text_output()
    {
        foreach (var run in new[] { runs.MixedText, runs.WriteText, runs.PoolText })
        {
            var (read, result) = (new VirtualClientParser(run.Output, run.CommandLine), run.Result);
            AssertTable(
                read,
                "total",
                result,
                t => t.Total,
                (result.ByteCount, result.IOCount, result.BandwidthMBps, result.IOPS, result.AverageLatencyMs)
            );
            if (result.WritePercent < 100)
                AssertTable(
                    read,
                    "read",
                    result,
                    t => t.Read,
                    (
                        result.Totals!.Read.ByteCount,
                        result.Totals.Read.IOCount,
                        result.ReadMBps,
                        result.ReadIOPS,
                        result.ReadAverageLatencyMs
                    )
                );
            if (result.WritePercent > 0)
                AssertTable(
                    read,
                    "write",
                    result,
                    t => t.Write,
                    (
                        result.Totals!.Write.ByteCount,
                        result.Totals.Write.IOCount,
                        result.WriteMBps,
                        result.WriteIOPS,
                        result.WriteAverageLatencyMs
                    )
                );
            foreach (var processor in result.Processors)
            {
                PrintedValues.AssertEqual(processor.UsagePercent, read.GetValues($"cpu usage {processor.Processor}").Single(), 2, "usage");
                PrintedValues.AssertEqual(processor.UserPercent, read.GetValues($"cpu user {processor.Processor}").Single(), 2, "user");
                PrintedValues.AssertEqual(
                    processor.KernelPercent,
                    read.GetValues($"cpu kernel {processor.Processor}").Single(),
                    2,
                    "kernel"
                );
            }
            PrintedValues.AssertEqual(result.CpuPercent, read.GetValues("cpu usage average").Single(), 2, "average");
            AssertLatencies(read, result);
        }
    }

    private static void AssertTable(
        VirtualClientParser read,
        string kind,
        IoTestResult result,
        Func<IoReadWriteTotals, IoTotals> part,
        (long? Bytes, long? Count, double? MBps, double? Iops, double? Latency) total
    )
    {
        foreach (var rows in result.Threads.GroupBy(t => t.ThreadId))
        {
            var parts = rows.Select(part).ToList();
            Assert.Equal(parts.Select(p => (double)p.ByteCount!.Value), read.GetValues($"{kind} bytes {rows.Key}"));
            Assert.Equal(parts.Select(p => (double)p.IOCount!.Value), read.GetValues($"{kind} I/Os {rows.Key}"));
            for (var i = 0; i < parts.Count; i++)
            {
                PrintedValues.AssertEqual(parts[i].MBps, read.GetValues($"{kind} MiB/s {rows.Key}")[i], 2, "MiB/s");
                PrintedValues.AssertEqual(parts[i].IOPS, read.GetValues($"{kind} I/O per s {rows.Key}")[i], 2, "IOPS");
                PrintedValues.AssertEqual(parts[i].AverageLatencyMs, read.GetValues($"{kind} AvgLat {rows.Key}")[i], 3, "latency");
            }
        }
        Assert.Equal([(double)total.Bytes!.Value], read.GetValues($"{kind} bytes total"));
        Assert.Equal([(double)total.Count!.Value], read.GetValues($"{kind} I/Os total"));
        PrintedValues.AssertEqual(total.MBps, read.GetValues($"{kind} MiB/s total").Single(), 2, "MiB/s");
        PrintedValues.AssertEqual(total.Iops, read.GetValues($"{kind} I/O per s total").Single(), 2, "IOPS");
        PrintedValues.AssertEqual(total.Latency, read.GetValues($"{kind} AvgLat total").Single(), 3, "latency");
    }

    private static void AssertLatencies(VirtualClientParser read, IoTestResult result)
    {
        foreach (
            var (name, percent) in ((string, double)[])
                [
                    ("min", 0),
                    ("25th", 25),
                    ("50th", 50),
                    ("75th", 75),
                    ("90th", 90),
                    ("95th", 95),
                    ("99th", 99),
                    ("3-nines", 99.9),
                    ("4-nines", 99.99),
                    ("5-nines", 99.999),
                    ("6-nines", 99.9999),
                    ("7-nines", 99.99999),
                    ("8-nines", 99.999999),
                    ("9-nines", 99.9999999),
                    ("max", 100),
                ]
        )
        {
            if (result.WritePercent < 100)
                PrintedValues.AssertPercentile(
                    result,
                    percent,
                    p => p.ReadMs,
                    b => b.ReadCount,
                    read.GetValues("read latency " + name).Single(),
                    "reads, " + name
                );
            if (result.WritePercent > 0)
                PrintedValues.AssertPercentile(
                    result,
                    percent,
                    p => p.WriteMs,
                    b => b.WriteCount,
                    read.GetValues("write latency " + name).Single(),
                    "writes, " + name
                );
            PrintedValues.AssertPercentile(
                result,
                percent,
                p => p.TotalMs,
                b => b.ReadCount + b.WriteCount,
                read.GetValues("total latency " + name).Single(),
                "all, " + name
            );
        }
    }
}
