using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>2.0.11 states both caches in one line, 2.0.15 the stride in the line of the pattern, 2.1 sizes with units.</summary>
internal sealed class DiskSpdParameterParser(DiskSpdRun run, VersionDetector version)
{
    private const int MaxTargets = 1024;

    private delegate void LineSetter(DiskSpdParameterParser parser, ReadOnlySpan<char> value);

    /// <summary>Starts of lines, the versions that print them, and what to do with the rest of the line.</summary>
    private static readonly (string Start, string? AtLeast, string? AtMost, LineSetter Set)[][] s_testLines = GroupByLetter([
        ("timespan:", null, null, (p, _) => p.BeginTimespan()),
        ("job:", null, null, (p, _) => p.BeginTimespan()),
        ("duration:", null, null, (p, v) => p.SetNumber(v, n => p.Test.Duration = TimeSpan.FromSeconds(n))),
        ("warm up time:", null, null, (p, v) => p.SetNumber(v, n => p.Test.WarmUp = TimeSpan.FromSeconds(n))),
        ("cool down time:", null, null, (p, v) => p.SetNumber(v, n => p.Test.CoolDown = TimeSpan.FromSeconds(n))),
        ("random seed:", null, null, (p, v) => p.SetNumber(v, n => p.Test.Seed = (ulong)n)),
        ("using random_device for seed", null, null, (_, _) => { }),
        // diskspd-for-linux prints this line for a pool of threads (-F). Without a pool, it prints the threads per file instead.
        ("total threads:", null, null, (p, v) => p.SetInt32(v, n => p.Test.ThreadCount = n)),
        ("thread pool with ", null, null, (p, v) => p.SetPool(v)),
        ("number of outstanding I/O operations per thread:", null, null, (p, v) => p.SetInt32(v, p.SetOutstanding)),
        ("advanced affinity round robin (group/core):", "2.0.16", "2.2", (p, v) => p.SetProcessors(v, null)),
        ("advanced affinity:", null, "2.0.15", (p, v) => p.SetProcessors(v, null)),
        ("affinity assignment:", "2.3", null, (p, v) => p.Accept(DiskSpdProcessorLists.TryReadOrder(v, p.Version23))),
        ("affinity (cpu):", "2.3", null, (p, v) => p.SetProcessors(v, p.Version23)),
        ("affinity (group/cpu):", "2.3", null, (p, v) => p.SetProcessors(v, p.Version23)),
        ("affinity disabled", null, null, (p, _) => p.Test.AffinityMode = IoAffinityMode.Off),
        ("using IoRing (batch size:", "2.3", null, (p, v) => p.SetIoRing(v)),
        ("buffer separation:", "2.3", null, (p, v) => p.SetBufferSeparation(v)),
        ("completion depth:", null, null, (p, v) => p.SetInt32(v, n => p.Version23.CompletionDepth = n)),
        ("path:", null, null, (p, v) => p.BeginTarget(v)),
        ("measuring latency", null, null, (p, _) => p.Output.MeasureLatency = true),
        // This line precedes the first timespan and applies to all of them.
        ("using verbose mode", null, null, (p, _) => p._verbose = true),
        ("generating random data for each write IO", "2.0.19", null, (p, _) => p._randomWrites = true),
        ("WARNING: this increases the CPU cost", null, null, (_, _) => { }),
        ("be compared to other results using the -Zr", null, null, (_, _) => { }),
        ("gathering IOPS at intervals of ", "2.0.16", null, (p, v) => p.SetInterval(v)),
        ("Gathering IOPS at intervals of ", null, null, (p, v) => p.SetInterval(v)),
        ("calculating IOPS stddev with bucket duration = ", null, "2.0.15", (p, v) => p.SetInterval(v)),
    ]);

    private static readonly (string Start, string? AtLeast, string? AtMost, LineSetter Set)[][] s_targetLines = GroupByLetter([
        ("block size:", null, null, (p, v) => p.SetBlockSize(v)),
        ("stride size:", null, "2.0.14", (p, v) => p.SetSize(v, p.SetStride)),
        ("thread stride size:", null, null, (p, v) => p.SetSize(v, p.SetThreadStride)),
        ("base file offset:", null, null, (p, v) => p.SetSize(v, n => p._targets[^1].Target.BaseOffset = n)),
        ("max file size:", null, null, (p, v) => p.SetSize(v, n => p._targets[^1].Target.MaxOffset = n)),
        ("size:", null, null, (p, v) => p.SetSize(v, n => p._targets[^1].Target.FileSize = n)),
        ("write buffer size:", null, null, (p, v) => p.SetSize(v, p.SetWriteContentSize)),
        ("write buffer source:", null, null, (p, v) => p.SetWriteSource(v)),
        ("think time:", null, null, (p, v) => p.SetInt32(v, n => p.Pattern.ThinkTimeMs = n)),
        ("burst size:", null, null, (p, v) => p.SetInt32(v, n => p.Pattern.BurstSize = n)),
        ("number of outstanding I/O operations:", null, null, (p, v) => p.SetInt32(v, n => p.Pattern.OutstandingIO = n)),
        ("relative IO weight in thread pool:", null, null, (p, v) => p.SetInt32(v, n => p.Pattern.Weight = n)),
        ("threads per file:", null, null, (p, v) => p.SetThreads(v)),
        ("IO priority:", null, null, (p, v) => p.SetPriority(v)),
        ("IO Distribution:", null, null, (p, _) => p._inDistribution = true),
        ("block device:", null, null, (p, v) => p._run.Device ??= v.ToString()),
        ("device scheduler:", null, null, (p, v) => p._run.Host["device scheduler"] = v.ToString()),
        ("performing read test", null, null, (_, _) => { }),
        ("performing write test", null, null, (p, _) => p.Pattern.WritePercent = 100),
        ("performing mix test (", null, null, (p, v) => p.SetMix(v)),
        ("using random I/O (", null, null, (p, v) => p.SetOrder(IoAccessPattern.Random, v)),
        ("using mixed random/sequential I/O (", null, null, (p, v) => p.SetOrder(IoAccessPattern.PartRandom, v)),
        ("using interlocked sequential I/O (", "2.0.15", null, (p, v) => p.SetOrder(IoAccessPattern.Interlocked, v)),
        ("using sequential I/O (", "2.0.15", null, (p, v) => p.SetOrder(IoAccessPattern.Sequential, v)),
        ("software cache disabled", null, null, (p, _) => p.DisableCaches(unbuffered: true)),
        ("using O_DIRECT", null, null, (p, _) => p.DisableCaches(unbuffered: true)),
        ("software and hardware cache disabled", null, "2.0.12", (p, _) => p.DisableCaches(unbuffered: true, writeThrough: true)),
        ("software and hardware write cache disabled", "2.0.14", "2.0.16", (p, _) => p.DisableCaches(unbuffered: true, writeThrough: true)),
        ("hardware and software write caches disabled, writethrough on", "2.0.17", null, (p, _) => p.DisableCaches(writeThrough: true)),
        ("hardware write cache disabled, writethrough on", "2.0.17", null, (p, _) => p.DisableCaches(writeThrough: true)),
        ("using O_SYNC", null, null, (p, _) => p.DisableCaches(writeThrough: true)),
        ("using software cache", "2.0.17", null, (p, _) => p.DisableCaches()),
        ("using software and hardware cache", null, "2.0.12", (p, _) => p.DisableCaches()),
        ("using software and hardware write cache", "2.0.14", "2.0.16", (p, _) => p.DisableCaches()),
        ("using hardware write cache, writethrough off", "2.0.17", null, (p, _) => p.DisableCaches()),
        (
            "local software cache disabled, remote cache enabled",
            "2.0.17",
            null,
            (p, _) => p.WarnNotSupported(DiskSpdSupport.RemoteCacheOnly)
        ),
        (
            "local software cache disabled, remote caches enabled",
            "2.0.16",
            "2.0.16",
            (p, _) => p.WarnNotSupported(DiskSpdSupport.RemoteCacheOnly)
        ),
        ("memory mapped I/O enabled", null, null, (p, _) => p.WarnNotSupported(DiskSpdSupport.MemoryMapped)),
        ("using FILE_FLAG_SEQUENTIAL_SCAN hint", null, null, (p, _) => p.Pattern.SequentialScanHint = true),
        ("using FILE_FLAG_RANDOM_ACCESS hint", null, null, (p, _) => p.Pattern.RandomAccessHint = true),
        ("using FILE_ATTRIBUTE_TEMPORARY hint", null, null, (p, _) => p.Pattern.TemporaryHint = true),
        ("using parallel async I/O", null, null, (p, _) => p.Pattern.ParallelSameOffset = true),
        ("using I/O Completion Ports", null, null, (_, _) => { }),
        ("using completion routines (ReadFileEx/WriteFileEx)", null, null, (p, _) => p.Output.CompletionRoutines = true),
        ("zeroing write buffers", null, null, (p, _) => p.Pattern.WriteContent = IoWriteContentKind.Zero),
        ("zeroing I/O buffers", null, null, (p, _) => p.Pattern.WriteContent = IoWriteContentKind.Zero),
        ("filling I/O buffers with random data", null, null, (p, _) => p.Pattern.WriteContent = IoWriteContentKind.Random),
        ("separating read and write buffers", null, null, (_, _) => { }),
        ("using BypassIO (allow partial)", "2.3", null, (p, _) => p.SetBypass(DiskSpdBypass.Partial)),
        ("using BypassIO (full bypass)", "2.3", null, (p, _) => p.SetBypass(DiskSpdBypass.Full)),
        ("throughput rate-limited to ", null, null, (p, v) => p.SetRate(v)),
    ]);

    private readonly DiskSpdRun _run = run;
    private List<(IoTargetSpecification Target, IoPattern Pattern)> _targets = [];
    private IoTestSpecification? _test;
    private bool _isUnderstood;
    private bool _randomWrites;
    private bool _verbose;
    private bool _unbuffered;
    private bool _writeThrough;
    private bool _inDistribution;
    private bool _sizesMayBeRounded;
    private bool _hasRoundedSizes;
    private bool _hasThreadCounts;

    private IoTestSpecification Test => _test ??= DiskSpdDefaults.CreateSpecification();

    private DiskSpdOptions Output => Test.GetOrAddOrigin().DiskSpd!;

    private DiskSpd23Options Version23 => Output.Version23 ??= new DiskSpd23Options();

    private IoPattern Pattern => _targets[^1].Pattern;

    internal bool TryParseLine(ReadOnlySpan<char> line)
    {
        _inDistribution = _inDistribution && TryParseShare(line);
        return _inDistribution || TryApply(s_testLines, line) || (_targets.Count > 0 && TryApply(s_targetLines, line));
    }

    private static (string, string?, string?, LineSetter)[][] GroupByLetter((string Start, string?, string?, LineSetter)[] lines)
    {
        var byLetter = lines.ToLookup(line => line.Start[0]);
        return [.. Enumerable.Range(0, 128).Select(letter => byLetter[(char)letter].ToArray())];
    }

    private bool TryApply((string Start, string? AtLeast, string? AtMost, LineSetter Set)[][] known, ReadOnlySpan<char> line)
    {
        if (line[0] >= known.Length)
            return false;
        foreach (var (start, atLeast, atMost, set) in known[line[0]])
        {
            if (!line.StartsWith(start))
                continue;
            _isUnderstood = true;
            set(this, line[start.Length..].Trim());
            if (_isUnderstood && atLeast is not null)
                version.AtLeast(atLeast);
            if (_isUnderstood && atMost is not null)
                version.AtMost(atMost);
            return _isUnderstood;
        }
        return false;
    }

    internal void EndBlock()
    {
        EndTimespan();
        version.EndParameters();
        _run.HasThreadCounts = _hasThreadCounts;
        _run.HasRoundedSizes = _hasRoundedSizes;
    }

    private void BeginTimespan()
    {
        EndTimespan();
        _test = DiskSpdDefaults.CreateSpecification();
    }

    private void EndTimespan()
    {
        var targets = _targets;
        foreach (var (_, pattern) in targets)
        {
            if (_randomWrites && pattern.WriteContent == IoWriteContentKind.Pattern)
                pattern.WriteContent = IoWriteContentKind.Random;
            if (pattern.AccessPattern == IoAccessPattern.Random)
                pattern.Stride = null;
        }
        _targets = [];
        _inDistribution = false;
        _randomWrites = false;
        if (_test is null)
            return;
        Output.Verbose = _verbose;
        Output.ExperimentFlags = _run.ExperimentFlags;
        var threads = _test.ThreadCount;
        DiskSpdDefaults.SetTargets(_test, targets);
        if (_test.SharedThreadPool || !_hasThreadCounts)
            _test.ThreadCount = threads;
        if (_run.Specifications.Count < DiskSpdRun.MaxTimeSpans)
            _run.Specifications.Add(_test);
        _test = null;
    }

    private void BeginTarget(ReadOnlySpan<char> value)
    {
        Accept(_targets.Count < MaxTargets);
        if (!_isUnderstood)
            return;
        const string template = "template target ";
        var isTemplate = value.StartsWith(template);
        var path = (isTemplate ? value[template.Length..] : value).Trim().Trim('\'').ToString();
        var pattern = DiskSpdDefaults.CreatePattern();
        pattern.AffinityMode = Test.AffinityMode;
        if (Test.Processors.Count > 0)
            pattern.Processors = [.. Test.Processors];
        if (Test.SharedThreadPool)
            pattern.ThreadCount = Test.ThreadCount;
        _unbuffered = false;
        _writeThrough = false;
        _targets.Add((new IoTargetSpecification(isTemplate ? "*" + path : path), pattern));
    }

    /// <summary>A line whose value is not accepted is a line that is not understood.</summary>
    private void Accept(bool isValid) => _isUnderstood = isValid;

    private void SetNumber(ReadOnlySpan<char> text, Action<long> set)
    {
        // DiskSpd does not print a larger number, and a duration could not hold it.
        if (ToolNumberParser.ParseLeadingInteger(text) is long value and <= uint.MaxValue)
            set(value);
        else
            Accept(false);
    }

    private void SetInt32(ReadOnlySpan<char> text, Action<int> set) => SetNumber(text, n => set((int)Math.Min(n, int.MaxValue)));

    private void SetSize(ReadOnlySpan<char> text, Action<long> set)
    {
        Accept(DiskSpdValueFormat.TryParseSize(text, out var bytes, out var exact));
        if (!_isUnderstood)
            return;
        // DiskSpd 2.3 omits trailing zeros: it prints 2097151 as 2MiB.
        _hasRoundedSizes |= !exact || (_sizesMayBeRounded && bytes >= 1024);
        set(bytes);
    }

    private void SetInterval(ReadOnlySpan<char> value)
    {
        Output.GatherIops = true;
        SetNumber(value, n => Test.TimelineInterval = TimeSpan.FromMilliseconds(n));
    }

    private void SetPool(ReadOnlySpan<char> value)
    {
        Test.SharedThreadPool = true;
        _hasThreadCounts = true;
        var threads = ToolNumberParser.ParseLeadingInt32(value);
        Accept(threads is not null);
        Test.ThreadCount = threads ?? Test.ThreadCount;
    }

    /// <summary>Before the first target, the number is that of a pool. 0 means that each target states its own value.</summary>
    private void SetOutstanding(int count)
    {
        if (_targets.Count > 0)
            Pattern.OutstandingIO = count;
        else
            Test.PoolOutstandingIO = count > 0 ? count : null;
    }

    private void SetProcessors(ReadOnlySpan<char> value, DiskSpd23Options? version23) =>
        Accept(DiskSpdProcessorLists.TryReadList(value, Test.Processors, version23));

    private void SetIoRing(ReadOnlySpan<char> value)
    {
        var batch = ToolNumberParser.ParseLeadingInt32(value);
        Accept(batch is not null);
        if (batch is null)
            return;
        Version23.IoRingBatch = batch;
        Version23.IoRingBatchIsPercent = value.IndexOf('%') > 0;
        Version23.RegistersBuffers = !value.EndsWith("without registered buffers");
    }

    /// <summary>Examples: <c>thread optimized (16MiB)</c>, <c>system default</c>.</summary>
    private void SetBufferSeparation(ReadOnlySpan<char> value)
    {
        Version23.SeparatesBuffers = !value.StartsWith("system default");
        Version23.BufferBoundary = Version23.SeparatesBuffers ? null : 0;
        var open = value.IndexOf('(');
        if (
            Version23.SeparatesBuffers
            && open > 0
            && DiskSpdValueFormat.TryParseSize(value[(open + 1)..].TrimEnd(')'), out var bytes, out _)
        )
            Version23.BufferBoundary = bytes;
        _sizesMayBeRounded = true;
    }

    /// <summary>DiskSpd 2.1 and later print units. A block below 1 KiB has no unit in any version, but does not occur in
    /// practice.</summary>
    private void SetBlockSize(ReadOnlySpan<char> value)
    {
        SetSize(value, n => Pattern.BlockSize = n);
        if (_isUnderstood && value.EndsWith("B"))
            version.AtLeast("2.1");
        else if (_isUnderstood)
            version.AtMost("2.0.21");
    }

    /// <summary>DiskSpd through 2.0.14 also prints the stride for random I/O, but it has no meaning there.</summary>
    private void SetStride(long bytes) =>
        Pattern.Stride = Pattern.AccessPattern == IoAccessPattern.Random || bytes == Pattern.BlockSize ? null : bytes;

    private void SetThreadStride(long bytes) => Pattern.ThreadStride = Pattern.AccessPattern == IoAccessPattern.Sequential ? bytes : null;

    private void SetWriteContentSize(long bytes)
    {
        Pattern.WriteContentSize = bytes;
        Pattern.WriteContent = IoWriteContentKind.Random;
    }

    private void SetWriteSource(ReadOnlySpan<char> value)
    {
        if (value is "random fill")
            return;
        Pattern.WriteContent = IoWriteContentKind.File;
        Pattern.WriteContentFile = value.Trim('\'').ToString();
    }

    private void SetThreads(ReadOnlySpan<char> value)
    {
        _hasThreadCounts = true;
        SetInt32(value, n => Pattern.ThreadCount = n);
    }

    private void SetPriority(ReadOnlySpan<char> value) =>
        Pattern.Priority = value switch
        {
            "very low" => IoPriority.VeryLow,
            "low" => IoPriority.Low,
            _ => IoPriority.Normal,
        };

    /// <summary>2.0.11 to 2.0.15 print <c>write/read ratio: 30/100)</c>, later versions <c>read/write ratio: 70/30)</c>.</summary>
    private void SetMix(ReadOnlySpan<char> value)
    {
        var isWriteFirst = value.Contains("write/read", StringComparison.Ordinal);
        var ratio = value[(value.IndexOf(':') + 1)..].TrimStart();
        var write = ToolNumberParser.ParseLeadingInt32(isWriteFirst ? ratio : ratio[(ratio.IndexOf('/') + 1)..]);
        Accept(write is >= 0 and <= 100);
        if (!_isUnderstood)
            return;
        Pattern.WritePercent = write!.Value;
        if (isWriteFirst)
            version.AtMost("2.0.15");
        else
            version.AtLeast("2.0.16");
    }

    private void SetOrder(IoAccessPattern order, ReadOnlySpan<char> value)
    {
        Pattern.AccessPattern = order;
        if (order == IoAccessPattern.PartRandom)
            Pattern.RandomPercent = ToolNumberParser.ParseLeadingInt32(value) is int percent ? Math.Clamp(percent, 1, 99) : 50;
        if (order != IoAccessPattern.Sequential)
            Pattern.ThreadStride = null;
        SetSize(value[(value.LastIndexOf(':') + 1)..].TrimEnd(')'), n => DiskSpdDefaults.SetAlignment(Pattern, n));
    }

    private void DisableCaches(bool unbuffered = false, bool writeThrough = false)
    {
        _unbuffered |= unbuffered;
        _writeThrough |= writeThrough;
        Pattern.Buffering = DiskSpdDefaults.GetBuffering(_unbuffered, _writeThrough);
    }

    private void WarnNotSupported(string notOffered)
    {
        var words = DiskSpdSupport.DescribeForResult(notOffered);
        _run.AddWarning($"{char.ToUpperInvariant(words[0])}{words[1..]}.");
        DisableCaches();
    }

    /// <summary>If the targets of a profile differ, the strictest requirement applies.</summary>
    private void SetBypass(DiskSpdBypass bypass) => Version23.BypassIO = (DiskSpdBypass)Math.Max((int)Version23.BypassIO, (int)bypass);

    private void SetRate(ReadOnlySpan<char> value)
    {
        var rate = ToolNumberParser.ParseLeadingInteger(value);
        Accept(rate is not null);
        if (value.EndsWith("IOPS"))
            Pattern.MaxIopsPerThread = rate ?? Pattern.MaxIopsPerThread;
        else
            Pattern.MaxBytesPerSecondPerThread = rate * 1000.0 ?? Pattern.MaxBytesPerSecondPerThread;
    }

    /// <summary>Examples: <c>90% of IO =&gt; [ 0% - 10%) of target</c>, <c>5% of IO =&gt; [ 30MiB - end)</c>.</summary>
    private bool TryParseShare(ReadOnlySpan<char> line)
    {
        const string marker = "% of IO => [";
        var arrow = line.IndexOf(marker);
        if (arrow < 0 || Pattern.Distribution.Count >= MaxTargets || ToolNumberParser.ParseReal(line[..arrow]) is not double percent)
            return false;
        var range = line[(arrow + marker.Length)..];
        var dash = range.IndexOf(" - ");
        var close = range.IndexOf(')');
        if (dash < 0 || close < dash)
            return false;
        var from = range[..dash].Trim();
        var to = range[(dash + 3)..close].Trim();
        var isAbsolute = !to.EndsWith("%");
        if (!TryParseBound(from, isAbsolute, out var first))
            return false;
        var last = first;
        if (to is not "end" && !TryParseBound(to, isAbsolute, out last) || last < first)
            return false;
        Pattern.DistributionIsAbsolute |= isAbsolute;
        Pattern.Distribution.Add(new IoDistributionRange((int)Math.Clamp(percent, 0, 100), last - first));
        return true;
    }

    private bool TryParseBound(ReadOnlySpan<char> text, bool isSize, out long value)
    {
        if (!isSize)
        {
            value = ToolNumberParser.ParseLeadingInteger(text) ?? -1;
            return value >= 0;
        }
        if (!DiskSpdValueFormat.TryParseSize(text, out value, out var exact))
            return false;
        _hasRoundedSizes |= !exact;
        return true;
    }
}
