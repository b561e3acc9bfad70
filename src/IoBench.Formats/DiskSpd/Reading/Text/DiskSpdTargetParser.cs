using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdTargetParser(DiskSpdRun run)
{
    private const int MaxTargets = 1024;

    private List<(IoTargetSpecification Target, IoPattern Pattern)> _targets = [];
    private IoTestSpecification? _specification;
    private IoPattern? _pattern;
    private bool _unbuffered;
    private bool _writeThrough;
    private bool _inDistribution;

    internal bool HasRoundedSizes { get; private set; }

    /// <summary>Whether sizes are printed as in DiskSpd 2.3, where even a size without decimals can be rounded.</summary>
    internal bool SizesMayBeRounded { get; set; }

    internal bool HasThreadCounts { get; private set; }

    internal bool HasBegun => _pattern is not null;

    private void WarnNotSupported(string notOffered)
    {
        var words = DiskSpdSupport.DescribeForResult(notOffered);
        run.AddWarning($"{char.ToUpperInvariant(words[0])}{words[1..]}.");
    }

    internal bool TryBeginTarget(ReadOnlySpan<char> value, IoTestSpecification specification)
    {
        if (_targets.Count >= MaxTargets)
            return false;
        var template = value.StartsWith("template target ");
        if (template)
            value = value[16..];
        var path = value.Trim().Trim('\'').ToString();
        _specification = specification;
        _pattern = DiskSpdDefaults.CreatePattern();
        _pattern.AffinityMode = specification.AffinityMode;
        if (specification.Processors.Count > 0)
            _pattern.Processors = [.. specification.Processors];
        if (specification.SharedThreadPool)
            _pattern.ThreadCount = specification.ThreadCount;
        _unbuffered = false;
        _writeThrough = false;
        _targets.Add((new IoTargetSpecification(template ? "*" + path : path), _pattern));
        return true;
    }

    /// <param name="randomWrites">Whether every write has its own random content.</param>
    internal IReadOnlyList<(IoTargetSpecification Target, IoPattern Pattern)> EndTargets(bool randomWrites)
    {
        var targets = _targets;
        foreach (var (_, pattern) in targets)
        {
            if (randomWrites && pattern.WriteContent == IoWriteContentKind.Pattern)
                pattern.WriteContent = IoWriteContentKind.Random;
            if (pattern.AccessPattern == IoAccessPattern.Random)
                pattern.Stride = null;
        }
        _targets = [];
        _pattern = null;
        _inDistribution = false;
        return targets;
    }

    /// <param name="colon">Index of the colon; -1 if there is none.</param>
    internal bool TryParseLine(ReadOnlySpan<char> line, int colon, ReadOnlySpan<char> value)
    {
        if (_pattern is not { } pattern)
            return false;
        return (
                colon > 0
                && (
                    TryParseSize(line[..colon], value, pattern)
                    || TryParseNumber(line[..colon], value, pattern)
                    || TryParseWord(line[..colon], value, pattern)
                )
            )
            || TryParseOperation(line)
            || TryParseOrder(line)
            || TryParseCaches(line)
            || TryParseHint(line)
            || TryParseRate(line);
    }

    private bool TryParseSize(ReadOnlySpan<char> name, ReadOnlySpan<char> value, IoPattern pattern)
    {
        switch (name)
        {
            case "block size":
                return TrySetSize(pattern, value, (p, v) => p.BlockSize = v);
            // DiskSpd through 2.0.14 also prints the stride for random I/O, but it has no meaning there.
            case "stride size":
                return TrySetSize(
                    pattern,
                    value,
                    (p, v) => p.Stride = p.AccessPattern == IoAccessPattern.Random || v == p.BlockSize ? null : v
                );
            case "thread stride size":
                return TrySetSize(pattern, value, (p, v) => p.ThreadStride = p.AccessPattern == IoAccessPattern.Sequential ? v : null);
            case "base file offset":
                return TrySetSize(_targets[^1].Target, value, (t, v) => t.BaseOffset = v);
            case "max file size":
                return TrySetSize(_targets[^1].Target, value, (t, v) => t.MaxOffset = v);
            case "size":
                return TrySetSize(_targets[^1].Target, value, (t, v) => t.FileSize = v);
            case "write buffer size":
                return TrySetSize(
                    pattern,
                    value,
                    (p, v) =>
                    {
                        p.WriteContentSize = v;
                        p.WriteContent = IoWriteContentKind.Random;
                    }
                );
            default:
                return false;
        }
    }

    private bool TryParseNumber(ReadOnlySpan<char> name, ReadOnlySpan<char> value, IoPattern pattern)
    {
        switch (name)
        {
            case "think time":
                return DiskSpdParameterParser.TrySetNumber(pattern, value, (p, v) => p.ThinkTimeMs = (int)Math.Min(v, int.MaxValue));
            case "burst size":
                return DiskSpdParameterParser.TrySetNumber(pattern, value, (p, v) => p.BurstSize = (int)Math.Min(v, int.MaxValue));
            case "number of outstanding I/O operations per thread" or "number of outstanding I/O operations":
                return DiskSpdParameterParser.TrySetNumber(pattern, value, (p, v) => p.OutstandingIO = (int)Math.Min(v, int.MaxValue));
            case "relative IO weight in thread pool":
                return DiskSpdParameterParser.TrySetNumber(pattern, value, (p, v) => p.Weight = (int)Math.Min(v, int.MaxValue));
            case "threads per file":
                HasThreadCounts = true;
                return DiskSpdParameterParser.TrySetNumber(pattern, value, (p, v) => p.ThreadCount = (int)Math.Min(v, int.MaxValue));
            default:
                return false;
        }
    }

    private bool TryParseWord(ReadOnlySpan<char> name, ReadOnlySpan<char> value, IoPattern pattern)
    {
        switch (name)
        {
            case "write buffer source":
                return TrySetWriteSource(value);
            case "IO priority":
                pattern.Priority = value switch
                {
                    "very low" => IoPriority.VeryLow,
                    "low" => IoPriority.Low,
                    _ => IoPriority.Normal,
                };
                return true;
            case "IO Distribution":
                _inDistribution = true;
                return true;
            case "block device":
                run.Device ??= value.ToString();
                return true;
            case "device scheduler":
                run.Host["device scheduler"] = value.ToString();
                return true;
            default:
                return false;
        }
    }

    private bool TryParseOperation(ReadOnlySpan<char> line)
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
        // 2.0.11 to 2.0.15 print (write/read ratio: 30/100), later versions (read/write ratio: 70/30).
        var ratio = line[(line.IndexOf(':') + 1)..].TrimStart();
        var slash = ratio.IndexOf('/');
        var write = line.Contains("write/read", StringComparison.Ordinal)
            ? ToolNumberParser.ParseLeadingInt32(ratio)
            : ToolNumberParser.ParseLeadingInt32(ratio[(slash + 1)..]);
        if (write is not (>= 0 and <= 100))
            return false;
        _pattern!.WritePercent = write.Value;
        return true;
    }

    private bool TryParseOrder(ReadOnlySpan<char> line)
    {
        var pattern = _pattern!;
        if (line.StartsWith("using random I/O ("))
        {
            pattern.AccessPattern = IoAccessPattern.Random;
        }
        else if (line.StartsWith("using mixed random/sequential I/O ("))
        {
            pattern.AccessPattern = IoAccessPattern.PartRandom;
            pattern.RandomPercent = ToolNumberParser.ParseLeadingInt32(line[35..]) is int percent ? Math.Clamp(percent, 1, 99) : 50;
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
        return TrySetSize(pattern, line[(line.LastIndexOf(':') + 1)..].TrimEnd(')'), DiskSpdDefaults.SetAlignment);
    }

    private bool TryParseCaches(ReadOnlySpan<char> line)
    {
        switch (line)
        {
            case "software cache disabled" or "using O_DIRECT":
                _unbuffered = true;
                break;
            case "software and hardware cache disabled" or "software and hardware write cache disabled":
                _unbuffered = true;
                _writeThrough = true;
                break;
            case "hardware and software write caches disabled, writethrough on"
            or "hardware write cache disabled, writethrough on"
            or "using O_SYNC":
                _writeThrough = true;
                break;
            case "using software cache"
            or "using software and hardware cache"
            or "using software and hardware write cache"
            or "using hardware write cache, writethrough off":
                break;
            case "local software cache disabled, remote cache enabled" or "local software cache disabled, remote caches enabled":
                WarnNotSupported(DiskSpdSupport.RemoteCacheOnly);
                break;
            default:
                if (!line.StartsWith("memory mapped I/O enabled"))
                    return false;
                WarnNotSupported(DiskSpdSupport.MemoryMapped);
                break;
        }
        _pattern!.Buffering = DiskSpdDefaults.GetBuffering(_unbuffered, _writeThrough);
        return true;
    }

    private bool TryParseHint(ReadOnlySpan<char> line)
    {
        var pattern = _pattern!;
        switch (line)
        {
            case "using FILE_FLAG_SEQUENTIAL_SCAN hint":
                pattern.SequentialScanHint = true;
                return true;
            case "using FILE_FLAG_RANDOM_ACCESS hint":
                pattern.RandomAccessHint = true;
                return true;
            case "using FILE_ATTRIBUTE_TEMPORARY hint":
                pattern.TemporaryHint = true;
                return true;
            case "using parallel async I/O":
                pattern.ParallelSameOffset = true;
                return true;
            case "using I/O Completion Ports":
                return true;
            case "using completion routines (ReadFileEx/WriteFileEx)":
                _specification!.GetOrAddOrigin().DiskSpd!.CompletionRoutines = true;
                return true;
            case "zeroing write buffers" or "zeroing I/O buffers":
                pattern.WriteContent = IoWriteContentKind.Zero;
                return true;
            case "filling I/O buffers with random data":
                pattern.WriteContent = IoWriteContentKind.Random;
                return true;
            case "separating read and write buffers":
                return true;
            case "using BypassIO (allow partial)":
                return TrySetBypass(DiskSpdBypass.Partial);
            case "using BypassIO (full bypass)":
                return TrySetBypass(DiskSpdBypass.Full);
            default:
                return false;
        }
    }

    private bool TryParseRate(ReadOnlySpan<char> line)
    {
        if (!line.StartsWith("throughput rate-limited to ") || ToolNumberParser.ParseLeadingInteger(line[27..]) is not long rate)
            return false;
        if (line.EndsWith("IOPS"))
            _pattern!.MaxIopsPerThread = rate;
        else
            _pattern!.MaxBytesPerSecondPerThread = rate * 1000.0;
        return true;
    }

    private bool TrySetBypass(DiskSpdBypass bypass)
    {
        // If the targets of a profile differ, the strictest requirement applies.
        var options = _specification!.GetOrAddOrigin().DiskSpd!.Version23 ??= new DiskSpd23Options();
        options.BypassIO = (DiskSpdBypass)Math.Max((int)options.BypassIO, (int)bypass);
        return true;
    }

    private bool TrySetWriteSource(ReadOnlySpan<char> value)
    {
        if (value is "random fill")
            return true;
        _pattern!.WriteContent = IoWriteContentKind.File;
        _pattern.WriteContentFile = value.Trim('\'').ToString();
        return true;
    }

    /// <summary>Examples: <c>90% of IO =&gt; [ 0% - 10%) of target</c>, <c>5% of IO =&gt; [ 30MiB - end)</c>.</summary>
    internal bool TryParseRange(ReadOnlySpan<char> line)
    {
        if (!_inDistribution)
            return false;
        _inDistribution = TryParseShare(line);
        return _inDistribution;
    }

    private bool TryParseShare(ReadOnlySpan<char> line)
    {
        var arrow = line.IndexOf("% of IO => [");
        if (arrow < 0 || _pattern!.Distribution.Count >= MaxTargets || ToolNumberParser.ParseReal(line[..arrow]) is not double percent)
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
            if (
                ToolNumberParser.ParseLeadingInteger(from) is not long begin
                || ToolNumberParser.ParseLeadingInteger(to) is not long end
                || end < begin
            )
                return false;
            pattern.Distribution.Add(new IoDistributionRange(share, end - begin));
            return true;
        }
        pattern.DistributionIsAbsolute = true;
        if (!DiskSpdValueFormat.TryParseSize(from, out var first, out var exactFrom))
            return false;
        long last = first;
        var exactTo = true;
        if (to is not "end" && (!DiskSpdValueFormat.TryParseSize(to, out last, out exactTo) || last < first))
            return false;
        HasRoundedSizes |= !exactFrom || !exactTo;
        pattern.Distribution.Add(new IoDistributionRange(share, last - first));
        return true;
    }

    private bool TrySetSize<T>(T owner, ReadOnlySpan<char> text, Action<T, long> set)
    {
        if (!DiskSpdValueFormat.TryParseSize(text, out var bytes, out var exact))
            return false;
        // DiskSpd 2.3 omits trailing zeros: it prints 2097151 as 2MiB.
        HasRoundedSizes |= !exact || (SizesMayBeRounded && bytes >= 1024);
        set(owner, bytes);
        return true;
    }
}
