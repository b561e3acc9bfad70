using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class TextParameters(LineWriter lines, DiskSpdForm form)
{
    /// <summary>Boundary of DiskSpd 2.3's buffers, in bytes, for 4 KiB pages and cache lines of 64 bytes.</summary>
    private const long DefaultBoundary = 16 << 20;

    private readonly bool _is23 = form == DiskSpdForm.Version23;

    internal void Write(IReadOnlyList<IoTestSpecification> timespans)
    {
        lines.Line();
        lines.Line("Command Line: " + CommandText.For(timespans[0]));
        lines.Line();
        if (timespans[0].Origin().DiskSpd?.ExperimentFlags is int flags and not 0)
        {
            lines.Line($"Experiment Flags: 0x{flags:x} ({flags})");
            lines.Line();
        }
        lines.Line("Input parameters:");
        lines.Line();
        lines.Indent = _is23 ? "  " : "\t";
        if (timespans[0].Origin().DiskSpd?.Verbose == true)
            lines.Line("using verbose mode");
        for (var i = 0; i < timespans.Count; i++)
        {
            lines.Indent = _is23 ? "  " : "\t";
            lines.Line($"timespan: {i + 1, 3}");
            lines.Line("-------------");
            WriteTimeSpan(timespans[i]);
            lines.Indent = "";
            lines.Line();
        }
        lines.Indent = "";
    }

    private void WriteTimeSpan(IoTestSpecification s)
    {
        lines.Indent = _is23 ? "    " : "\t";
        lines.Line($"duration: {Math.Round(s.Duration.TotalSeconds):0}s");
        lines.Line($"warm up time: {Math.Round(s.WarmUp.TotalSeconds):0}s");
        lines.Line($"cool down time: {Math.Round(s.CoolDown.TotalSeconds):0}s");
        if (!_is23 && s.AffinityMode == IoAffinityMode.Off)
            lines.Line("affinity disabled");
        if (s.Origin().DiskSpd?.MeasureLatency != false)
            lines.Line("measuring latency");
        if (s.Origin().DiskSpd?.GatherIops != false)
            lines.Line($"gathering IOPS at intervals of {s.TimelineInterval.TotalMilliseconds:0}ms");
        lines.Line($"random seed: {s.Seed}");
        if (s.SharedThreadPool)
        {
            lines.Line($"thread pool with {s.ThreadCount} threads");
            lines.Line($"number of outstanding I/O operations per thread: {s.PoolOutstandingIO ?? 0}");
        }
        if (_is23)
            WriteVersion23(s, s.Origin().DiskSpd?.Version23 ?? new DiskSpd23Options());
        else if (s.Processors.Count > 0)
            lines.Line(
                "advanced affinity round robin (group/core): "
                    + string.Join(
                        ", ",
                        s.Processors.Select(p =>
                            $"{Figures.Whole(p / ProcessorNumber.PerGroup)}/{Figures.Whole(p % ProcessorNumber.PerGroup)}"
                        )
                    )
            );
        if (
            s
                .Targets.Select(s.PatternOf)
                .Any(p =>
                    p is { WriteContent: IoWriteContentKind.Random, WriteContentSize: null }
                    && (s.Origin().DiskSpd is not null || p.WritePercent > 0)
                )
        )
        {
            lines.Line("generating random data for each write IO");
            lines.Line("  WARNING: this increases the CPU cost of issuing writes and should only");
            lines.Line("           be compared to other results using the -Zr flag");
        }
        foreach (var target in s.Targets)
            WriteTarget(s, target, s.PatternOf(target));
    }

    private void WriteVersion23(IoTestSpecification s, DiskSpd23Options options)
    {
        if (options.IoRingBatch is int batch)
            lines.Line(
                $"using IoRing (batch size: {batch}{(options.IoRingBatchIsPercent ? "%" : "")}) {(options.RegistersBuffers ? "with" : "without")} registered buffers"
            );
        if (s.AffinityMode == IoAffinityMode.Off)
        {
            lines.Line("affinity disabled");
        }
        else
        {
            lines.Line("affinity assignment: " + AffinityText.Order(options));
            if (s.Processors.Count > 0 || options.WholeGroups != 0)
                lines.Line("affinity " + AffinityText.Entries(s.Processors, options.WholeGroups));
        }
        lines.Line(
            "buffer separation: "
                + (
                    options.SeparatesBuffers
                        ? $"thread optimized ({DiskSpdSize.Format23(options.BufferBoundary ?? DefaultBoundary)})"
                        : "system default"
                )
        );
        if (options.CompletionDepth is int depth)
            lines.Line($"completion depth: {depth}");
    }

    private void WriteTarget(IoTestSpecification s, IoTargetSpecification target, IoPattern p)
    {
        lines.Indent = _is23 ? "    " : "\t";
        lines.Line(target.Path.StartsWith('*') ? $"path: template target '{target.Path[1..]}'" : $"path: '{target.Path}'");
        lines.Indent = _is23 ? "      " : "\t\t";
        lines.Line($"think time: {p.ThinkTimeMs}ms");
        lines.Line($"burst size: {p.BurstSize}");
        WriteCaches(p.Buffering);
        if (_is23 && s.Origin().DiskSpd?.Version23?.BypassIO is DiskSpdBypass.Partial or DiskSpdBypass.Full)
            lines.Line(
                s.Origin().DiskSpd!.Version23!.BypassIO == DiskSpdBypass.Full
                    ? "using BypassIO (full bypass)"
                    : "using BypassIO (allow partial)"
            );
        WriteContent(p);
        if (p.ParallelSameOffset)
            lines.Line("using parallel async I/O");
        lines.Line(
            p.WritePercent switch
            {
                0 => "performing read test",
                100 => "performing write test",
                _ => FormattableString.Invariant($"performing mix test (read/write ratio: {100 - p.WritePercent}/{p.WritePercent})"),
            }
        );
        lines.Line("block size: " + Size(p.BlockSize));
        WriteOrder(p);
        if (s is { SharedThreadPool: true, PoolOutstandingIO: not null })
            lines.Line($"relative IO weight in thread pool: {p.Weight}");
        else
            lines.Line($"number of outstanding I/O operations per thread: {p.OutstandingIO}");
        WriteRange(target, p);
        if (!s.SharedThreadPool)
        {
            lines.Line($"threads per file: {p.ThreadCount}");
            if (p.OutstandingIO > 1 && !(_is23 && s.Origin().DiskSpd?.Version23?.IoRingBatch is not null))
                lines.Line(
                    s.Origin().DiskSpd?.CompletionRoutines == true
                        ? "using completion routines (ReadFileEx/WriteFileEx)"
                        : "using I/O Completion Ports"
                );
        }
        lines.Line(
            "IO priority: "
                + p.Priority switch
                {
                    IoPriority.VeryLow => "very low",
                    IoPriority.Low => "low",
                    _ => "normal",
                }
        );
        WriteRate(s, p);
        WriteDistribution(p);
    }

    private void WriteCaches(IoBuffering buffering)
    {
        lines.Line(buffering is IoBuffering.None or IoBuffering.Hardware ? "software cache disabled" : "using software cache");
        lines.Line(
            buffering switch
            {
                IoBuffering.None => "hardware write cache disabled, writethrough on",
                IoBuffering.Software => "hardware and software write caches disabled, writethrough on",
                _ => "using hardware write cache, writethrough off",
            }
        );
    }

    private void WriteContent(IoPattern p)
    {
        if (p.WriteContent == IoWriteContentKind.Zero)
            lines.Line("zeroing write buffers");
        if (p.WriteContentSize is not > 0)
            return;
        lines.Line("write buffer size: " + Size(p.WriteContentSize.Value));
        lines.Line(p.WriteContentFile is null ? "write buffer source: random fill" : $"write buffer source: '{p.WriteContentFile}'");
    }

    private void WriteOrder(IoPattern p)
    {
        var alignment = Size(p.Alignment ?? p.BlockSize);
        var stride = Size(p.Stride ?? (p.AccessPattern == IoAccessPattern.Stride ? p.BlockSize * p.StripeColumns : p.BlockSize));
        lines.Line(
            p.AccessPattern switch
            {
                IoAccessPattern.Random => $"using random I/O (alignment: {alignment})",
                IoAccessPattern.PartRandom => FormattableString.Invariant(
                    $"using mixed random/sequential I/O ({p.RandomPercent}% random) (alignment/stride: {alignment})"
                ),
                IoAccessPattern.Interlocked => $"using interlocked sequential I/O (stride: {stride})",
                _ => $"using sequential I/O (stride: {stride})",
            }
        );
    }

    private void WriteRange(IoTargetSpecification target, IoPattern p)
    {
        if (target.BaseOffset != 0)
            lines.Line("base file offset: " + Size(target.BaseOffset));
        if (target.MaxOffset is long end)
            lines.Line("max file size: " + Size(end));
        if (p.ThreadStride is long distance and > 0)
            lines.Line("thread stride size: " + Size(distance));
        if (p.SequentialScanHint)
            lines.Line("using FILE_FLAG_SEQUENTIAL_SCAN hint");
        if (p.RandomAccessHint)
            lines.Line("using FILE_FLAG_RANDOM_ACCESS hint");
        if (p.TemporaryHint)
            lines.Line("using FILE_ATTRIBUTE_TEMPORARY hint");
    }

    private void WriteRate(IoTestSpecification s, IoPattern p)
    {
        // The rate of an open loop applies to a target, but DiskSpd limits the rate of each thread.
        if (p.MaxIopsPerThread is double limit)
            lines.Line($"throughput rate-limited to {limit:0} IOPS");
        else if (p.MaxBytesPerSecondPerThread is double bytes)
            lines.Line($"throughput rate-limited to {bytes / 1000:0} B/ms");
        else if (p.TargetIops is double rate)
            lines.Line($"throughput rate-limited to {rate / Math.Max(1, s.SharedThreadPool ? s.ThreadCount : p.ThreadCount):0} IOPS");
    }

    private void WriteDistribution(IoPattern p)
    {
        if (p.Distribution.Count == 0)
            return;
        lines.Line("IO Distribution:");
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
            lines.Line(DistributionText.Range(percent, from, to, form));
        else
            lines.Line($"   {percent, 3}% of IO => [{from, 2}% - {to, 3}%) of target");
    }

    private string Size(long bytes) => _is23 ? DiskSpdSize.Format23(bytes) : DiskSpdSize.Format(bytes);
}
