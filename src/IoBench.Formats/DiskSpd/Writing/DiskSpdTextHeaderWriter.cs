using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdTextHeaderWriter(LineWriter lines, DiskSpdOutputVersion form)
{
    /// <summary>Boundary of DiskSpd 2.3's buffers, in bytes, for 4 KiB pages and cache lines of 64 bytes.</summary>
    private const long DefaultBoundary = 16 << 20;

    private readonly bool _is23 = form == DiskSpdOutputVersion.Version23;

    internal void WriteParameters(IReadOnlyList<IoTestSpecification> timespans)
    {
        lines.WriteLine();
        lines.WriteLine("Command Line: " + DiskSpdCommandLine.FormatCommandLine(timespans[0]));
        lines.WriteLine();
        if (timespans[0].GetOrAddOrigin().DiskSpd?.ExperimentFlags is int flags and not 0)
        {
            lines.WriteLine($"Experiment Flags: 0x{flags:x} ({flags})");
            lines.WriteLine();
        }
        lines.WriteLine("Input parameters:");
        lines.WriteLine();
        lines.Indent = _is23 ? "  " : "\t";
        if (timespans[0].GetOrAddOrigin().DiskSpd?.Verbose == true)
            lines.WriteLine("using verbose mode");
        for (var i = 0; i < timespans.Count; i++)
        {
            lines.Indent = _is23 ? "  " : "\t";
            lines.WriteLine($"timespan: {i + 1, 3}");
            lines.WriteLine("-------------");
            WriteTimeSpan(timespans[i]);
            lines.Indent = "";
            lines.WriteLine();
        }
        lines.Indent = "";
    }

    private void WriteTimeSpan(IoTestSpecification s)
    {
        lines.Indent = _is23 ? "    " : "\t";
        lines.WriteLine($"duration: {Math.Round(s.Duration.TotalSeconds):0}s");
        lines.WriteLine($"warm up time: {Math.Round(s.WarmUp.TotalSeconds):0}s");
        lines.WriteLine($"cool down time: {Math.Round(s.CoolDown.TotalSeconds):0}s");
        if (!_is23 && s.AffinityMode == IoAffinityMode.Off)
            lines.WriteLine("affinity disabled");
        if (s.GetOrAddOrigin().DiskSpd?.MeasureLatency != false)
            lines.WriteLine("measuring latency");
        if (s.GetOrAddOrigin().DiskSpd?.GatherIops != false)
            lines.WriteLine($"gathering IOPS at intervals of {s.TimelineInterval.TotalMilliseconds:0}ms");
        lines.WriteLine($"random seed: {s.Seed}");
        if (s.SharedThreadPool)
        {
            lines.WriteLine($"thread pool with {s.ThreadCount} threads");
            lines.WriteLine($"number of outstanding I/O operations per thread: {s.PoolOutstandingIO ?? 0}");
        }
        if (_is23)
            WriteVersion23(s, s.GetOrAddOrigin().DiskSpd?.Version23 ?? new DiskSpd23Options());
        else if (s.Processors.Count > 0)
            lines.WriteLine(
                "advanced affinity round robin (group/core): "
                    + string.Join(
                        ", ",
                        s.Processors.Select(p =>
                            $"{NumberFormat.Integer(p / DiskSpdProcessorLists.MaxPerGroup)}/{NumberFormat.Integer(p % DiskSpdProcessorLists.MaxPerGroup)}"
                        )
                    )
            );
        if (
            s
                .Targets.Select(s.GetPattern)
                .Any(p =>
                    p is { WriteContent: IoWriteContentKind.Random, WriteContentSize: null }
                    && (s.GetOrAddOrigin().DiskSpd is not null || p.WritePercent > 0)
                )
        )
        {
            lines.WriteLine("generating random data for each write IO");
            lines.WriteLine("  WARNING: this increases the CPU cost of issuing writes and should only");
            lines.WriteLine("           be compared to other results using the -Zr flag");
        }
        foreach (var target in s.Targets)
            WriteTarget(s, target, s.GetPattern(target));
    }

    private void WriteVersion23(IoTestSpecification s, DiskSpd23Options options)
    {
        if (options.IoRingBatch is int batch)
            lines.WriteLine(
                $"using IoRing (batch size: {batch}{(options.IoRingBatchIsPercent ? "%" : "")}) {(options.RegistersBuffers ? "with" : "without")} registered buffers"
            );
        if (s.AffinityMode == IoAffinityMode.Off)
        {
            lines.WriteLine("affinity disabled");
        }
        else
        {
            lines.WriteLine("affinity assignment: " + DiskSpdProcessorLists.FormatOrder(options));
            if (s.Processors.Count > 0 || options.WholeGroups != 0)
                lines.WriteLine("affinity " + DiskSpdProcessorLists.FormatList(s.Processors, options.WholeGroups));
        }
        lines.WriteLine(
            "buffer separation: "
                + (
                    options.SeparatesBuffers
                        ? $"thread optimized ({DiskSpdValueFormat.FormatSize23(options.BufferBoundary ?? DefaultBoundary)})"
                        : "system default"
                )
        );
        if (options.CompletionDepth is int depth)
            lines.WriteLine($"completion depth: {depth}");
    }

    private void WriteTarget(IoTestSpecification s, IoTargetSpecification target, IoPattern p)
    {
        lines.Indent = _is23 ? "    " : "\t";
        lines.WriteLine(target.Path.StartsWith('*') ? $"path: template target '{target.Path[1..]}'" : $"path: '{target.Path}'");
        lines.Indent = _is23 ? "      " : "\t\t";
        lines.WriteLine($"think time: {p.ThinkTimeMs}ms");
        lines.WriteLine($"burst size: {p.BurstSize}");
        WriteCaches(p.Buffering);
        if (_is23 && s.GetOrAddOrigin().DiskSpd?.Version23?.BypassIO is DiskSpdBypass.Partial or DiskSpdBypass.Full)
            lines.WriteLine(
                s.GetOrAddOrigin().DiskSpd!.Version23!.BypassIO == DiskSpdBypass.Full
                    ? "using BypassIO (full bypass)"
                    : "using BypassIO (allow partial)"
            );
        WriteContent(p);
        if (p.ParallelSameOffset)
            lines.WriteLine("using parallel async I/O");
        lines.WriteLine(
            p.WritePercent switch
            {
                0 => "performing read test",
                100 => "performing write test",
                _ => FormattableString.Invariant($"performing mix test (read/write ratio: {100 - p.WritePercent}/{p.WritePercent})"),
            }
        );
        lines.WriteLine("block size: " + FormatSize(p.BlockSize));
        WriteOrder(p);
        if (s is { SharedThreadPool: true, PoolOutstandingIO: not null })
            lines.WriteLine($"relative IO weight in thread pool: {p.Weight}");
        else
            lines.WriteLine($"number of outstanding I/O operations per thread: {p.OutstandingIO}");
        WriteRange(target, p);
        if (!s.SharedThreadPool)
        {
            lines.WriteLine($"threads per file: {p.ThreadCount}");
            if (p.OutstandingIO > 1 && !(_is23 && s.GetOrAddOrigin().DiskSpd?.Version23?.IoRingBatch is not null))
                lines.WriteLine(
                    s.GetOrAddOrigin().DiskSpd?.CompletionRoutines == true
                        ? "using completion routines (ReadFileEx/WriteFileEx)"
                        : "using I/O Completion Ports"
                );
        }
        lines.WriteLine(
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
        lines.WriteLine(buffering is IoBuffering.None or IoBuffering.Hardware ? "software cache disabled" : "using software cache");
        lines.WriteLine(
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
            lines.WriteLine("zeroing write buffers");
        if (p.WriteContentSize is not > 0)
            return;
        lines.WriteLine("write buffer size: " + FormatSize(p.WriteContentSize.Value));
        lines.WriteLine(p.WriteContentFile is null ? "write buffer source: random fill" : $"write buffer source: '{p.WriteContentFile}'");
    }

    private void WriteOrder(IoPattern p)
    {
        var alignment = FormatSize(p.Alignment ?? p.BlockSize);
        var stride = FormatSize(p.Stride ?? (p.AccessPattern == IoAccessPattern.Stride ? p.BlockSize * p.StripeColumns : p.BlockSize));
        lines.WriteLine(
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
            lines.WriteLine("base file offset: " + FormatSize(target.BaseOffset));
        if (target.MaxOffset is long end)
            lines.WriteLine("max file size: " + FormatSize(end));
        if (p.ThreadStride is long distance and > 0)
            lines.WriteLine("thread stride size: " + FormatSize(distance));
        if (p.SequentialScanHint)
            lines.WriteLine("using FILE_FLAG_SEQUENTIAL_SCAN hint");
        if (p.RandomAccessHint)
            lines.WriteLine("using FILE_FLAG_RANDOM_ACCESS hint");
        if (p.TemporaryHint)
            lines.WriteLine("using FILE_ATTRIBUTE_TEMPORARY hint");
    }

    private void WriteRate(IoTestSpecification s, IoPattern p)
    {
        // The rate of an open loop applies to a target, but DiskSpd limits the rate of each thread.
        if (p.MaxIopsPerThread is double limit)
            lines.WriteLine($"throughput rate-limited to {limit:0} IOPS");
        else if (p.MaxBytesPerSecondPerThread is double bytes)
            lines.WriteLine($"throughput rate-limited to {bytes / 1000:0} B/ms");
        else if (p.TargetIops is double rate)
            lines.WriteLine($"throughput rate-limited to {rate / Math.Max(1, s.SharedThreadPool ? s.ThreadCount : p.ThreadCount):0} IOPS");
    }

    private void WriteDistribution(IoPattern p)
    {
        if (p.Distribution.Count == 0)
            return;
        lines.WriteLine("IO Distribution:");
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
            lines.WriteLine(DiskSpdValueFormat.FormatDistributionRange(percent, from, to, form));
        else
            lines.WriteLine($"   {percent, 3}% of IO => [{from, 2}% - {to, 3}%) of target");
    }

    private string FormatSize(long bytes) => _is23 ? DiskSpdValueFormat.FormatSize23(bytes) : DiskSpdValueFormat.FormatSize(bytes);

    internal void WriteSystem(IoTestResult result)
    {
        lines.WriteLine("System information:");
        lines.WriteLine();
        if (_is23)
            WriteSystem23(result);
        else
            WriteSystem22(result);
    }

    private void WriteSystem22(IoTestResult result)
    {
        lines.WriteLine("\tcomputer name: " + result.ComputerName);
        lines.WriteLine("\tstart time: " + FormatStartTime(result));
        lines.WriteLine();
        foreach (var (name, count) in GetCounts(result))
            lines.WriteLine($"\t{name}:\t\t{count}");
        if (DiskSpdSupport.GetHeterogeneous(result) is { } heterogeneous)
            lines.WriteLine("\theterogeneous cores:\t" + heterogeneous);
        if (result.Host.GetValueOrDefault("active power scheme") is { } scheme)
        {
            lines.WriteLine();
            lines.WriteLine("\tactive power scheme:\t" + scheme);
        }
    }

    private void WriteSystem23(IoTestResult result)
    {
        WriteFact("computer name", result.ComputerName ?? "");
        WriteFact("processor name", DiskSpdSupport.GetProcessorName(result));
        WriteFact("start time", FormatStartTime(result));
        if (result.Host.GetValueOrDefault("active power scheme") is { } scheme)
            WriteFact("active power scheme", scheme);
        if (DiskSpdSupport.GetPageSize(result) is { } page)
            WriteFact("page size", DiskSpdValueFormat.FormatSize23(page));
        lines.WriteLine();
        foreach (var (name, count) in GetCounts(result))
            WriteFact(name, count);
        WriteFact("heterogeneous cores", DiskSpdSupport.GetHeterogeneous(result) ?? "n");
    }

    private void WriteFact(string name, string value) => lines.WriteLine("  " + (name + ":").PadRight(22) + value);

    private static string FormatStartTime(IoTestResult result) => result.StartTime is { } time ? DiskSpdValueFormat.FormatTime(time) : "";

    private static IEnumerable<(string Name, string Count)> GetCounts(IoTestResult result)
    {
        foreach (var name in DiskSpdSupport.TopologyCountNames)
        {
            if (DiskSpdSupport.GetTopologyCount(result, name) is { } count)
                yield return (name, count);
        }
    }
}
