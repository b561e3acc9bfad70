using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Divides an average latency among the layers of the storage. The time in and below a device is the sum of its latencies, as the kernel
/// counts them, divided by the number of IoBench's I/Os. The difference of two neighbors is the time of the upper one.
/// </summary>
internal sealed class LatencyBreakdownBuilder
{
    // Each I/O waits for the I/Os below it, so the device must have transferred the same bytes. The rest is bookkeeping at the borders of
    // the measured time.
    private const double MaxByteDifference = 0.02;
    private const double BorderIOs = 1.5;

    /// <summary>Longest tick of the kernel's timer (100 Hz).</summary>
    private const double TickMs = 10;

    /// <summary>Larger uncertainties say nothing about a layer, as a share of the average.</summary>
    private const double MaxUncertainty = 0.1;

    private readonly LatencyObservation _input;
    private readonly bool _isWrite;
    private readonly double _total;
    private readonly long _count;

    private LatencyBreakdownBuilder(LatencyObservation input)
    {
        _input = input;
        _isWrite = input.Result.Operation == IoOperation.Write;
        _total = input.Result.AverageLatencyMs ?? 0;
        _count = input.Result.IOCount ?? 0;
    }

    /// <exception cref="ArgumentException">The test has no I/O.</exception>
    public static LatencyBreakdown Build(LatencyObservation input)
    {
        var builder = new LatencyBreakdownBuilder(input);
        if (builder is { _count: <= 0 } or { _total: <= 0 })
            throw new ArgumentException("A breakdown requires a test that completed I/Os.", nameof(input));
        return builder.Build();
    }

    /// <param name="Reason">Why the time of a level is not known, as a clause after "because".</param>
    private sealed record Gap(string Reason, string Advice);

    private LatencyBreakdown Build()
    {
        var operation = _isWrite ? IoOperation.Write : IoOperation.Read;
        var layers = new List<LatencyLayer>();
        var bench = Math.Min(_input.OverheadMs, _total);
        Add("IoBench", LatencyLayerKind.IoBench, bench);
        var (boundaries, gapOf) = FindBoundaries(_total - bench);
        var first = boundaries.Count > 0 ? boundaries[0].Ms : 0;
        // Only time that no device needed can be a wait of IoBench itself, unless nothing counts the devices.
        var free = Math.Max(0, _total - bench - first);
        var wait = Math.Min(free, CpuWaitMs);
        if (wait > 0)
            Add("IoBench waited for a CPU", LatencyLayerKind.CpuWait, wait);
        // While no CPU is free, the monitor of pauses does not run either. Do not count this time twice.
        var pause = Math.Min(free - wait, Math.Max(0, PauseMs - CpuWaitMs));
        if (pause > 0)
            Add("The host did not run IoBench", LatencyLayerKind.HostPause, pause);
        var above = _total - bench - wait - pause;
        var start = 0;
        foreach (var (level, ms, uncertainty) in boundaries)
        {
            if (level > start)
                AddStorage(start, level, above - ms, uncertainty);
            (start, above) = (level, ms);
        }
        AddStorage(start, Math.Max(start + 1, _input.Levels.Count), above, boundaries.Count > 0 ? boundaries[^1].Uncertainty : 0);
        return new LatencyVerdict(_input, layers, _total).CreateBreakdown();

        void Add(string name, LatencyLayerKind kind, double ms) => layers.Add(Create(name, kind, ms, 0, null));

        void AddStorage(int from, int end, double ms, double uncertainty)
        {
            var levels = _input.Levels.Skip(from).Take(end - from).ToList();
            var name = DescribeLevels(levels, isLast: end >= _input.Levels.Count);
            if (FindBindingLimit(from, end) is { } limit)
                name = $"limit of the control group ({limit.Setting}) and {name}";
            var gaps = Enumerable.Range(from, end - from).Select(gapOf.GetValueOrDefault).OfType<Gap>().ToList();
            var note =
                gaps.Count == 0
                    ? null
                    : $"IoBench cannot separate these layers, because {string.Join(", and ", gaps.Select(gap => gap.Reason))}.";
            layers.Add(
                Create(name, LatencyLayerKind.Storage, ms, uncertainty, note) with
                {
                    FirstLevel = from,
                    EndLevel = end,
                    NeedsCpu = levels.Exists(level => level.NeedsCpu),
                    Advice = gaps.FirstOrDefault()?.Advice,
                }
            );
        }

        LatencyLayer Create(string name, LatencyLayerKind kind, double ms, double uncertainty, string? note) =>
            new()
            {
                Operation = operation,
                Layer = name,
                Kind = kind,
                Milliseconds = ms,
                Percent = 100 * ms / _total,
                UncertaintyMs = uncertainty,
                Note = note,
            };
    }

    private double CpuWaitMs => (_input.Result.ProcessorWaitPercent ?? 0) / 100 * (_input.Result.DurationSeconds ?? 0) * 1000 / _count;

    private double PauseMs => _input.PauseSeconds * 1000 / _count;

    /// <summary>Devices whose time is known, from the top, and why the time of the other ones is not.</summary>
    private (List<(int Level, double Ms, double Uncertainty)> Known, Dictionary<int, Gap> Gaps) FindBoundaries(double above)
    {
        var known = new List<(int, double, double)>();
        var gaps = new Dictionary<int, Gap>();
        for (var i = 0; i < _input.Levels.Count; i++)
        {
            var level = _input.Levels[i];
            if (level.Kind != StorageLevelKind.Device)
                continue;
            var (ms, uncertainty, gap) = Measure(level, _input.Sample is { } sample && i < sample.Loads.Count ? sample.Loads[i] : null);
            if (gap is null && ms > above + uncertainty + above * MaxByteDifference)
                gap = new($"the I/Os of {level.Name} overlap, so the sum of their times exceeds the latency", OwnTools);
            if (gap is not null)
            {
                gaps[i] = gap;
                continue;
            }
            above = Math.Min(above, ms);
            known.Add((i, above, uncertainty));
        }
        return (known, gaps);
    }

    private const string OwnTools = "Measure these layers with their own tools";

    private (double Ms, double Uncertainty, Gap? Gap) Measure(StorageLevel level, StorageLevelLoad? load)
    {
        if (load is null)
            return (0, 0, new($"the operating system does not count the I/Os of {level.Name}", OwnTools));
        var bytes = _isWrite ? load.WriteBytes : load.ReadBytes;
        var count = _isWrite ? load.WriteCount : load.ReadCount;
        var own = _input.Result.ByteCount ?? 0;
        var difference = own > 0 ? bytes / (double)own - 1 : double.PositiveInfinity;
        var tolerance = MaxByteDifference + BorderIOs / _count;
        if (difference > tolerance)
            return (
                0,
                0,
                new(
                    Invariant($"{level.Name} transferred {1 + difference:0.##} times as many bytes as IoBench"),
                    $"Stop other programs on {level.Name}, and repeat the test{(_isWrite ? ". If the result is the same, the other writes are metadata of the file system" : "")}"
                )
            );
        // Reads from a cache above the device never reach it. Writes that do not reach it, or later, do not show the path of an I/O.
        if (difference < -tolerance && (_isWrite || count > _count))
            return (
                0,
                0,
                new(
                    Invariant($"{level.Name} transferred only {1 + difference:0.##} times as many bytes as IoBench at the same time"),
                    OwnTools
                )
            );
        var ms = (_isWrite ? load.WriteMs : load.ReadMs) / _count;
        var resolution = 1.0 / _count;
        if (level.IsCoarse)
        {
            // A whole number of ticks per I/O: on average right, with this standard error. Two of them are 95%.
            var rest = ms % TickMs;
            resolution += 2 * Math.Sqrt(Math.Max(rest * (TickMs - rest), TickMs * TickMs / _count) / _count);
        }
        var uncertainty = resolution + Math.Abs(Math.Max(difference, 0)) * ms;
        return uncertainty > MaxUncertainty * _total
            ? (
                0,
                0,
                new(
                    $"the counters of {level.Name} are too coarse for {NumberFormat.PluralizeGrouped(_count, "I/O")}",
                    "Repeat the test with a longer duration"
                )
            )
            : (ms, uncertainty, null);
    }

    /// <summary>A limit delays I/Os before the device counts them.</summary>
    private StorageLimit? FindBindingLimit(int from, int end) =>
        _input.Limits.FirstOrDefault(limit =>
            limit.IsWrite == _isWrite
            && limit.Level > from
            && (limit.Level <= end)
            && (limit.IsIops ? _input.Result.IOPS : _input.Result.BandwidthMBps * 1048576) is { } rate
            && rate >= MinLimitShare * limit.Value
            && rate <= MaxLimitShare * limit.Value
        );

    private const double MinLimitShare = 0.95,
        MaxLimitShare = 1.1;

    private static string DescribeLevels(List<StorageLevel> levels, bool isLast)
    {
        if (levels.Count == 0)
            return "storage whose layers the operating system does not report";
        var names = levels.ConvertAll(level => level.ToString());
        if (isLast && (levels[^1].Kind == StorageLevelKind.Device || levels[^1].NeedsCpu))
            names[^1] += " and below";
        return string.Join(", ", names);
    }
}
