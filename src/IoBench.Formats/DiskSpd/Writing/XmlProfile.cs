using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class XmlProfile(XmlLines xml, DiskSpdForm form)
{
    private readonly bool _is23 = form == DiskSpdForm.Version23;

    /// <summary>Writes the profile of the timespans. A timespan that is null has no targets.</summary>
    internal void Write(IReadOnlyList<IoTestSpecification?> timespans)
    {
        var first = timespans.FirstOrDefault(t => t is not null)?.Origin().DiskSpd;
        xml.Begin("Profile");
        xml.Element("Progress", first?.ProgressEvery ?? 0);
        if (first?.ExperimentFlags is int flags and not 0)
            xml.Element("ExperimentFlags", flags);
        xml.Element("ResultFormat", "xml");
        xml.Element("Verbose", first?.Verbose ?? false);
        if (first?.VerboseStatistics == true)
            xml.Element("VerboseStats", true);
        xml.Begin("TimeSpans");
        foreach (var timespan in timespans)
            WriteTimeSpan(timespan ?? PatternTools.NewSpecification());
        xml.End();
        xml.End();
    }

    private void WriteTimeSpan(IoTestSpecification s)
    {
        xml.Begin("TimeSpan");
        xml.Element("CompletionRoutines", s.Origin().DiskSpd?.CompletionRoutines ?? false);
        xml.Element("MeasureLatency", s.Origin().DiskSpd?.MeasureLatency ?? true);
        xml.Element("CalculateIopsStdDev", s.Origin().DiskSpd?.GatherIops ?? true);
        if (!_is23)
            xml.Element("DisableAffinity", s.AffinityMode == IoAffinityMode.Off);
        xml.Element("Duration", Seconds(s.Duration));
        xml.Element("Warmup", Seconds(s.WarmUp));
        xml.Element("Cooldown", Seconds(s.CoolDown));
        xml.Element("ThreadCount", s.SharedThreadPool ? s.ThreadCount : 0);
        xml.Element("RequestCount", (s.SharedThreadPool ? s.PoolOutstandingIO : null) ?? 0);
        xml.Element("IoBucketDuration", (long)s.TimelineInterval.TotalMilliseconds);
        xml.Element("RandSeed", s.Seed.ToString(CultureInfo.InvariantCulture));
        if (s.Targets.Select(s.PatternOf).Any(p => p is { WriteContent: IoWriteContentKind.Random, WriteContentSize: null }))
            xml.Element("RandomWriteData", true);
        if (_is23)
            WriteVersion23(s, s.Origin().DiskSpd?.Version23 ?? new DiskSpd23Options());
        else if (s.Processors.Count > 0)
            WriteAffinity(s.Processors);
        xml.Begin("Targets");
        foreach (var target in s.Targets)
            WriteTarget(s, target, s.PatternOf(target));
        xml.End();
        xml.End();
    }

    private void WriteAffinity(List<int> processors)
    {
        xml.Begin("Affinity");
        foreach (var processor in processors)
        {
            xml.Empty(
                "AffinityGroupAssignment",
                "Group",
                Figures.Whole(processor / ProcessorNumber.PerGroup),
                "Processor",
                Figures.Whole(processor % ProcessorNumber.PerGroup)
            );
        }
        xml.End();
    }

    private void WriteVersion23(IoTestSpecification s, DiskSpd23Options options)
    {
        if (options.IoRingBatch is int batch)
        {
            xml.Begin("IoRing");
            xml.Element("IoRingBatchSize", "Percent", options.IoRingBatchIsPercent ? "true" : "false", batch);
            xml.Element("UseRegBuffer", options.RegistersBuffers);
            xml.End();
        }
        var isOff = s.AffinityMode == IoAffinityMode.Off;
        xml.Element("DisableAffinity", isOff);
        if (!isOff)
        {
            xml.Element(
                "AffinityTraversal",
                options.IsCoreAware ? "CoreAware" : "Cpu",
                "Group",
                options.SpansGroups ? "Span" : "Fill",
                "Efficiency",
                options.CoreOrder.ToString()
            );
            if (AffinityText.Masks(s.Processors, options.WholeGroups) is { Count: > 0 } masks)
                xml.Masks("Affinity", masks);
        }
        xml.Element("BufferSeparation", options.SeparatesBuffers ? "PDECacheLine" : "SystemDefault");
        if (options.CompletionDepth is int depth)
            xml.Element("CompletionDepth", depth);
    }

    private void WriteTarget(IoTestSpecification s, IoTargetSpecification target, IoPattern p)
    {
        xml.Begin("Target");
        xml.Element("Path", target.Path);
        xml.Element("BlockSize", p.BlockSize);
        xml.Element("BaseFileOffset", target.BaseOffset);
        xml.Element("SequentialScan", p.SequentialScanHint);
        xml.Element("RandomAccess", p.RandomAccessHint);
        xml.Element("TemporaryFile", p.TemporaryHint);
        xml.Element("UseLargePages", p.LargePages);
        if (p.Buffering is IoBuffering.None or IoBuffering.Hardware)
            xml.Element("DisableOSCache", true);
        if (p.Buffering is IoBuffering.None or IoBuffering.Software)
            xml.Element("WriteThrough", true);
        if (_is23 && s.Origin().DiskSpd?.Version23?.BypassIO is DiskSpdBypass.Partial or DiskSpdBypass.Full)
            xml.Element("BypassIO", s.Origin().DiskSpd!.Version23!.BypassIO.ToString());
        WriteContent(p);
        xml.Element("ParallelAsyncIO", p.ParallelSameOffset);
        if (p.BurstSize > 0)
            xml.Element("BurstSize", p.BurstSize);
        if (p.ThinkTimeMs > 0)
            xml.Element("ThinkTime", p.ThinkTimeMs);
        if ((target.FileSize ?? s.FileSize) is long size)
            xml.Element("FileSize", size);
        WriteOrder(p);
        xml.Element("ThreadStride", p.ThreadStride ?? 0);
        xml.Element("MaxFileSize", target.MaxOffset ?? 0);
        xml.Element("RequestCount", p.OutstandingIO);
        xml.Element("WriteRatio", p.WritePercent);
        WriteRate(s, p);
        xml.Element("ThreadsPerFile", s.SharedThreadPool ? 1 : p.ThreadCount);
        xml.Element(
            "IOPriority",
            p.Priority switch
            {
                IoPriority.VeryLow => 1,
                IoPriority.Low => 2,
                _ => 3,
            }
        );
        xml.Element("Weight", p.Weight);
        xml.End();
    }

    private void WriteContent(IoPattern p)
    {
        xml.Begin("WriteBufferContent");
        if (p.WriteContentSize is long size and > 0)
        {
            xml.Element("Pattern", "random");
            xml.Begin("RandomDataSource");
            xml.Element("SizeInBytes", size);
            if (p.WriteContentFile is { } file)
                xml.Element("FilePath", file);
            xml.End();
        }
        else
        {
            xml.Element("Pattern", p.WriteContent == IoWriteContentKind.Zero ? "zero" : "sequential");
        }
        xml.End();
    }

    private void WriteOrder(IoPattern p)
    {
        if (p.AccessPattern is IoAccessPattern.Random or IoAccessPattern.PartRandom)
        {
            xml.Element("Random", p.Alignment ?? p.BlockSize);
            if (p.AccessPattern == IoAccessPattern.PartRandom)
                xml.Element("RandomRatio", p.RandomPercent);
            WriteDistribution(p);
        }
        else
        {
            xml.Element(
                "StrideSize",
                p.Stride ?? (p.AccessPattern == IoAccessPattern.Stride ? p.BlockSize * p.StripeColumns : p.BlockSize)
            );
            xml.Element("InterlockedSequential", p.AccessPattern == IoAccessPattern.Interlocked);
        }
    }

    private void WriteDistribution(IoPattern p)
    {
        if (p.Distribution.Count == 0)
            return;
        xml.Begin("Distribution");
        xml.Begin(p.DistributionIsAbsolute ? "Absolute" : "Percent");
        foreach (var (share, part) in p.Distribution)
            xml.Range(share, part);
        // The rest of the target: a last range without length in bytes, or the remaining percentage.
        if (p.Distribution.Sum(r => r.IOPercent) is var sum and < 100)
            xml.Range(100 - sum, p.DistributionIsAbsolute ? 0 : 100 - CountMath.Sum(p.Distribution.Select(r => r.TargetPart)));
        xml.End();
        xml.End();
    }

    private void WriteRate(IoTestSpecification s, IoPattern p)
    {
        var iops =
            p.MaxIopsPerThread
            ?? (
                p.MaxBytesPerSecondPerThread is null ? p.TargetIops / Math.Max(1, s.SharedThreadPool ? s.ThreadCount : p.ThreadCount) : null
            );
        if (iops is double rate)
            xml.Element("Throughput", "unit", "IOPS", (long)Math.Round(rate));
        else
            xml.Element("Throughput", (long)Math.Round((p.MaxBytesPerSecondPerThread ?? 0) / 1000));
    }

    private static long Seconds(TimeSpan time) => (long)Math.Round(time.TotalSeconds);
}
