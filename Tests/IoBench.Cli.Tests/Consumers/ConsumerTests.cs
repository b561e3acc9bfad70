using System.Globalization;
using IoBench.Engine;

namespace IoBench.Cli.Tests;

public sealed class ConsumerRuns
{
    internal DropInRun MixedText { get; } = DropInRun.Of("-b8K -o4 -t2 -r -w30 -L -D250 -c4M", "a.dat", "b.dat");
    internal DropInRun MixedXml { get; } = DropInRun.Of("-Rxml -b8K -o4 -t2 -r -w30 -L -D250 -c4M", "a.dat", "b.dat");
    internal DropInRun WriteText { get; } = DropInRun.Of("-b64K -o2 -si -w100 -L -c4M", "a.dat");
    internal DropInRun WriteXml { get; } = DropInRun.Of("-Rxml -b64K -o2 -si -n -w100 -L -D -c4M", "a.dat");
    internal DropInRun PoolText { get; } = DropInRun.Of("-b4K -F2 -O4 -r -w0 -L -c4M", "a.dat", "b.dat");
    internal DropInRun Bare { get; } = DropInRun.Of("-Rxml -b4K -c4M", "a.dat");
}

/// <summary>
/// Programs that read the output of DiskSpd can read the output of the drop-in unchanged, and they find the values of the engine.
/// </summary>
public class ConsumerTests(ConsumerRuns runs) : IClassFixture<ConsumerRuns>
{
    private static readonly string[] s_percents = ["25", "50", "75", "90", "95", "99", "99.9", "99.99", "99.999", "100"];

    [InProcessFact]
    public void Process_DiskSpd_reads_a_mixed_run() => Check(runs.MixedXml, reads: true, writes: true);

    [InProcessFact]
    public void Process_DiskSpd_reads_writes_alone()
    {
        Check(runs.WriteXml, reads: false, writes: true);
        var read = new ProcessDiskSpdRules(runs.WriteXml.Output);
        Assert.Equal((null, "65536", "true"), (read.Random, read.StrideSize, read.DisableAffinity));
        Assert.Null(read.ReadAverage);
        Assert.All(read.Percentiles.Values, p => Assert.Null(p.Read));
    }

    /// <summary>Without -L and -D, the output has neither latencies nor standard deviations, and the script must accept that.</summary>
    [InProcessFact]
    public void Process_DiskSpd_reads_a_run_without_latency()
    {
        var read = new ProcessDiskSpdRules(runs.Bare.Output);
        Assert.Equal((double)runs.Bare.Result.IOCount!.Value, read.ReadCount);
        Assert.Empty(read.Percentiles);
        Assert.DoesNotContain("<Iops>", runs.Bare.Output, StringComparison.Ordinal);
    }

    private static void Check(DropInRun run, bool reads, bool writes)
    {
        var (read, result) = (new ProcessDiskSpdRules(run.Output), run.Result);
        var totals = result.Totals!;
        Assert.Equal((Environment.MachineName, Math.Round(result.DurationSeconds!.Value, 2)), (read.System, read.TestTime));
        Assert.Equal(((double)totals.Read.IOCount!.Value, (double)totals.Read.ByteCount!.Value), (read.ReadCount, read.ReadBytes));
        Assert.Equal(((double)totals.Write.IOCount!.Value, (double)totals.Write.ByteCount!.Value), (read.WriteCount, read.WriteBytes));
        var pattern = result.Specification!;
        Assert.Equal(
            (pattern.WritePercent, pattern.OutstandingIO, pattern.BlockSize, result.ThreadCount!.Value),
            (Number(read.WriteRatio), Number(read.RequestCount), Number(read.BlockSize), Number(read.ThreadCount))
        );
        if (pattern.AccessPattern == IoAccessPattern.Random)
            Assert.Equal(pattern.BlockSize, Number(read.Random));
        Assert.Equal(result.Specification!.Targets[0].Path, read.Path);
        Printed.Same(result.CpuPercent, read.CpuUsage, 2, "CPU");
        Printed.Same(result.Processors.Average(p => p.KernelPercent), read.CpuKernel, 2, "CPU in the kernel");
        Printed.Same(result.Processors.Max(p => p.UsagePercent), read.HotProcessor, 2, "busiest processor");
        Printed.Same(result.Processors.Max(p => p.KernelPercent), read.HotProcessorKernel, 2, "busiest processor, kernel");
        if (reads)
        {
            Printed.Same(totals.Read.IopsStdDev, read.ReadIopsStdDev, 3, "deviation of reads");
            Printed.Same(result.ReadAverageLatencyMs, read.ReadAverage!.Value, 3, "average of reads");
        }
        if (writes)
        {
            Printed.Same(totals.Write.IopsStdDev, read.WriteIopsStdDev, 3, "deviation of writes");
            Printed.Same(result.WriteAverageLatencyMs, read.WriteAverage!.Value, 3, "average of writes");
        }
        foreach (var percent in s_percents)
        {
            var number = Number(percent);
            if (reads)
                Printed.SamePercentile(
                    result,
                    number,
                    p => p.ReadMs,
                    b => b.ReadCount,
                    Number(read.Percentiles[percent].Read),
                    "reads, " + percent
                );
            if (writes)
                Printed.SamePercentile(
                    result,
                    number,
                    p => p.WriteMs,
                    b => b.WriteCount,
                    Number(read.Percentiles[percent].Write),
                    "writes, " + percent
                );
        }
        // The latency table has one row for each of DiskSpd's 108 buckets.
        Assert.Equal(108, read.Percentiles.Count);
    }

    private static double Number(string? text) => double.Parse(text!, CultureInfo.InvariantCulture);

    [InProcessFact]
    public void VMFleet_reads_a_mixed_run_and_writes_alone()
    {
        foreach (var run in new[] { runs.MixedXml, runs.WriteXml })
        {
            var (read, result) = (new VmFleetRules(run.Output), run.Result);
            Assert.Equal(result.IOPS!.Value, read.Iops, result.IOPS.Value * 0.006);
            Assert.Equal(result.ReadIOPS!.Value, read.ReadIops, result.IOPS.Value * 0.006);
            Assert.Equal(result.WriteIOPS!.Value, read.WriteIops, result.IOPS.Value * 0.006);
            Assert.Equal(result.ReadMBps!.Value * 1048576, read.ReadBytesPerSecond, result.BandwidthMBps!.Value * 1048576 * 0.006);
            Assert.Equal(result.WriteMBps!.Value * 1048576, read.WriteBytesPerSecond, result.BandwidthMBps.Value * 1048576 * 0.006);
            Assert.Equal(result.Timeline.Average(p => p.IOPS!.Value), read.MeanOfBuckets, 1.0);
            foreach (var percent in new[] { 50, 90, 99 })
            {
                Printed.SamePercentile(
                    result,
                    percent,
                    p => p.WriteMs,
                    b => b.WriteCount,
                    read.At(percent, "Write")!.Value,
                    "writes, " + percent
                );
                if (result.ReadIOPS > 0)
                    Printed.SamePercentile(
                        result,
                        percent,
                        p => p.ReadMs,
                        b => b.ReadCount,
                        read.At(percent, "Read")!.Value,
                        "reads, " + percent
                    );
                else
                    Assert.Null(read.At(percent, "Read"));
            }
            Printed.Same(result.WriteAverageLatencyMs, read.Average("Write")!.Value, 3, "average of writes");
            Assert.Equal(result.ReadIOPS > 0, read.Average("Read") is not null);
        }
    }

    /// <summary>A profile with two timespans: VMFleet sums them; the text has one header, both results, and their totals.</summary>
    [InProcessFact]
    public void Timespans_of_a_profile_are_one_run()
    {
        var xml = DropInRun.OfProfile(Profile("xml"), "a.dat", "b.dat");
        Assert.Equal(2, xml.Results.Count);
        var read = new VmFleetRules(xml.Output);
        Assert.Equal(xml.Results.Sum(r => r.DurationSeconds!.Value), read.Time, 0.011);
        Assert.Equal(
            xml.Results.Sum(r => (double)r.IOCount!.Value) / xml.Results.Sum(r => r.DurationSeconds!.Value),
            read.Iops,
            read.Iops * 0.006
        );

        var text = DropInRun.OfProfile(Profile("text"), "a.dat", "b.dat");
        Assert.Single(text.Output.Split("\r\n"), line => line.StartsWith("Command Line:", StringComparison.Ordinal));
        var heads = text
            .Output.Split("\r\n")
            .Where(line => line.StartsWith("Results for timespan", StringComparison.Ordinal) || line == "Totals:");
        Assert.Equal(["Results for timespan 1:", "Results for timespan 2:", "Totals:"], heads);
        var total = text.Output.Split("\r\n").Last(line => line.StartsWith("total  |", StringComparison.Ordinal)).Split('|');
        Assert.Equal(
            (text.Results.Sum(r => r.ByteCount!.Value), text.Results.Sum(r => r.IOCount!.Value)),
            ((long)Number(total[1]), (long)Number(total[2]))
        );
        // The output shows the target paths as given.
        foreach (var (result, path) in text.Results.Zip(text.CommandLine.Split(' ')[^2..]))
            Assert.Contains($" | {path} (4MiB)", text.Output, StringComparison.Ordinal);
    }

    private static string Profile(string format) =>
        $"""
            <Profile><ResultFormat>{format}</ResultFormat><TimeSpans>
              <TimeSpan><MeasureLatency>true</MeasureLatency><CalculateIopsStdDev>true</CalculateIopsStdDev><Duration>1</Duration><Warmup>0</Warmup><Targets><Target><Path>*1</Path><BlockSize>8192</BlockSize><FileSize>4194304</FileSize><Random>8192</Random><RequestCount>4</RequestCount><WriteRatio>30</WriteRatio><ThreadsPerFile>2</ThreadsPerFile></Target></Targets></TimeSpan>
              <TimeSpan><MeasureLatency>true</MeasureLatency><Duration>1</Duration><Warmup>0</Warmup><Targets><Target><Path>*2</Path><BlockSize>65536</BlockSize><FileSize>4194304</FileSize><StrideSize>65536</StrideSize><RequestCount>2</RequestCount><WriteRatio>100</WriteRatio><ThreadsPerFile>1</ThreadsPerFile></Target></Targets></TimeSpan>
            </TimeSpans></Profile>
            """;

    [InProcessFact]
    public void VirtualClient_reads_the_text()
    {
        foreach (var run in new[] { runs.MixedText, runs.WriteText, runs.PoolText })
        {
            var (read, result) = (new VirtualClientRules(run.Output, run.CommandLine), run.Result);
            Table(
                read,
                "total",
                result,
                t => t.Total,
                (result.ByteCount, result.IOCount, result.BandwidthMBps, result.IOPS, result.AverageLatencyMs)
            );
            if (result.WritePercent < 100)
                Table(
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
                Table(
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
                Printed.Same(processor.UsagePercent, read.Of($"cpu usage {processor.Processor}").Single(), 2, "usage");
                Printed.Same(processor.UserPercent, read.Of($"cpu user {processor.Processor}").Single(), 2, "user");
                Printed.Same(processor.KernelPercent, read.Of($"cpu kernel {processor.Processor}").Single(), 2, "kernel");
            }
            Printed.Same(result.CpuPercent, read.Of("cpu usage average").Single(), 2, "average");
            Latency(read, result);
        }
    }

    private static void Table(
        VirtualClientRules read,
        string kind,
        IoTestResult result,
        Func<IoReadWriteTotals, IoTotals> part,
        (long? Bytes, long? Count, double? MBps, double? Iops, double? Latency) total
    )
    {
        foreach (var rows in result.Threads.GroupBy(t => t.ThreadId))
        {
            var parts = rows.Select(part).ToList();
            Assert.Equal(parts.Select(p => (double)p.ByteCount!.Value), read.Of($"{kind} bytes {rows.Key}"));
            Assert.Equal(parts.Select(p => (double)p.IOCount!.Value), read.Of($"{kind} I/Os {rows.Key}"));
            for (var i = 0; i < parts.Count; i++)
            {
                Printed.Same(parts[i].MBps, read.Of($"{kind} MiB/s {rows.Key}")[i], 2, "MiB/s");
                Printed.Same(parts[i].IOPS, read.Of($"{kind} I/O per s {rows.Key}")[i], 2, "IOPS");
                Printed.Same(parts[i].AverageLatencyMs, read.Of($"{kind} AvgLat {rows.Key}")[i], 3, "latency");
            }
        }
        Assert.Equal([(double)total.Bytes!.Value], read.Of($"{kind} bytes total"));
        Assert.Equal([(double)total.Count!.Value], read.Of($"{kind} I/Os total"));
        Printed.Same(total.MBps, read.Of($"{kind} MiB/s total").Single(), 2, "MiB/s");
        Printed.Same(total.Iops, read.Of($"{kind} I/O per s total").Single(), 2, "IOPS");
        Printed.Same(total.Latency, read.Of($"{kind} AvgLat total").Single(), 3, "latency");
    }

    private static void Latency(VirtualClientRules read, IoTestResult result)
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
                Printed.SamePercentile(
                    result,
                    percent,
                    p => p.ReadMs,
                    b => b.ReadCount,
                    read.Of("read latency " + name).Single(),
                    "reads, " + name
                );
            if (result.WritePercent > 0)
                Printed.SamePercentile(
                    result,
                    percent,
                    p => p.WriteMs,
                    b => b.WriteCount,
                    read.Of("write latency " + name).Single(),
                    "writes, " + name
                );
            Printed.SamePercentile(
                result,
                percent,
                p => p.TotalMs,
                b => b.ReadCount + b.WriteCount,
                read.Of("total latency " + name).Single(),
                "all, " + name
            );
        }
    }
}
