using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class DiskSpdPropertyRoundTripTests
{
    /// <summary>Properties of the reading, or without a DiskSpd equivalent.</summary>
    private static readonly string[] s_omitted =
    [
        "Source",
        "SourceFile",
        "SourceLine",
        "ToolVersion",
        "Status",
        "RunId",
        "Label",
        "Workload",
        "WorkloadRole",
        "Repeat",
        "TargetIops",
        "LoadModel",
        "Response*",
        "RateReachedPercent",
        "DueNotDone",
        "OldestDueMs",
        "Group*",
        "Member",
        "StartOffsetSeconds",
        "CommonWindowPercent",
        "ProcessorWaitPercent",
        "Targets.Response*",
        "Specification.SeedBase",
        "CpuUsPerIO",
        "GcCount",
        "Backend",
        "FileSystem",
        "Device",
        "Warnings",
        "WarningDetails.*",
        "ErrorId",
        "ErrorMessage",
        "ErrorDetails.*",
        "Histogram.*",
        "Totals.*.Min*",
        "Totals.*.Max*",
        "Totals.*.Response*",
        "Threads.*.Min*LatencyMs",
        "Threads.Total.Max*",
        "Threads.Read.Max*",
        "Threads.Write.Max*",
        "Threads.*.Response*",
        "Targets.Role",
        "Targets.RateReachedPercent",
        "Targets.FileSystem",
        "Targets.Device",
        "Targets.SectorSize",
        "Targets.*.Response*",
        "Targets.Histogram.*",
        // Not printed: the reader adds up the threads.
        "Targets.*.LatencyStdDevMs",
        "Targets.*.IopsStdDev",
        "Specification.Label",
        "Specification.ThreadTimelines",
        "Specification.Workload*",
        "Specification.RestBefore",
        "Specification.Backend",
        "Specification.Polling",
        "Specification.StopAboveMs",
        "Specification.StorageCacheSize",
        "Specification.Repeat",
        "Specification.SteadyStateRounds",
        "Specification.MixLoadPercent",
        "Specification.NullDevice.*",
        "Specification.SourceFile",
        "Specification.SourceLine",
        "Specification.OutputFile",
        "Specification.Sqlio.*",
        "Specification.DiskSpd.Note", // 2.2 has no words for it: see Version23Tests.
        "Specification.DiskSpd.Version23.*",
        "Specification.Targets.Role",
        "Specification.Targets.Pattern.Stripe*",
        "Specification.Targets.Pattern.CompressiblePercent",
        "Specification.Targets.Pattern.TargetIops",
        "Specification.Targets.Pattern.Arrivals",
        "Specification.Targets.Pattern.ObservedLatencyMs",
        "Specification.Targets.Pattern.ObservedFiles*",
        "*Timeline.Latencies*",
        "Specification.Precondition",
        "Specification.PreconditionsFirst",
        "Integrity.*",
        "Stalls.*",
        "HostPauses.*",
        "Devices.*",
        "SlowestIOs.*",
        "Specification.EndAfterPasses",
        "Specification.Targets.Pattern.DedupablePercent",
        // Refused by DiskSpdSupport.
        "Specification.Verify",
        "Specification.Targets.Pattern.FlushEvery",
        "Specification.Targets.Pattern.BlockMix.*",
        "Specification.Targets.Pattern.Depths.*",
        "Specification.Targets.Pattern.ZipfTheta",
        "Specification.Targets.Pattern.ParetoShare",
    ];

    private static readonly string[] s_both =
    [
        "ComputerName",
        "StartTime",
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
        "LatencyStdDevMs",
        "P50Ms",
        "P90Ms",
        "P95Ms",
        "P99Ms",
        "P999Ms",
        "ReadAverageLatencyMs",
        "ReadP99Ms",
        "WriteAverageLatencyMs",
        "WriteP99Ms",
        "LittlesLawLatencyMs",
        "IopsStdDev",
        "CpuPercent",
        "IOCount",
        "ByteCount",
        "Percentiles.*",
        "Processors.*",
        "ToolDetails",
        "Host",
        "Totals.*.IOCount",
        "Totals.*.ByteCount",
        "Totals.*.IOPS",
        "Totals.*.MBps",
        "Totals.*.AverageLatencyMs",
        "Totals.*.LatencyStdDevMs",
        "Totals.*.IopsStdDev",
        "Targets.Path",
        "Targets.FileSizeMB",
        "Targets.ThreadCount",
        "Targets.IOPattern",
        "Targets.*.IOCount",
        "Targets.*.ByteCount",
        "Targets.*.IOPS",
        "Targets.*.MBps",
        "Targets.*.AverageLatencyMs",
        "Threads.ThreadId",
        "Threads.Path",
        "Threads.*.IOCount",
        "Threads.*.ByteCount",
        "Threads.Total.IOPS",
        "Threads.Read.IOPS",
        "Threads.Write.IOPS",
        "Threads.Total.MBps",
        "Threads.Read.MBps",
        "Threads.Write.MBps",
        "Threads.Total.AverageLatencyMs",
        "Threads.Read.AverageLatencyMs",
        "Threads.Write.AverageLatencyMs",
        "Threads.Read.LatencyStdDevMs",
        "Threads.Write.LatencyStdDevMs",
        "Threads.*.IopsStdDev",
        "Specification.Duration",
        "Specification.WarmUp",
        "Specification.CoolDown",
        "Specification.Seed",
        "Specification.SharedThreadPool",
        "Specification.PoolOutstandingIO",
        "Specification.TimelineInterval",
        "Specification.DiskSpd.MeasureLatency",
        "Specification.DiskSpd.GatherIops",
        "Specification.DiskSpd.CompletionRoutines",
        "Specification.DiskSpd.Verbose",
        "Specification.DiskSpd.VerboseStatistics",
        "Specification.DiskSpd.ProgressEvery",
        "Specification.DiskSpd.ExperimentFlags",
        "Specification.Targets.Path",
        "Specification.Targets.BaseOffset",
        "Specification.Targets.MaxOffset",
        "Specification.Targets.Pattern.BlockSize",
        "Specification.Targets.Pattern.ThreadCount",
        "Specification.Targets.Pattern.OutstandingIO",
        "Specification.Targets.Pattern.WritePercent",
        "Specification.Targets.Pattern.AccessPattern",
        "Specification.Targets.Pattern.RandomPercent",
        "Specification.Targets.Pattern.Alignment",
        "Specification.Targets.Pattern.Stride",
        "Specification.Targets.Pattern.ThreadStride",
        "Specification.Targets.Pattern.Distribution*",
        "Specification.Targets.Pattern.Buffering",
        "Specification.Targets.Pattern.WriteContent*",
        "Specification.Targets.Pattern.BurstSize",
        "Specification.Targets.Pattern.ThinkTimeMs",
        "Specification.Targets.Pattern.MaxIopsPerThread",
        "Specification.Targets.Pattern.MaxBytesPerSecondPerThread",
        "Specification.Targets.Pattern.Processors",
        "Specification.Targets.Pattern.AffinityMode",
        "Specification.Targets.Pattern.Priority",
        "Specification.Targets.Pattern.LargePages",
        "Specification.Targets.Pattern.*Hint",
        "Specification.Targets.Pattern.ParallelSameOffset",
        "Specification.Targets.Pattern.Weight",
    ];

    /// <summary>
    /// Latency chart of each target, properties that only the command line contains, and the deviation over reads and writes, which the XML
    /// of 2.2 does not have (the reader combines both).
    /// </summary>
    private static readonly string[] s_textOnly =
    [
        "Threads.Total.LatencyStdDevMs",
        "Targets.Percentiles.*",
        "Targets.*.Min*",
        "Targets.*.Max*",
        "Specification.CommandLine",
        "Specification.FileSize",
        "Specification.DiskSpd.CreateFiles",
    ];

    private static readonly string[] s_xmlOnly =
    [
        "*Timeline.Seconds",
        "*Timeline.IOPS",
        "*Timeline.MBps",
        "*Timeline.ReadIOPS",
        "*Timeline.WriteIOPS",
        "*Timeline.AverageLatencyMs",
        "*Timeline.MaxLatencyMs",
        "*Timeline.ReadLatency*",
        "*Timeline.WriteLatency*",
        "Specification.Targets.FileSize",
    ];

    /// <summary>
    /// Tolerances: three decimals for latency and two for other values; for a target, multiplied by the number of its threads.
    /// </summary>
    private static PropertyCoverage CreateTextCoverage() =>
        new(
            [.. s_both, .. s_textOnly],
            [.. s_omitted, .. s_xmlOnly],
            path =>
                path.EndsWith("Ms", StringComparison.Ordinal) ? 0.000501
                : path.StartsWith("Targets.", StringComparison.Ordinal) ? 4 * 0.00501 * 2
                : 0.00501
        );

    private static PropertyCoverage CreateXmlCoverage() =>
        new(
            [.. s_both, .. s_xmlOnly],
            [.. s_omitted, .. s_textOnly],
            path => path.EndsWith("Ms", StringComparison.Ordinal) || path.EndsWith("StdDev", StringComparison.Ordinal) ? 0.000501 : 0.00501
        );

    [Fact]
    public void Every_property_is_preserved_or_omitted_by_DiskSpd_formats()
    {
        CreateTextCoverage().AssertListsAreComplete();
        CreateXmlCoverage().AssertListsAreComplete();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void DiskSpd_formats_reject_settings_that_they_cannot_express(bool xml)
    {
        Assert.Contains("has verification of each read, which", Refused(test => test.Verify = true), StringComparison.Ordinal);
        Assert.Contains("a flush after every 8 writes", Refused(test => test.FlushEvery = 8), StringComparison.Ordinal);
        Assert.Contains("a flush after every write,", Refused(test => test.FlushEvery = 1), StringComparison.Ordinal);

        string Refused(Action<IoTestSpecification> change)
        {
            var result = new DiskSpdResultGenerator(new Random(1), xml).CreateResult();
            change(result.Specification!);
            var error = Assert.Throws<IoBenchException>(() =>
                ResultWriter.Write(TextWriter.Null, [result], xml ? ResultFormat.DiskSpdXml : ResultFormat.DiskSpd)
            );
            Assert.Equal("IoBench.NotRepresentable", error.ErrorId);
            return error.Message;
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void DiskSpd_round_trip_preserves_generated_results(bool xml)
    {
        var carries = xml ? CreateXmlCoverage() : CreateTextCoverage();
        // Seeds are random, because successive seeds start with similar numbers.
        for (var i = 0; i < 200; i++)
        {
            var seed = Random.Shared.Next();
            var expected = new DiskSpdResultGenerator(new Random(seed), xml).CreateResult();
            var writer = new StringWriter();
            ResultWriter.Write(writer, [expected], xml ? ResultFormat.DiskSpdXml : ResultFormat.DiskSpd);
            var actual = Assert.Single(
                xml
                    ? DiskSpdFormat.ReadXml(new StringReader(writer.ToString()), null)
                    : DiskSpdFormat.ReadText(new StringReader(writer.ToString()), null)
            );
            Assert.True(
                actual.Status == IoResultStatus.Complete && actual.Warnings.Count == 0,
                $"seed {seed}: {actual.Status} {string.Join(' ', actual.Warnings)}"
            );
            // For a test of IoBench, the writer computes the effective distribution.
            if (!expected.ToolDetails.ContainsKey("Effective IO distributions"))
                actual.ToolDetails.Remove("Effective IO distributions");
            actual.Threads = [.. actual.Threads.OrderBy(t => t.ThreadId)];
            carries.AssertEqual(expected, actual, $"seed {seed}");
        }
        carries.AssertPreservedPropertiesVary();
    }
}
