using IoBench.Engine;

namespace IoBench.Formats.DiskSpd.Writing;

/// <summary>Writes the block "Input parameters" as DiskSpd 2.2 does.</summary>
internal sealed class TextParameters(LineWriter lines)
{
    /// <summary>Command line and parameters of a run's timespans.</summary>
    internal void Write(IReadOnlyList<IoTestSpecification> timespans)
    {
        lines.Line();
        lines.Line("Command Line: " + CommandText.Of(timespans[0]));
        lines.Line();
        if (timespans[0].DiskSpd?.ExperimentFlags is int flags and not 0)
        {
            lines.Line($"Experiment Flags: 0x{flags:x} ({flags})");
            lines.Line();
        }
        lines.Line("Input parameters:");
        lines.Line();
        if (timespans[0].DiskSpd?.Verbose == true)
            lines.Line("\tusing verbose mode");
        for (var i = 0; i < timespans.Count; i++)
        {
            lines.Line($"\ttimespan: {i + 1,3}");
            lines.Line("\t-------------");
            WriteTimeSpan(timespans[i]);
            lines.Line();
        }
    }

    private void WriteTimeSpan(IoTestSpecification s)
    {
        lines.Line($"\tduration: {Math.Round(s.Duration.TotalSeconds):0}s");
        lines.Line($"\twarm up time: {Math.Round(s.WarmUp.TotalSeconds):0}s");
        lines.Line($"\tcool down time: {Math.Round(s.CoolDown.TotalSeconds):0}s");
        if (s.AffinityMode == IoAffinityMode.Off)
            lines.Line("\taffinity disabled");
        if (s.DiskSpd?.MeasureLatency != false)
            lines.Line("\tmeasuring latency");
        if (s.DiskSpd?.GatherIops != false)
            lines.Line($"\tgathering IOPS at intervals of {s.TimelineInterval.TotalMilliseconds:0}ms");
        lines.Line($"\trandom seed: {s.Seed}");
        if (s.SharedThreadPool)
        {
            lines.Line($"\tthread pool with {s.ThreadCount} threads");
            lines.Line($"\tnumber of outstanding I/O operations per thread: {s.PoolOutstandingIO ?? 0}");
        }
        if (s.Processors.Count > 0)
            lines.Line("\tadvanced affinity round robin (group/core): " + string.Join(", ", s.Processors.Select(p => FormattableString.Invariant($"{p / ProcessorNumber.PerGroup}/{p % ProcessorNumber.PerGroup}"))));
        if (s.Targets.Select(s.PatternOf).Any(p => p is { WriteContent: IoWriteContentKind.Random, WriteContentSize: null } && (s.DiskSpd is not null || p.WritePercent > 0)))
        {
            lines.Line("\tgenerating random data for each write IO");
            lines.Line("\t  WARNING: this increases the CPU cost of issuing writes and should only");
            lines.Line("\t           be compared to other results using the -Zr flag");
        }
        foreach (var target in s.Targets)
            WriteTarget(s, target, s.PatternOf(target));
    }

    private void WriteTarget(IoTestSpecification s, IoTargetSpecification target, IoPattern p)
    {
        lines.Line(target.Path.StartsWith('*') ? $"\tpath: template target '{target.Path[1..]}'" : $"\tpath: '{target.Path}'");
        lines.Line($"\t\tthink time: {p.ThinkTimeMs}ms");
        lines.Line($"\t\tburst size: {p.BurstSize}");
        WriteCaches(p.Buffering);
        WriteContent(p);
        if (p.ParallelSameOffset)
            lines.Line("\t\tusing parallel async I/O");
        lines.Line(p.WritePercent switch
        {
            0 => "\t\tperforming read test",
            100 => "\t\tperforming write test",
            _ => FormattableString.Invariant($"\t\tperforming mix test (read/write ratio: {100 - p.WritePercent}/{p.WritePercent})"),
        });
        lines.Line("\t\tblock size: " + DiskSpdSize.Format(p.BlockSize));
        WriteOrder(p);
        if (s is { SharedThreadPool: true, PoolOutstandingIO: not null })
            lines.Line($"\t\trelative IO weight in thread pool: {p.Weight}");
        else
            lines.Line($"\t\tnumber of outstanding I/O operations per thread: {p.OutstandingIO}");
        WriteRange(target, p);
        if (!s.SharedThreadPool)
        {
            lines.Line($"\t\tthreads per file: {p.ThreadCount}");
            if (p.OutstandingIO > 1)
                lines.Line(s.DiskSpd?.CompletionRoutines == true ? "\t\tusing completion routines (ReadFileEx/WriteFileEx)" : "\t\tusing I/O Completion Ports");
        }
        lines.Line("\t\tIO priority: " + p.Priority switch { IoPriority.VeryLow => "very low", IoPriority.Low => "low", _ => "normal" });
        WriteRate(s, p);
        WriteDistribution(p);
    }

    private void WriteCaches(IoBuffering buffering)
    {
        lines.Line(buffering is IoBuffering.None or IoBuffering.Hardware ? "\t\tsoftware cache disabled" : "\t\tusing software cache");
        lines.Line(buffering switch
        {
            IoBuffering.None => "\t\thardware write cache disabled, writethrough on",
            IoBuffering.Software => "\t\thardware and software write caches disabled, writethrough on",
            _ => "\t\tusing hardware write cache, writethrough off",
        });
    }

    private void WriteContent(IoPattern p)
    {
        if (p.WriteContent == IoWriteContentKind.Zero)
            lines.Line("\t\tzeroing write buffers");
        if (p.WriteContentSize is not > 0)
            return;
        lines.Line("\t\twrite buffer size: " + DiskSpdSize.Format(p.WriteContentSize.Value));
        lines.Line(p.WriteContentFile is null ? "\t\twrite buffer source: random fill" : $"\t\twrite buffer source: '{p.WriteContentFile}'");
    }

    private void WriteOrder(IoPattern p)
    {
        var alignment = DiskSpdSize.Format(p.Alignment ?? p.BlockSize);
        var stride = DiskSpdSize.Format(p.Stride ?? (p.AccessPattern == IoAccessPattern.Stride ? p.BlockSize * p.StripeColumns : p.BlockSize));
        lines.Line(p.AccessPattern switch
        {
            IoAccessPattern.Random => $"\t\tusing random I/O (alignment: {alignment})",
            IoAccessPattern.PartRandom => FormattableString.Invariant($"\t\tusing mixed random/sequential I/O ({p.RandomPercent}% random) (alignment/stride: {alignment})"),
            IoAccessPattern.Interlocked => $"\t\tusing interlocked sequential I/O (stride: {stride})",
            _ => $"\t\tusing sequential I/O (stride: {stride})",
        });
    }

    private void WriteRange(IoTargetSpecification target, IoPattern p)
    {
        if (target.BaseOffset != 0)
            lines.Line("\t\tbase file offset: " + DiskSpdSize.Format(target.BaseOffset));
        if (target.MaxOffset is long end)
            lines.Line("\t\tmax file size: " + DiskSpdSize.Format(end));
        if (p.ThreadStride is long distance and > 0)
            lines.Line("\t\tthread stride size: " + DiskSpdSize.Format(distance));
        if (p.SequentialScanHint)
            lines.Line("\t\tusing FILE_FLAG_SEQUENTIAL_SCAN hint");
        if (p.RandomAccessHint)
            lines.Line("\t\tusing FILE_FLAG_RANDOM_ACCESS hint");
        if (p.TemporaryHint)
            lines.Line("\t\tusing FILE_ATTRIBUTE_TEMPORARY hint");
    }

    private void WriteRate(IoTestSpecification s, IoPattern p)
    {
        // An open loop's rate is a target's; DiskSpd knows limits a thread.
        if (p.MaxIopsPerThread is double limit)
            lines.Line($"\t\tthroughput rate-limited to {limit:0} IOPS");
        else if (p.MaxBytesPerSecondPerThread is double bytes)
            lines.Line($"\t\tthroughput rate-limited to {bytes / 1000:0} B/ms");
        else if (p.TargetIops is double rate)
            lines.Line($"\t\tthroughput rate-limited to {rate / Math.Max(1, s.SharedThreadPool ? s.ThreadCount : p.ThreadCount):0} IOPS");
    }

    private void WriteDistribution(IoPattern p)
    {
        if (p.Distribution.Count == 0)
            return;
        lines.Line("\t\tIO Distribution:");
        long from = 0;
        var share = 0;
        foreach (var (percent, part) in p.Distribution)
        {
            WriteRange(p.DistributionIsAbsolute, percent, from, from + part);
            from += part;
            share += percent;
        }
        if (share < 100)
            WriteRange(p.DistributionIsAbsolute, 100 - share, from, p.DistributionIsAbsolute ? null : 100);
    }

    private void WriteRange(bool isAbsolute, int percent, long from, long? to)
    {
        if (isAbsolute)
            lines.Line("\t\t" + DistributionText.Range(percent, from, to));
        else
            lines.Line($"\t\t   {percent,3}% of IO => [{from,2}% - {to,3}%) of target");
    }
}

/// <summary>A range of a distribution by bytes.</summary>
internal static class DistributionText
{
    /// <summary>The range; null as its end stands for the end of the target.</summary>
    internal static string Range(int percent, long from, long? to) => FormattableString.Invariant(
        $"   {percent,3}% of IO => [{(from == 0 ? "     0   " : DiskSpdSize.Format(from, 6))} - {(to is null ? "      end" : DiskSpdSize.Format(to.Value, 6))})");
}
