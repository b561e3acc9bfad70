using IoBench.Engine;

namespace IoBench.Formats.DiskSpd.Text;

/// <summary>
/// Reads the lines below <c>Input parameters:</c> into one specification a timespan. The wording of all versions is understood:
/// 2.0.11 named both caches in one line, 2.0.15 put the stride into the line of the pattern, 2.1 wrote sizes with units.
/// </summary>
internal sealed class ParameterBlock(DiskSpdRun run)
{
    /// <summary>Targets of a timespan and ranges of a distribution that are kept; more are not understood.</summary>
    private const int MostTargets = 1024;

    private readonly List<(IoTargetSpecification Target, IoPattern Pattern)> _targets = [];
    private IoTestSpecification? _specification;
    private IoPattern? _pattern;
    private TargetCaches _caches;
    private bool _randomWrites;
    private bool _inDistribution;
    private bool _verbose;

    /// <summary>A size was printed rounded, so that the command line knows it better.</summary>
    internal bool HasRoundedSizes { get; private set; }

    /// <summary>Whether the block tells threads a file or a pool; versions before 2.0.19 say neither for <c>-F</c>.</summary>
    internal bool TellsThreads { get; private set; }

    private struct TargetCaches
    {
        internal bool Unbuffered;
        internal bool WriteThrough;
    }

    /// <summary>Takes a line of the block (without blanks around it); false when it is none of them.</summary>
    internal bool Take(ReadOnlySpan<char> line)
    {
        if (_inDistribution && TakeRange(line))
            return true;
        _inDistribution = false;
        var colon = line.IndexOf(':');
        var value = colon < 0 ? default : line[(colon + 1)..].Trim();
        if (colon > 0 && TakeTimeSpan(line[..colon], value))
            return true;
        if (line.StartsWith("path:"))
            return BeginTarget(value);
        return TakeTimeSpanFlag(line) || (_pattern is not null && TakeTarget(line, colon, value));
    }

    /// <summary>Ends the block.</summary>
    internal void End() => EndTimeSpan();

    private bool TakeTimeSpan(ReadOnlySpan<char> name, ReadOnlySpan<char> value)
    {
        switch (name)
        {
            case "timespan" or "job":
                EndTimeSpan();
                _specification = PatternTools.NewSpecification();
                return true;
            case "duration": return Set(Specification, value, (s, v) => s.Duration = TimeSpan.FromSeconds(v));
            case "warm up time": return Set(Specification, value, (s, v) => s.WarmUp = TimeSpan.FromSeconds(v));
            case "cool down time": return Set(Specification, value, (s, v) => s.CoolDown = TimeSpan.FromSeconds(v));
            case "random seed": return Set(Specification, value, (s, v) => s.Seed = (ulong)v);
            // Of diskspd-for-linux, which names threads a file only where there is no pool.
            case "total threads": return Set(Specification, value, (s, v) => s.ThreadCount = (int)Math.Min(v, int.MaxValue));
            case "number of outstanding I/O operations per thread" when _pattern is null:
                // Of a pool: 0 stands for "as each target says".
                return Set(Specification, value, (s, v) => s.PoolOutstandingIO = v > 0 ? (int)Math.Min(v, int.MaxValue) : null);
            case "advanced affinity round robin (group/core)" or "advanced affinity":
                return TakeAffinity(value);
            default:
                return false;
        }
    }

    private bool TakeTimeSpanFlag(ReadOnlySpan<char> line)
    {
        switch (line)
        {
            case "affinity disabled":
                Specification.AffinityMode = IoAffinityMode.Off;
                return true;
            case "measuring latency":
                Specification.DiskSpd!.MeasureLatency = true;
                return true;
            case "using verbose mode":
                // Stands before the first timespan and holds for all.
                return _verbose = true;
            case "generating random data for each write IO":
                _randomWrites = true;
                return true;
            case "using random_device for seed":
                return true;
        }
        if (line.StartsWith("gathering IOPS at intervals of ", StringComparison.OrdinalIgnoreCase))
            return TakeInterval(line[31..]);
        if (line.StartsWith("calculating IOPS stddev with bucket duration = "))
            return TakeInterval(line[47..]);
        if (line.StartsWith("thread pool with "))
        {
            Specification.SharedThreadPool = true;
            TellsThreads = true;
            return Numbers.LeadingInt(line[17..]) is int threads && (Specification.ThreadCount = threads) == threads;
        }
        return line.StartsWith("WARNING: this increases the CPU cost") || line.StartsWith("be compared to other results using the -Zr");
    }

    private bool TakeInterval(ReadOnlySpan<char> text)
    {
        Specification.DiskSpd!.GatherIops = true;
        return Set(Specification, text, (s, v) => s.TimelineInterval = TimeSpan.FromMilliseconds(v));
    }

    private bool TakeAffinity(ReadOnlySpan<char> list)
    {
        while (!list.IsEmpty)
        {
            var comma = list.IndexOf(',');
            var item = (comma < 0 ? list : list[..comma]).Trim();
            list = comma < 0 ? default : list[(comma + 1)..];
            var slash = item.IndexOf('/');
            if (Numbers.LeadingInt(item[(slash + 1)..]) is not int processor || (slash > 0 ? Numbers.LeadingInt(item[..slash]) : 0) is not int group)
                return false;
            if (Specification.Processors.Count >= MostTargets * ProcessorNumber.PerGroup)
                return false;
            Specification.Processors.Add(ProcessorNumber.Of(group, processor));
        }
        return true;
    }

    private bool BeginTarget(ReadOnlySpan<char> value)
    {
        EndTarget();
        if (_targets.Count >= MostTargets)
            return false;
        var template = value.StartsWith("template target ");
        if (template)
            value = value[16..];
        var path = value.Trim().Trim('\'').ToString();
        _pattern = PatternTools.NewDefault();
        _pattern.AffinityMode = Specification.AffinityMode;
        _pattern.Processors = [.. Specification.Processors];
        if (Specification.SharedThreadPool)
            _pattern.ThreadCount = Specification.ThreadCount;
        _caches = default;
        _targets.Add((new IoTargetSpecification(template ? "*" + path : path), _pattern));
        return true;
    }

    private bool TakeTarget(ReadOnlySpan<char> line, int colon, ReadOnlySpan<char> value)
    {
        var pattern = _pattern!;
        if (colon > 0)
        {
            switch (line[..colon])
            {
                case "think time": return Set(pattern, value, (p, v) => p.ThinkTimeMs = (int)Math.Min(v, int.MaxValue));
                case "burst size": return Set(pattern, value, (p, v) => p.BurstSize = (int)Math.Min(v, int.MaxValue));
                case "block size": return SetSize(value, v => pattern.BlockSize = v);
                // Up to 2.0.14 printed for random I/O too, where it means nothing.
                case "stride size": return SetSize(value, v => pattern.Stride = pattern.AccessPattern == IoAccessPattern.Random || v == pattern.BlockSize ? null : v);
                case "thread stride size": return SetSize(value, v => pattern.ThreadStride = pattern.AccessPattern == IoAccessPattern.Sequential ? v : null);
                case "base file offset": return SetSize(value, v => _targets[^1].Target.BaseOffset = v);
                case "max file size": return SetSize(value, v => _targets[^1].Target.MaxOffset = v);
                case "size": return SetSize(value, v => _targets[^1].Target.FileSize = v);
                case "write buffer size": return SetSize(value, SetWriteBuffer);
                case "write buffer source": return SetWriteSource(value);
                case "number of outstanding I/O operations per thread" or "number of outstanding I/O operations":
                    return Set(pattern, value, (p, v) => p.OutstandingIO = (int)Math.Min(v, int.MaxValue));
                case "relative IO weight in thread pool": return Set(pattern, value, (p, v) => p.Weight = (int)Math.Min(v, int.MaxValue));
                case "threads per file":
                    TellsThreads = true;
                    return Set(pattern, value, (p, v) => p.ThreadCount = (int)Math.Min(v, int.MaxValue));
                case "IO priority":
                    pattern.Priority = value switch { "very low" => IoPriority.VeryLow, "low" => IoPriority.Low, _ => IoPriority.Normal };
                    return true;
                case "IO Distribution":
                    return _inDistribution = true;
                case "block device":
                    run.Device ??= value.ToString();
                    return true;
                case "device scheduler":
                    run.Host["device scheduler"] = value.ToString();
                    return true;
            }
        }
        return TakeOperation(line) || TakeOrder(line) || TakeCaches(line) || TakeHint(line) || TakeRate(line);
    }

    private bool TakeOperation(ReadOnlySpan<char> line)
    {
        if (line is "performing read test")
            return true;
        if (line is "performing write test")
        {
            _pattern!.WritePercent = 100;
            return true;
        }
        if (!line.StartsWith("performing mix test ("))
            return false;
        // 2.0.11 to 2.0.15: (write/read ratio: 30/100); later (read/write ratio: 70/30).
        var ratio = line[(line.IndexOf(':') + 1)..].TrimStart();
        var slash = ratio.IndexOf('/');
        var write = line.Contains("write/read", StringComparison.Ordinal) ? Numbers.LeadingInt(ratio) : Numbers.LeadingInt(ratio[(slash + 1)..]);
        if (write is not (>= 0 and <= 100))
            return false;
        _pattern!.WritePercent = write.Value;
        return true;
    }

    private bool TakeOrder(ReadOnlySpan<char> line)
    {
        var pattern = _pattern!;
        if (line.StartsWith("using random I/O ("))
        {
            pattern.AccessPattern = IoAccessPattern.Random;
        }
        else if (line.StartsWith("using mixed random/sequential I/O ("))
        {
            pattern.AccessPattern = IoAccessPattern.PartRandom;
            pattern.RandomPercent = Numbers.LeadingInt(line[35..]) is int percent ? Math.Clamp(percent, 1, 99) : 50;
        }
        else if (line.StartsWith("using interlocked sequential I/O ("))
        {
            pattern.AccessPattern = IoAccessPattern.Interlocked;
        }
        else if (line.StartsWith("using sequential I/O ("))
        {
            pattern.AccessPattern = IoAccessPattern.Sequential;
        }
        else
        {
            return false;
        }
        if (pattern.AccessPattern != IoAccessPattern.Sequential)
            pattern.ThreadStride = null;
        return SetSize(line[(line.LastIndexOf(':') + 1)..].TrimEnd(')'), v => PatternTools.SetAlignment(pattern, v));
    }

    private bool TakeCaches(ReadOnlySpan<char> line)
    {
        switch (line)
        {
            case "software cache disabled" or "using O_DIRECT":
                _caches.Unbuffered = true;
                break;
            case "software and hardware cache disabled" or "software and hardware write cache disabled":
                _caches = new TargetCaches { Unbuffered = true, WriteThrough = true };
                break;
            case "hardware and software write caches disabled, writethrough on" or "hardware write cache disabled, writethrough on" or "using O_SYNC":
                _caches.WriteThrough = true;
                break;
            case "using software cache" or "using software and hardware cache" or "using software and hardware write cache" or "using hardware write cache, writethrough off":
                break;
            case "local software cache disabled, remote cache enabled" or "local software cache disabled, remote caches enabled":
                run.Warn("The remote server's cache was used and the local one not (-Sr): IoBench has no such setting and shows the I/O as cached.");
                break;
            default:
                if (!line.StartsWith("memory mapped I/O enabled"))
                    return false;
                run.Warn("The target was mapped into memory (-Sm): IoBench has no such setting and shows the I/O as cached.");
                break;
        }
        _pattern!.Buffering = PatternTools.Buffering(_caches.Unbuffered, _caches.WriteThrough);
        return true;
    }

    private bool TakeHint(ReadOnlySpan<char> line)
    {
        var pattern = _pattern!;
        switch (line)
        {
            case "using FILE_FLAG_SEQUENTIAL_SCAN hint": return pattern.SequentialScanHint = true;
            case "using FILE_FLAG_RANDOM_ACCESS hint": return pattern.RandomAccessHint = true;
            case "using FILE_ATTRIBUTE_TEMPORARY hint": return pattern.TemporaryHint = true;
            case "using parallel async I/O": return pattern.ParallelSameOffset = true;
            case "using I/O Completion Ports": return true;
            case "using completion routines (ReadFileEx/WriteFileEx)": return Specification.DiskSpd!.CompletionRoutines = true;
            case "zeroing write buffers" or "zeroing I/O buffers":
                pattern.WriteContent = IoWriteContentKind.Zero;
                return true;
            case "filling I/O buffers with random data":
                pattern.WriteContent = IoWriteContentKind.Random;
                return true;
            case "separating read and write buffers": return true;
            default: return false;
        }
    }

    private bool TakeRate(ReadOnlySpan<char> line)
    {
        if (!line.StartsWith("throughput rate-limited to ") || Numbers.Leading(line[27..]) is not long rate)
            return false;
        if (line.EndsWith("IOPS"))
            _pattern!.MaxIopsPerThread = rate;
        else
            _pattern!.MaxBytesPerSecondPerThread = rate * 1000.0;
        return true;
    }

    private void SetWriteBuffer(long bytes)
    {
        _pattern!.WriteContentSize = bytes;
        _pattern.WriteContent = IoWriteContentKind.Random;
    }

    private bool SetWriteSource(ReadOnlySpan<char> value)
    {
        if (value is "random fill")
            return true;
        _pattern!.WriteContent = IoWriteContentKind.File;
        _pattern.WriteContentFile = value.Trim('\'').ToString();
        return true;
    }

    /// <summary>A line such as <c>90% of IO =&gt; [ 0% -  10%) of target</c> or <c>5% of IO =&gt; [    30MiB -       end)</c>.</summary>
    private bool TakeRange(ReadOnlySpan<char> line)
    {
        var arrow = line.IndexOf("% of IO => [");
        if (arrow < 0 || _pattern!.Distribution.Count >= MostTargets || Numbers.Real(line[..arrow]) is not double percent)
            return false;
        var range = line[(arrow + 12)..];
        var dash = range.IndexOf(" - ");
        var close = range.IndexOf(')');
        if (dash < 0 || close < dash)
            return false;
        var from = range[..dash].Trim();
        var to = range[(dash + 3)..close].Trim();
        var share = (int)Math.Clamp(percent, 0, 100);
        var pattern = _pattern!;
        if (to.EndsWith("%"))
        {
            if (Numbers.Leading(from) is not long begin || Numbers.Leading(to) is not long end || end < begin)
                return false;
            pattern.Distribution.Add(new IoDistributionRange(share, end - begin));
            return true;
        }
        pattern.DistributionIsAbsolute = true;
        if (!DiskSpdSize.TryParse(from, out var first, out var exactFrom))
            return false;
        long last = first;
        var exactTo = true;
        if (to is not "end" && (!DiskSpdSize.TryParse(to, out last, out exactTo) || last < first))
            return false;
        HasRoundedSizes |= !exactFrom || !exactTo;
        pattern.Distribution.Add(new IoDistributionRange(share, last - first));
        return true;
    }

    private IoTestSpecification Specification => _specification ??= PatternTools.NewSpecification();

    private static bool Set<T>(T target, ReadOnlySpan<char> text, Action<T, long> set)
    {
        // Beyond what a duration can hold, a number is no number of DiskSpd's.
        if (Numbers.Leading(text) is not long value || value > uint.MaxValue)
            return false;
        set(target, value);
        return true;
    }

    private bool SetSize(ReadOnlySpan<char> text, Action<long> set)
    {
        if (!DiskSpdSize.TryParse(text, out var bytes, out var exact))
            return false;
        HasRoundedSizes |= !exact;
        set(bytes);
        return true;
    }

    private void EndTarget()
    {
        if (_pattern is null)
            return;
        if (_randomWrites && _pattern.WriteContent == IoWriteContentKind.Pattern)
            _pattern.WriteContent = IoWriteContentKind.Random;
        if (_pattern.AccessPattern == IoAccessPattern.Random)
            _pattern.Stride = null;
        _pattern = null;
    }

    private void EndTimeSpan()
    {
        EndTarget();
        _randomWrites = false;
        if (_specification is null)
            return;
        (_specification.DiskSpd!.Verbose, _specification.DiskSpd.ExperimentFlags) = (_verbose, run.ExperimentFlags);
        var threads = _specification.ThreadCount;
        PatternTools.SetTargets(_specification, _targets);
        if (_specification.SharedThreadPool || !TellsThreads)
            _specification.ThreadCount = threads;
        _targets.Clear();
        if (run.Specifications.Count < DiskSpdRun.MostTimeSpans)
            run.Specifications.Add(_specification);
        _specification = null;
    }
}
