using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdXmlProfileWriter(IndentedXmlWriter xml, DiskSpdOutputVersion form)
{
    private readonly bool _is23 = form == DiskSpdOutputVersion.Version23;

    /// <summary>A timespan that is null has no targets.</summary>
    internal void WriteProfile(IReadOnlyList<IoTestSpecification?> timespans)
    {
        var first = timespans.FirstOrDefault(t => t is not null)?.GetOrAddOrigin().DiskSpd;
        xml.BeginElement("Profile");
        xml.WriteElement("Progress", first?.ProgressEvery ?? 0);
        if (first?.ExperimentFlags is int flags and not 0)
            xml.WriteElement("ExperimentFlags", flags);
        xml.WriteElement("ResultFormat", "xml");
        xml.WriteElement("Verbose", first?.Verbose ?? false);
        if (first?.VerboseStatistics == true)
            xml.WriteElement("VerboseStats", true);
        xml.BeginElement("TimeSpans");
        foreach (var timespan in timespans)
            WriteTimeSpan(timespan ?? DiskSpdDefaults.CreateSpecification());
        xml.EndElement();
        xml.EndElement();
    }

    private void WriteTimeSpan(IoTestSpecification s)
    {
        xml.BeginElement("TimeSpan");
        xml.WriteElement("CompletionRoutines", s.GetOrAddOrigin().DiskSpd?.CompletionRoutines ?? false);
        xml.WriteElement("MeasureLatency", s.GetOrAddOrigin().DiskSpd?.MeasureLatency ?? true);
        xml.WriteElement("CalculateIopsStdDev", s.GetOrAddOrigin().DiskSpd?.GatherIops ?? true);
        if (!_is23)
            xml.WriteElement("DisableAffinity", s.AffinityMode == IoAffinityMode.Off);
        xml.WriteElement("Duration", RoundToSeconds(s.Duration));
        xml.WriteElement("Warmup", RoundToSeconds(s.WarmUp));
        xml.WriteElement("Cooldown", RoundToSeconds(s.CoolDown));
        xml.WriteElement("ThreadCount", s.SharedThreadPool ? s.ThreadCount : 0);
        xml.WriteElement("RequestCount", (s.SharedThreadPool ? s.PoolOutstandingIO : null) ?? 0);
        xml.WriteElement("IoBucketDuration", (long)s.TimelineInterval.TotalMilliseconds);
        xml.WriteElement("RandSeed", s.Seed.ToString(CultureInfo.InvariantCulture));
        if (s.Targets.Select(s.GetPattern).Any(p => p is { WriteContent: IoWriteContentKind.Random, WriteContentSize: null }))
            xml.WriteElement("RandomWriteData", true);
        if (_is23)
            WriteVersion23(s, s.GetOrAddOrigin().DiskSpd?.Version23 ?? new DiskSpd23Options());
        else if (s.Processors.Count > 0)
            WriteAffinity(s.Processors);
        xml.BeginElement("Targets");
        foreach (var target in s.Targets)
            WriteTarget(s, target, s.GetPattern(target));
        xml.EndElement();
        xml.EndElement();
    }

    private void WriteAffinity(List<int> processors)
    {
        xml.BeginElement("Affinity");
        foreach (var processor in processors)
        {
            xml.WriteEmptyElement(
                "AffinityGroupAssignment",
                ("Group", NumberFormat.Integer(processor / DiskSpdProcessorLists.MaxPerGroup)),
                ("Processor", NumberFormat.Integer(processor % DiskSpdProcessorLists.MaxPerGroup))
            );
        }
        xml.EndElement();
    }

    private void WriteVersion23(IoTestSpecification s, DiskSpd23Options options)
    {
        if (options.IoRingBatch is int batch)
        {
            xml.BeginElement("IoRing");
            xml.WriteElement("IoRingBatchSize", NumberFormat.Integer(batch), ("Percent", options.IoRingBatchIsPercent ? "true" : "false"));
            xml.WriteElement("UseRegBuffer", options.RegistersBuffers);
            xml.EndElement();
        }
        var isOff = s.AffinityMode == IoAffinityMode.Off;
        xml.WriteElement("DisableAffinity", isOff);
        if (!isOff)
        {
            xml.WriteElement(
                "AffinityTraversal",
                options.IsCoreAware ? "CoreAware" : "Cpu",
                ("Group", options.SpansGroups ? "Span" : "Fill"),
                ("Efficiency", options.CoreOrder.ToString())
            );
            if (DiskSpdProcessorLists.GetMasks(s.Processors, options.WholeGroups) is { Count: > 0 } masks)
                xml.WriteMasks("Affinity", masks);
        }
        xml.WriteElement("BufferSeparation", options.SeparatesBuffers ? "PDECacheLine" : "SystemDefault");
        if (options.CompletionDepth is int depth)
            xml.WriteElement("CompletionDepth", depth);
    }

    private void WriteTarget(IoTestSpecification s, IoTargetSpecification target, IoPattern p)
    {
        xml.BeginElement("Target");
        xml.WriteElement("Path", target.Path);
        xml.WriteElement("BlockSize", p.BlockSize);
        xml.WriteElement("BaseFileOffset", target.BaseOffset);
        xml.WriteElement("SequentialScan", p.SequentialScanHint);
        xml.WriteElement("RandomAccess", p.RandomAccessHint);
        xml.WriteElement("TemporaryFile", p.TemporaryHint);
        xml.WriteElement("UseLargePages", p.LargePages);
        if (p.Buffering is IoBuffering.None or IoBuffering.Hardware)
            xml.WriteElement("DisableOSCache", true);
        if (p.Buffering is IoBuffering.None or IoBuffering.Software)
            xml.WriteElement("WriteThrough", true);
        if (_is23 && s.GetOrAddOrigin().DiskSpd?.Version23?.BypassIO is DiskSpdBypass.Partial or DiskSpdBypass.Full)
            xml.WriteElement("BypassIO", s.GetOrAddOrigin().DiskSpd!.Version23!.BypassIO.ToString());
        WriteContent(p);
        xml.WriteElement("ParallelAsyncIO", p.ParallelSameOffset);
        if (p.BurstSize > 0)
            xml.WriteElement("BurstSize", p.BurstSize);
        if (p.ThinkTimeMs > 0)
            xml.WriteElement("ThinkTime", p.ThinkTimeMs);
        if ((target.FileSize ?? s.FileSize) is long size)
            xml.WriteElement("FileSize", size);
        WriteOrder(p);
        xml.WriteElement("ThreadStride", p.ThreadStride ?? 0);
        xml.WriteElement("MaxFileSize", target.MaxOffset ?? 0);
        xml.WriteElement("RequestCount", p.OutstandingIO);
        xml.WriteElement("WriteRatio", p.WritePercent);
        WriteRate(s, p);
        xml.WriteElement("ThreadsPerFile", s.SharedThreadPool ? 1 : p.ThreadCount);
        xml.WriteElement(
            "IOPriority",
            p.Priority switch
            {
                IoPriority.VeryLow => 1,
                IoPriority.Low => 2,
                _ => 3,
            }
        );
        xml.WriteElement("Weight", p.Weight);
        xml.EndElement();
    }

    private void WriteContent(IoPattern p)
    {
        xml.BeginElement("WriteBufferContent");
        if (p.WriteContentSize is long size and > 0)
        {
            xml.WriteElement("Pattern", "random");
            xml.BeginElement("RandomDataSource");
            xml.WriteElement("SizeInBytes", size);
            if (p.WriteContentFile is { } file)
                xml.WriteElement("FilePath", file);
            xml.EndElement();
        }
        else
        {
            xml.WriteElement("Pattern", p.WriteContent == IoWriteContentKind.Zero ? "zero" : "sequential");
        }
        xml.EndElement();
    }

    private void WriteOrder(IoPattern p)
    {
        if (p.AccessPattern is IoAccessPattern.Random or IoAccessPattern.PartRandom)
        {
            xml.WriteElement("Random", p.Alignment ?? p.BlockSize);
            if (p.AccessPattern == IoAccessPattern.PartRandom)
                xml.WriteElement("RandomRatio", p.RandomPercent);
            WriteDistribution(p);
        }
        else
        {
            xml.WriteElement(
                "StrideSize",
                p.Stride ?? (p.AccessPattern == IoAccessPattern.Stride ? p.BlockSize * p.StripeColumns : p.BlockSize)
            );
            xml.WriteElement("InterlockedSequential", p.AccessPattern == IoAccessPattern.Interlocked);
        }
    }

    private void WriteDistribution(IoPattern p)
    {
        if (p.Distribution.Count == 0)
            return;
        xml.BeginElement("Distribution");
        xml.BeginElement(p.DistributionIsAbsolute ? "Absolute" : "Percent");
        foreach (var (share, part) in p.Distribution)
            xml.WriteRange(share, part);
        // The rest of the target: a last range without length in bytes, or the remaining percentage.
        var sum = p.Distribution.Sum(r => r.IOPercent);
        if (sum < 100)
            xml.WriteRange(
                100 - sum,
                p.DistributionIsAbsolute ? 0 : 100 - DiskSpdTotals.SumCounts(p.Distribution.Select(r => r.TargetPart))
            );
        xml.EndElement();
        xml.EndElement();
    }

    private void WriteRate(IoTestSpecification s, IoPattern p)
    {
        var iops = p.MaxIopsPerThread;
        if (p.MaxBytesPerSecondPerThread is null)
            iops ??= p.TargetIops / Math.Max(1, s.SharedThreadPool ? s.ThreadCount : p.ThreadCount);
        if (iops is double rate)
            xml.WriteElement("Throughput", NumberFormat.Integer((long)Math.Round(rate)), ("unit", "IOPS"));
        else
            xml.WriteElement("Throughput", (long)Math.Round((p.MaxBytesPerSecondPerThread ?? 0) / 1000));
    }

    private static long RoundToSeconds(TimeSpan time) => (long)Math.Round(time.TotalSeconds);
}
