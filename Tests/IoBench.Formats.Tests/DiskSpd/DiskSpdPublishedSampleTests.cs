using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>Published outputs are not in the repository, so these tests run only where the outputs are available.</summary>
public class DiskSpdPublishedSampleTests
{
    private static IoTestResult ReadSample(string name)
    {
        var file = SampleFiles.FindPublished("diskspd-published", name)!;
        using var reader = File.OpenText(file);
        return Assert.Single(
            name.EndsWith(".xml", StringComparison.Ordinal) ? DiskSpdFormat.ReadXml(reader, file) : DiskSpdFormat.ReadText(reader, file)
        );
    }

    [PublishedFact("diskspd-published", "diskspd-for-linux-direct-qd32-t2.txt")]
    public void Output_of_diskspd_for_linux_is_read()
    {
        var result = ReadSample("diskspd-for-linux-direct-qd32-t2.txt");
        Assert.Equal("diskspd-for-linux", result.ToolVersion);
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal("/data/t.dat", result.Path);
        Assert.Equal(1024, result.FileSizeMB);
        Assert.Equal((2, 32, 64), (result.ThreadCount, result.OutstandingIO, result.TotalOutstanding));
        Assert.Equal(IoBuffering.Hardware, result.Buffering);
        Assert.Equal((8.0, 0, IoAccessPattern.Random), (result.BlockSizeKB, result.WritePercent, result.AccessPattern));
        Assert.Equal(65536, result.Specification!.Alignment);
        Assert.Equal(
            (5.0, 1187.46, 151995.0, 0.421, 0.131),
            (result.DurationSeconds, result.BandwidthMBps, result.IOPS, result.AverageLatencyMs, result.LatencyStdDevMs)
        );
        Assert.Equal(
            (0.401, 0.658, 2.229, 4.829, 0.660),
            (result.P50Ms, result.P99Ms, result.P999Ms, result.MaxLatencyMs, result.ReadP99Ms)
        );
        Assert.Equal(77.01, result.CpuPercent);
        Assert.Equal(
            (75.00, 45.51, 25.00),
            (result.Processors[0].UsagePercent, result.Processors[0].KernelPercent, result.Processors[0].IdlePercent)
        );
        Assert.Equal("vda", result.Device);
        Assert.Contains("counts the first threads", Assert.Single(result.Warnings));
    }

    [PublishedFact("diskspd-published", "v2014-2017-read-MBs-theorypc.partial.txt")]
    public void Single_table_of_2014_is_read()
    {
        var result = ReadSample("v2014-2017-read-MBs-theorypc.partial.txt");
        Assert.Equal(IoResultStatus.Incomplete, result.Status);
        Assert.Equal("2.0.17 or earlier", result.ToolVersion);
        Assert.Equal((1273.26, 20372.15, 0.096), (result.ReadMBps, result.ReadIOPS, result.ReadAverageLatencyMs));
        Assert.Null(result.IOPS);
        Assert.Equal(@"\\citrixnas01\citrix_test\test.dat", result.Path);
        Assert.Equal(1024, result.FileSizeMB);
        Assert.Contains("These sections are missing or incomplete: Total IO, Write IO", Assert.Single(result.Warnings));
    }

    [PublishedFact("diskspd-published", "v2015-read-F4-nolatency-issue15.partial.txt")]
    public void Truncated_thread_pool_output_of_2015_is_read()
    {
        var result = ReadSample("v2015-read-F4-nolatency-issue15.partial.txt");
        Assert.Equal(IoResultStatus.Incomplete, result.Status);
        Assert.Equal("2.0.14 to 2.0.16", result.ToolVersion);
        Assert.True(result.Specification!.SharedThreadPool);
        Assert.Equal((4, 40, IoBuffering.Both), (result.ThreadCount, result.TotalOutstanding, result.Buffering));
        Assert.Equal(2, result.Threads.Count);
        Assert.Equal(80.29, result.Threads[0].Total.IOPS);
        Assert.Null(result.IOPS);
        Assert.Equal(19.82, result.CpuPercent);
    }

    [PublishedFact("diskspd-published", "v2017-si-interrupted-issue75.txt")]
    public void Interrupted_run_of_2017_is_read()
    {
        var result = ReadSample("v2017-si-interrupted-issue75.txt");
        Assert.Equal((IoResultStatus.Incomplete, "IoBench.DiskSpdInterrupted"), (result.Status, result.ErrorId));
        Assert.Equal(
            (4096.0, 100, IoAccessPattern.Interlocked, IoBuffering.None),
            (result.BlockSizeKB, result.WritePercent, result.AccessPattern, result.Buffering)
        );
        Assert.Equal(32, result.TotalOutstanding);
        Assert.Equal("2.0.17 to 2.0.21", result.ToolVersion);
        Assert.Empty(result.Warnings);
    }

    [PublishedFact("diskspd-published", "v2021a-mix50-8threads.txt")]
    public void Output_of_8_threads_with_spaces_for_tabs_is_read()
    {
        var result = ReadSample("v2021a-mix50-8threads.txt");
        Assert.Equal((IoResultStatus.Complete, "2.0.21"), (result.Status, result.ToolVersion));
        Assert.Equal((8, 8, 64, 50), (result.ThreadCount, result.OutstandingIO, result.TotalOutstanding, result.WritePercent));
        Assert.Equal(
            (120.0, 188.29, 48202.48, 1.327, 0.959),
            (result.DurationSeconds, result.BandwidthMBps, result.IOPS, result.AverageLatencyMs, result.LatencyStdDevMs)
        );
        Assert.Equal(
            (1.161, 2.187, 2.539, 3.779, 7.472, 145.285),
            (result.P50Ms, result.P90Ms, result.P95Ms, result.P99Ms, result.P999Ms, result.MaxLatencyMs)
        );
        Assert.Equal((4.075, 3.153), (result.ReadP99Ms, result.WriteP99Ms));
        Assert.Equal(new DateTimeOffset(2019, 7, 25, 21, 46, 27, TimeSpan.Zero), result.StartTime);
        Assert.Equal("e1e8c95b2207", result.ComputerName);
        Assert.Equal(1.073, result.Threads[7].Write.AverageLatencyMs);
        Assert.Empty(result.Warnings);
    }

    [PublishedFact("diskspd-published", "v2021a-write-100-tabs-issue91.partial.txt")]
    public void Output_that_ends_in_the_processor_table_is_read()
    {
        var result = ReadSample("v2021a-write-100-tabs-issue91.partial.txt");
        Assert.Equal((IoResultStatus.Incomplete, "2.0.21"), (result.Status, result.ToolVersion));
        Assert.Equal((3, 60.01, 8, 128), (result.Processors.Count, result.DurationSeconds, result.ThreadCount, result.TotalOutstanding));
        Assert.Null(result.IOPS);
        Assert.Null(result.CpuPercent);
    }

    [PublishedFact("diskspd-published", "vc-readwrite-D-L.txt")]
    public void Output_with_latency_and_intervals_is_read()
    {
        var result = ReadSample("vc-readwrite-D-L.txt");
        Assert.Equal((IoResultStatus.Complete, "2.0.21"), (result.Status, result.ToolVersion));
        Assert.Equal((129.18, 94.24, 38.48), (result.IopsStdDev, result.Threads[0].Read.IopsStdDev, result.Threads[0].Write.IopsStdDev));
        Assert.Equal(
            (834.98, 0.272, 354.05, 2.179),
            (result.ReadIOPS, result.ReadAverageLatencyMs, result.WriteIOPS, result.WriteAverageLatencyMs)
        );
        Assert.Equal((0.036, 35.257, 0.82), (result.MinLatencyMs, result.MaxLatencyMs, result.CpuPercent));
        Assert.Equal(1, result.OutstandingIO);
    }

    [PublishedFact("diskspd-published", "vc-v220-multisocket.txt")]
    public void Output_of_two_sockets_without_parameters_is_read()
    {
        var result = ReadSample("vc-v220-multisocket.txt");
        Assert.Equal((IoResultStatus.Complete, "2.2"), (result.Status, result.ToolVersion));
        Assert.Equal(
            (1, 0, 2, 5),
            (
                result.Processors.Count(p => p is { Socket: 0, Node: 0, Core: 2, Processor: 5, Group: null }),
                result.Processors.Count(p => p.Group is not null),
                result.Processors.Count(p => p.Core == 1),
                result.Processors[^1].Processor
            )
        );
        Assert.Equal(
            (13.18, 3374.97, 4.739, 176.61, 9.670),
            (result.BandwidthMBps, result.IOPS, result.AverageLatencyMs, result.IopsStdDev, result.LatencyStdDevMs)
        );
        Assert.Equal((4.0, IoOperation.Write, 14.864), (result.BlockSizeKB, result.Operation, result.WriteP99Ms));
        Assert.Equal("64", result.Host["cpu count"]);
        Assert.Null(result.ReadAverageLatencyMs);
    }

    [PublishedFact("diskspd-published", "vc-v220-writeonly.txt")]
    public void Output_of_five_processor_groups_is_read()
    {
        var result = ReadSample("vc-v220-writeonly.txt");
        Assert.Equal((IoResultStatus.Complete, "2.2"), (result.Status, result.ToolVersion));
        Assert.Equal((800, 2242082.85, 8758.14, 5543.894), (result.ThreadCount, result.IOPS, result.BandwidthMBps, result.MaxLatencyMs));
        Assert.Equal((2017883745L, 8265251819520L), (result.IOCount, result.ByteCount));
        Assert.Equal(0, result.Processors[3].Group);
        Assert.Equal(496 * 1024, result.FileSizeMB);
    }

    [PublishedFact("diskspd-published", "vc-writeonly-2socket-2.0.txt")]
    public void Output_with_escaped_backslashes_and_32_threads_is_read()
    {
        var result = ReadSample("vc-writeonly-2socket-2.0.txt");
        Assert.Equal((IoResultStatus.Complete, "2.0.21"), (result.Status, result.ToolVersion));
        Assert.Equal(32, result.Threads.Count);
        Assert.Equal((76458.71, 597.33, 6.696, 372.31), (result.IOPS, result.BandwidthMBps, result.AverageLatencyMs, result.IopsStdDev));
        Assert.Equal((512, 57.658, 57.658), (result.TotalOutstanding, result.P99Ms, result.WriteP99Ms));
        Assert.Equal(6.15, result.CpuPercent);
        Assert.Empty(result.Warnings);
    }

    [PublishedFact("diskspd-published", "vc-results.xml")]
    public void XML_of_DiskSpd_2_0_21_is_read()
    {
        var result = ReadSample("vc-results.xml");
        Assert.Equal((IoResultStatus.Complete, "2.0.21a", DiskSpdFormat.XmlSource), (result.Status, result.ToolVersion, result.Source));
        Assert.Equal("QuickTest2", result.ComputerName);
        Assert.Equal(
            (120.01, 2.266, 2.329, 2.477, 1.767),
            (
                result.DurationSeconds,
                result.AverageLatencyMs,
                result.LatencyStdDevMs,
                result.ReadAverageLatencyMs,
                result.WriteAverageLatencyMs
            )
        );
        Assert.Equal((4.0, 30, IoBuffering.None, 1), (result.BlockSizeKB, result.WritePercent, result.Buffering, result.OutstandingIO));
        Assert.Equal(1L << 30, result.Specification!.Targets[0].FileSize);
        Assert.Equal(
            (120, 439.0, 303.0, 136.0),
            (result.Timeline.Count, result.Timeline[^1].IOPS, result.Timeline[^1].ReadIOPS, result.Timeline[^1].WriteIOPS)
        );
        Assert.Equal((22.744, 120.0), (result.Timeline[^1].MaxLatencyMs, result.Timeline[^1].Seconds));
        Assert.Equal((2.558 * 303 + 1.710 * 136) / 439, result.Timeline[^1].AverageLatencyMs!.Value, 9);
        Assert.Equal(0.045, result.MinLatencyMs);
        Assert.Equal((4, 0.99, 2.92), (result.Processors.Count, result.CpuPercent, result.Processors[0].UsagePercent));
        Assert.Empty(result.Warnings);
    }
}
