using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>2.0.11 states both caches in one line, 2.0.15 the stride in the line of the pattern, 2.1 sizes with units.</summary>
internal sealed class DiskSpdParameterParser(DiskSpdRun run)
{
    private readonly DiskSpdTargetParser _targets = new(run);
    private IoTestSpecification? _specification;
    private bool _randomWrites;
    private bool _verbose;

    /// <summary>Whether a printed size is rounded, so that the command line is more exact.</summary>
    internal bool HasRoundedSizes => _targets.HasRoundedSizes;

    /// <summary>Whether the block states the threads per file or of a pool. Versions before 2.0.19 state neither for <c>-F</c>.</summary>
    internal bool HasThreadCounts { get; private set; }

    internal bool TryParseLine(ReadOnlySpan<char> line)
    {
        if (_targets.TryParseRange(line))
            return true;
        var colon = line.IndexOf(':');
        var value = colon < 0 ? default : line[(colon + 1)..].Trim();
        if (colon > 0 && (TryParseTimespan(line[..colon], value) || TryParseVersion23(line[..colon], value)))
            return true;
        if (line.StartsWith("path:"))
            return _targets.TryBeginTarget(value, Specification);
        return TryParseTimespanFlag(line) || _targets.TryParseLine(line, colon, value);
    }

    internal void EndBlock() => EndTimespan();

    private bool TryParseTimespan(ReadOnlySpan<char> name, ReadOnlySpan<char> value)
    {
        switch (name)
        {
            case "timespan" or "job":
                EndTimespan();
                _specification = DiskSpdDefaults.CreateSpecification();
                return true;
            case "duration":
                return DiskSpdParameterParser.TrySetNumber(Specification, value, (s, v) => s.Duration = TimeSpan.FromSeconds(v));
            case "warm up time":
                return DiskSpdParameterParser.TrySetNumber(Specification, value, (s, v) => s.WarmUp = TimeSpan.FromSeconds(v));
            case "cool down time":
                return DiskSpdParameterParser.TrySetNumber(Specification, value, (s, v) => s.CoolDown = TimeSpan.FromSeconds(v));
            case "random seed":
                return DiskSpdParameterParser.TrySetNumber(Specification, value, (s, v) => s.Seed = (ulong)v);
            // diskspd-for-linux states the threads per file only if there is no pool.
            case "total threads":
                return DiskSpdParameterParser.TrySetNumber(Specification, value, (s, v) => s.ThreadCount = (int)Math.Min(v, int.MaxValue));
            case "number of outstanding I/O operations per thread" when !_targets.HasBegun:
                // Only for a pool. 0 means that each target states its own value.
                return DiskSpdParameterParser.TrySetNumber(
                    Specification,
                    value,
                    (s, v) => s.PoolOutstandingIO = v > 0 ? (int)Math.Min(v, int.MaxValue) : null
                );
            case "advanced affinity round robin (group/core)" or "advanced affinity":
                return DiskSpdProcessorLists.TryReadList(value, Specification.Processors);
            default:
                return false;
        }
    }

    private bool TryParseVersion23(ReadOnlySpan<char> name, ReadOnlySpan<char> value)
    {
        switch (name)
        {
            case "using IoRing (batch size":
                return TryParseIoRing(value);
            case "affinity assignment":
                return DiskSpdProcessorLists.TryReadOrder(value, Version23);
            case "affinity (cpu)" or "affinity (group/cpu)":
                return DiskSpdProcessorLists.TryReadList(value, Specification.Processors, Version23);
            case "buffer separation":
                // "thread optimized (16MiB)" or "system default"
                Version23.SeparatesBuffers = !value.StartsWith("system default");
                Version23.BufferBoundary = Version23.SeparatesBuffers ? ParseBoundary(value) : 0;
                _targets.SizesMayBeRounded = true;
                return true;
            case "completion depth":
                return DiskSpdParameterParser.TrySetNumber(Version23, value, (o, v) => o.CompletionDepth = (int)Math.Min(v, int.MaxValue));
            default:
                return false;
        }
    }

    private static long? ParseBoundary(ReadOnlySpan<char> value)
    {
        var open = value.IndexOf('(');
        return open > 0 && DiskSpdValueFormat.TryParseSize(value[(open + 1)..].TrimEnd(')'), out var bytes, out _) ? bytes : null;
    }

    private bool TryParseIoRing(ReadOnlySpan<char> value)
    {
        if (ToolNumberParser.ParseLeadingInt32(value) is not int batch)
            return false;
        Version23.IoRingBatch = batch;
        Version23.IoRingBatchIsPercent = value.IndexOf('%') > 0;
        Version23.RegistersBuffers = !value.EndsWith("without registered buffers");
        return true;
    }

    private bool TryParseTimespanFlag(ReadOnlySpan<char> line)
    {
        switch (line)
        {
            case "affinity disabled":
                Specification.AffinityMode = IoAffinityMode.Off;
                return true;
            case "measuring latency":
                Specification.GetOrAddOrigin().DiskSpd!.MeasureLatency = true;
                return true;
            case "using verbose mode":
                // Precedes the first timespan and applies to all of them.
                _verbose = true;
                return true;
            case "generating random data for each write IO":
                _randomWrites = true;
                return true;
            case "using random_device for seed":
                return true;
        }
        if (line.StartsWith("gathering IOPS at intervals of ", StringComparison.OrdinalIgnoreCase))
            return TryParseInterval(line[31..]);
        if (line.StartsWith("calculating IOPS stddev with bucket duration = "))
            return TryParseInterval(line[47..]);
        if (line.StartsWith("thread pool with "))
        {
            Specification.SharedThreadPool = true;
            HasThreadCounts = true;
            if (ToolNumberParser.ParseLeadingInt32(line[17..]) is not int threads)
                return false;
            Specification.ThreadCount = threads;
            return true;
        }
        return line.StartsWith("WARNING: this increases the CPU cost") || line.StartsWith("be compared to other results using the -Zr");
    }

    private bool TryParseInterval(ReadOnlySpan<char> text)
    {
        Specification.GetOrAddOrigin().DiskSpd!.GatherIops = true;
        return DiskSpdParameterParser.TrySetNumber(Specification, text, (s, v) => s.TimelineInterval = TimeSpan.FromMilliseconds(v));
    }

    private IoTestSpecification Specification => _specification ??= DiskSpdDefaults.CreateSpecification();

    private DiskSpd23Options Version23 => Specification.GetOrAddOrigin().DiskSpd!.Version23 ??= new DiskSpd23Options();

    private void EndTimespan()
    {
        HasThreadCounts |= _targets.HasThreadCounts;
        var targets = _targets.EndTargets(_randomWrites);
        _randomWrites = false;
        if (_specification is null)
            return;
        var print = _specification.GetOrAddOrigin().DiskSpd!;
        print.Verbose = _verbose;
        print.ExperimentFlags = run.ExperimentFlags;
        var threads = _specification.ThreadCount;
        DiskSpdDefaults.SetTargets(_specification, targets);
        if (_specification.SharedThreadPool || !HasThreadCounts)
            _specification.ThreadCount = threads;
        if (run.Specifications.Count < DiskSpdRun.MaxTimeSpans)
            run.Specifications.Add(_specification);
        _specification = null;
    }

    internal static bool TrySetNumber<T>(T target, ReadOnlySpan<char> text, Action<T, long> set)
    {
        // DiskSpd does not print a larger number here, and a duration could not hold it.
        if (ToolNumberParser.ParseLeadingInteger(text) is not long value || value > uint.MaxValue)
            return false;
        set(target, value);
        return true;
    }
}
