using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Divides an average latency among the layers of the storage. The time in and below a device is the sum of its latencies, as the kernel
/// counts them, divided by the number of IoBench's I/Os. The difference of two neighbors is the time of the upper one.
/// Then, names the layer that dominates the latency, if the evidence is sufficient.
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
    private readonly List<LatencyLayer> _layers = [];

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
        return CreateBreakdown();

        void Add(string name, LatencyLayerKind kind, double ms) => _layers.Add(Create(name, kind, ms, 0, null));

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
            _layers.Add(
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

    private const string OwnTools = "To measure these layers, use tools that are made for this purpose";

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
                    $"Stop other programs on {level.Name}, and repeat the test{(_isWrite ? ". If the result does not change, the additional writes are file system metadata" : "")}"
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

    private const double MinShare = 0.5;
    private const long MinIOs = 20;

    /// <summary>Smaller differences between the delays of this computer and the time of the storage name neither, as a share of the
    /// average.</summary>
    private const double MinHostDifference = 0.2;

    /// <summary>CPUs that can take part in one I/O: those of IoBench, of the interrupt, and of a thread of the storage.</summary>
    private const double CpusPerIO = 3;

    /// <summary>A thread of the storage waits about as long for a CPU as IoBench does. A layer that takes longer by this factor is slow
    /// for another reason.</summary>
    private const double MaxWaitFactor = 5;

    /// <summary>CPU time of other programs from which threads of the storage wait for CPUs too.</summary>
    private const double BusyCpuPercent = 90;

    /// <summary>Fewer I/Os of other programs do not change a latency much.</summary>
    private const double MinOtherIops = 20,
        MinOtherShare = 0.1;

    // The rule set flash has the same limit.
    private const double LowLatencyMs = 1;

    private string Kind => _input.Result.Operation == IoOperation.Write ? "write" : "read";

    private string TotalText => $"the average {Kind} latency of {NumberFormat.Milliseconds(_total)}";

    private LatencyBreakdown CreateBreakdown()
    {
        var (named, cause, verdict, advice) = Decide();
        var load = FindOtherLoad(0, _input.Levels.Count);
        if (load is not null && cause is (LatencyCause.Host or LatencyCause.Inconclusive))
            verdict += $" {DescribeLoad(load.Value)}";
        if (_input.Levels.FirstOrDefault(level => level.Name is "tmpfs" or "ramfs") is { } memory)
            (verdict, advice) = (
                $"The file is in memory ({memory.Name}). The results do not measure storage. {verdict}",
                "Specify a folder on the storage of SQL Server"
            );
        return new()
        {
            Operation = _input.Result.Operation == IoOperation.Write ? IoOperation.Write : IoOperation.Read,
            AverageMs = _total,
            P50Ms = _input.Result.P50Ms,
            P99Ms = _input.Result.P99Ms,
            MaxMs = _input.Result.MaxLatencyMs,
            IOCount = _input.Result.IOCount ?? 0,
            Layers = (LatencyLayer[])[.. _layers.Select(layer => layer with { IsNamed = layer == named })],
            Cause = cause,
            NamedLayer = named?.Layer,
            OtherLoadDevice = load?.Level.Name,
            OtherIops = load?.Iops,
            Verdict = verdict,
            Advice = advice,
        };
    }

    private (LatencyLayer? Named, LatencyCause Cause, string Verdict, string Advice) Decide()
    {
        if (_input.Result.IOCount < MinIOs)
            return Inconclusive(
                $"only {NumberFormat.Pluralize(_input.Result.IOCount ?? 0, "I/O")} completed",
                "Repeat the test with a longer duration"
            );
        var host = _layers.Where(layer => layer.Kind is LatencyLayerKind.CpuWait or LatencyLayerKind.HostPause).ToList();
        var hostMs = host.Sum(layer => layer.Milliseconds);
        var storageMs = _layers.Where(layer => layer.Kind == LatencyLayerKind.Storage).Sum(layer => layer.Milliseconds);
        if (host.Count > 0 && Math.Abs(hostMs - storageMs) < MinHostDifference * _total)
            return Inconclusive(
                FormattableString.Invariant(
                    $"this computer delayed IoBench for {100 * hostMs / _total:0.0}% of {TotalText}, about as long as the storage took ({100 * storageMs / _total:0.0}%)"
                ),
                "Stop other programs on this computer, and repeat the test"
            );
        if (hostMs > storageMs && host.Count > 0)
            return BlameHost(host.MaxBy(layer => layer.Milliseconds)!, hostMs);
        var largest = _layers.MaxBy(layer => layer.Milliseconds)!;
        if (largest.Kind == LatencyLayerKind.Storage && FindOtherLoad(largest.FirstLevel, largest.EndLevel) is { } load)
            return (
                largest,
                LatencyCause.OtherLoad,
                $"{DescribeLoad(load)} {Describe(largest)} The storage had this latency while other programs also used it.",
                "Find the programs that use the storage, and repeat the test without them"
            );
        if (largest.NeedsCpu && OtherCpuPercent is >= BusyCpuPercent and var busy && largest.Milliseconds < MaxWaitFactor * hostMs)
            return Inconclusive(
                Invariant(
                    $"other programs use {busy:0}% of the CPU time of this computer, which can delay {largest.Layer} ({largest.Percent:0.0}% of {TotalText}), because this layer needs CPU time"
                ),
                "Stop the other programs, and repeat the test"
            );
        var second = _layers.Where(layer => layer != largest).MaxBy(layer => layer.Milliseconds);
        var uncertainty = largest.UncertaintyMs + (second?.UncertaintyMs ?? 0);
        if (!Dominates(largest, second, uncertainty, 0))
            return Inconclusive(
                Invariant($"no layer takes half of {TotalText}, and {largest.Layer} does not clearly take longer than {second!.Layer}"),
                "Repeat the test with a longer duration"
            );
        if (!Dominates(largest, second, uncertainty, StolenShare * _total))
            return Inconclusive(
                Invariant(
                    $"the hypervisor gave {_input.Sample!.StolenPercent:0}% of the CPU time to other virtual machines, which can explain the share of {largest.Layer} ({largest.Percent:0.0}%)"
                ),
                "Reserve CPUs for this virtual machine, and repeat the test"
            );
        if (!Dominates(largest, second, uncertainty, (StolenShare + MemoryStallShare) * _total))
            return Inconclusive(
                Invariant(
                    $"all programs of this computer waited for memory for {_input.Sample!.MemoryStallPercent:0}% of the time, which can be the reason for the share of {largest.Layer} ({largest.Percent:0.0}%)"
                ),
                "Free memory, and repeat the test"
            );
        if (largest.Kind == LatencyLayerKind.IoBench)
            return (
                largest,
                LatencyCause.IoBench,
                $"{Describe(largest)} The storage is as fast as memory.",
                "Run the test on other storage, because this storage adds no significant latency"
            );
        if (largest.Kind != LatencyLayerKind.Storage)
            return BlameHost(largest, hostMs);
        return (largest, LatencyCause.Layer, Describe(largest), GetAdvice(largest));
    }

    /// <param name="lost">Time of the layer that can have another reason.</param>
    private bool Dominates(LatencyLayer largest, LatencyLayer? second, double uncertainty, double lost) =>
        largest.Milliseconds - lost - largest.UncertaintyMs >= MinShare * _total
        || largest.Milliseconds - lost - (second?.Milliseconds ?? 0) > uncertainty;

    private double StolenShare => Math.Min(1, CpusPerIO * (_input.Sample?.StolenPercent ?? 0) / 100);

    private double MemoryStallShare => (_input.Sample?.MemoryStallPercent ?? 0) / 100;

    private static (LatencyLayer?, LatencyCause, string, string) Inconclusive(string reason, string advice) =>
        (null, LatencyCause.Inconclusive, $"Inconclusive: {reason}.", advice);

    private (LatencyLayer?, LatencyCause, string, string) BlameHost(LatencyLayer largest, double hostMs)
    {
        var share = Invariant($"{100 * hostMs / _total:0.0}% of {TotalText}");
        return largest.Kind == LatencyLayerKind.CpuWait
            ? (
                largest,
                LatencyCause.Host,
                $"IoBench waited for a CPU for {share}. The CPU, not the storage, caused this delay.",
                "Stop other programs on this computer, and repeat the test"
            )
            : (
                largest,
                LatencyCause.Host,
                Invariant(
                    $"The host did not run IoBench for {_input.PauseSeconds:0.0} s of {_input.Result.DurationSeconds:0.0} s, which accounts for {share}. The storage did not cause this delay."
                ),
                "Find out what suspended this computer or IoBench, such as a snapshot or a migration of the virtual machine"
            );
    }

    private string Describe(LatencyLayer layer)
    {
        // Names of devices are lowercase everywhere.
        var isDevice =
            layer.FirstLevel < _input.Levels.Count
            && _input.Levels[layer.FirstLevel].Kind == StorageLevelKind.Device
            && layer.Layer.StartsWith(_input.Levels[layer.FirstLevel].Name, StringComparison.Ordinal);
        var text = Invariant(
            $"{char.ToUpperInvariant(layer.Layer[0])}{layer.Layer[1..]} takes {NumberFormat.Milliseconds(layer.Milliseconds)} ({layer.Percent:0.0}%) of {TotalText}."
        );
        return isDevice ? layer.Layer[..1] + text[1..] : text;
    }

    private string GetAdvice(LatencyLayer layer)
    {
        if (layer.Layer.StartsWith("limit of the control group", StringComparison.Ordinal))
            return "Raise the limit of the control group, or accept the latency that it adds";
        if (_total < LowLatencyMs)
            return Invariant($"No action is necessary: an average below {LowLatencyMs} ms meets the limit for flash storage");
        if (layer.Advice is { } advice)
            return advice;
        return layer.EndLevel >= _input.Levels.Count
            ? _input.HasReport
                ? "Give the report to the storage team: it has the times of the slowest I/Os"
                : "Create a report with --report FILE (-ReportPath FILE in PowerShell), and give it to the storage team"
            : "Look for the cause in this layer of this computer, because the storage below it takes less time";
    }

    private double? OtherCpuPercent =>
        _input.Result is { CpuPercent: { } all } result
            ? all - (result.CpuUsPerIO * result.IOPS / 1e4 / Math.Max(1, result.Processors.Count) ?? 0)
            : null;

    private static string DescribeLoad((StorageLevel Level, double Iops) load) =>
        Invariant($"{load.Level.Name} completed {load.Iops:#,##0} I/Os per second that IoBench did not issue.");

    /// <summary>I/Os per second of other programs on a device among these levels.</summary>
    private (StorageLevel Level, double Iops)? FindOtherLoad(int first, int end)
    {
        var found = new List<(StorageLevel Level, double Iops)>();
        var isBelowLoop = false;
        for (var i = 0; i < Math.Min(end, _input.Levels.Count); i++)
        {
            var level = _input.Levels[i];
            if (i >= first && level.Kind == StorageLevelKind.Device && GetOtherIops(i, isBelowLoop) is { } iops)
                if (iops >= MinOtherIops && iops >= MinOtherShare * (_input.Result.IOPS ?? 0))
                    found.Add((level, iops));
            // A loop device reads ahead, and its file system writes its own metadata.
            isBelowLoop |= level.Description == "loop device";
        }
        // The upper devices pass their I/Os on, so name the first one that has most of them.
        return found.Count == 0 ? null : found.First(item => item.Iops >= MostOfThem * found.Max(other => other.Iops));
    }

    private const double MostOfThem = 0.7;

    private double? GetOtherIops(int level, bool isBelowLoop)
    {
        double? idle = GetLoad(_input.Idle, level) is { } quiet
            ? (quiet.DiskReadCount + quiet.DiskWriteCount) / _input.Idle!.Seconds
            : null;
        if (GetLoad(_input.Sample, level) is not { } load)
            return idle;
        // A file system writes metadata for IoBench's writes, so only reads during writes are certain to be of others.
        var others =
            _input.Result.Operation == IoOperation.Write ? load.DiskReadCount
            : isBelowLoop ? load.DiskWriteCount
            : load.DiskWriteCount + Math.Max(0, load.DiskReadCount - (_input.Result.IOCount ?? 0));
        return Math.Max(idle ?? 0, others / _input.Sample!.Seconds);
    }

    private static StorageLevelLoad? GetLoad(StorageSample? sample, int level) =>
        sample is { Seconds: > 0 } && level < sample.Loads.Count ? sample.Loads[level] : null;
}
