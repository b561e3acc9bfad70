using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Names the layer that dominates a latency, if the evidence is sufficient.</summary>
internal sealed class LatencyVerdict(LatencyObservation input, IReadOnlyList<LatencyLayer> layers, double total)
{
    private const double MinShare = 0.5;
    private const long MinIOs = 20;

    /// <summary>Smaller differences between the delays of this computer and the time of the storage name neither, as a share of the average.</summary>
    private const double MinHostDifference = 0.2;

    /// <summary>CPUs that can take layer in one I/O: those of IoBench, of the interrupt, and of a thread of the storage.</summary>
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

    private string Kind => input.Result.Operation == IoOperation.Write ? "write" : "read";

    private string TotalText => $"the average {Kind} latency of {NumberFormat.Milliseconds(total)}";

    public LatencyBreakdown CreateBreakdown()
    {
        var (named, cause, verdict, advice) = Decide();
        var load = FindOtherLoad(0, input.Levels.Count);
        if (load is not null && cause is (LatencyCause.Host or LatencyCause.Inconclusive))
            verdict += $" {DescribeLoad(load.Value)}";
        if (input.Levels.FirstOrDefault(level => level.Name is "tmpfs" or "ramfs") is { } memory)
            (verdict, advice) = (
                $"The file is in memory ({memory.Name}). The results do not measure storage. {verdict}",
                "Specify a folder on the storage of SQL Server"
            );
        return new()
        {
            Operation = input.Result.Operation == IoOperation.Write ? IoOperation.Write : IoOperation.Read,
            AverageMs = total,
            P50Ms = input.Result.P50Ms,
            P99Ms = input.Result.P99Ms,
            MaxMs = input.Result.MaxLatencyMs,
            IOCount = input.Result.IOCount ?? 0,
            Layers = (LatencyLayer[])[.. layers.Select(layer => layer with { IsNamed = layer == named })],
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
        if (input.Result.IOCount < MinIOs)
            return Inconclusive(
                $"only {NumberFormat.Pluralize(input.Result.IOCount ?? 0, "I/O")} completed",
                "Repeat the test with a longer duration"
            );
        var host = layers.Where(layer => layer.Kind is LatencyLayerKind.CpuWait or LatencyLayerKind.HostPause).ToList();
        var hostMs = host.Sum(layer => layer.Milliseconds);
        var storageMs = layers.Where(layer => layer.Kind == LatencyLayerKind.Storage).Sum(layer => layer.Milliseconds);
        if (host.Count > 0 && Math.Abs(hostMs - storageMs) < MinHostDifference * total)
            return Inconclusive(
                FormattableString.Invariant(
                    $"this computer delayed IoBench for {100 * hostMs / total:0.0}% of {TotalText}, about as long as the storage took ({100 * storageMs / total:0.0}%)"
                ),
                "Stop other programs on this computer, and repeat the test"
            );
        if (hostMs > storageMs && host.Count > 0)
            return BlameHost(host.MaxBy(layer => layer.Milliseconds)!, hostMs);
        var largest = layers.MaxBy(layer => layer.Milliseconds)!;
        if (largest.Kind == LatencyLayerKind.Storage && FindOtherLoad(largest.FirstLevel, largest.EndLevel) is { } load)
            return (
                largest,
                LatencyCause.OtherLoad,
                $"{DescribeLoad(load)} {Describe(largest)} This is the latency of storage under load.",
                "Find the programs that use the storage, and repeat the test without them"
            );
        if (largest.NeedsCpu && OtherCpuPercent is >= BusyCpuPercent and var busy && largest.Milliseconds < MaxWaitFactor * hostMs)
            return Inconclusive(
                Invariant(
                    $"other programs use {busy:0}% of the CPU time of this computer, and {largest.Layer} ({largest.Percent:0.0}% of {TotalText}) needs CPU time"
                ),
                "Stop the other programs, and repeat the test"
            );
        var second = layers.Where(layer => layer != largest).MaxBy(layer => layer.Milliseconds);
        var uncertainty = largest.UncertaintyMs + (second?.UncertaintyMs ?? 0);
        if (!Dominates(largest, second, uncertainty, 0))
            return Inconclusive(
                Invariant($"no layer takes half of {TotalText}, and {largest.Layer} does not clearly take longer than {second!.Layer}"),
                "Repeat the test with a longer duration"
            );
        if (!Dominates(largest, second, uncertainty, StolenShare * total))
            return Inconclusive(
                Invariant(
                    $"the hypervisor gave {input.Sample!.StolenPercent:0}% of the CPU time to other virtual machines, which can be the reason for the share of {largest.Layer} ({largest.Percent:0.0}%)"
                ),
                "Reserve CPUs for this virtual machine, and repeat the test"
            );
        if (!Dominates(largest, second, uncertainty, (StolenShare + MemoryStallShare) * total))
            return Inconclusive(
                Invariant(
                    $"all programs of this computer waited for memory for {input.Sample!.MemoryStallPercent:0}% of the time, which can be the reason for the share of {largest.Layer} ({largest.Percent:0.0}%)"
                ),
                "Free memory, and repeat the test"
            );
        if (largest.Kind == LatencyLayerKind.IoBench)
            return (
                largest,
                LatencyCause.IoBench,
                $"{Describe(largest)} The storage is as fast as memory.",
                "Test other storage: this storage adds no latency that matters"
            );
        if (largest.Kind != LatencyLayerKind.Storage)
            return BlameHost(largest, hostMs);
        return (largest, LatencyCause.Layer, Describe(largest), GetAdvice(largest));
    }

    /// <param name="lost">Time of the layer that can have another reason.</param>
    private bool Dominates(LatencyLayer largest, LatencyLayer? second, double uncertainty, double lost) =>
        largest.Milliseconds - lost - largest.UncertaintyMs >= MinShare * total
        || largest.Milliseconds - lost - (second?.Milliseconds ?? 0) > uncertainty;

    private double StolenShare => Math.Min(1, CpusPerIO * (input.Sample?.StolenPercent ?? 0) / 100);

    private double MemoryStallShare => (input.Sample?.MemoryStallPercent ?? 0) / 100;

    private static (LatencyLayer?, LatencyCause, string, string) Inconclusive(string reason, string advice) =>
        (null, LatencyCause.Inconclusive, $"Inconclusive: {reason}.", advice);

    private (LatencyLayer?, LatencyCause, string, string) BlameHost(LatencyLayer largest, double hostMs)
    {
        var share = Invariant($"{100 * hostMs / total:0.0}% of {TotalText}");
        return largest.Kind == LatencyLayerKind.CpuWait
            ? (
                largest,
                LatencyCause.Host,
                $"IoBench waited for a CPU: {share}. The storage is not the cause.",
                "Stop other programs on this computer, and repeat the test"
            )
            : (
                largest,
                LatencyCause.Host,
                Invariant(
                    $"The host did not run IoBench for {input.PauseSeconds:0.0} s of {input.Result.DurationSeconds:0.0} s: {share}. The storage is not the cause."
                ),
                "Find out what suspended this computer or IoBench, such as a snapshot or a migration of the virtual machine"
            );
    }

    private static string Describe(LatencyLayer layer, string total) =>
        Invariant(
            $"{char.ToUpperInvariant(layer.Layer[0])}{layer.Layer[1..]} takes {NumberFormat.Milliseconds(layer.Milliseconds)} ({layer.Percent:0.0}%) of {total}."
        );

    private string Describe(LatencyLayer layer)
    {
        // Names of devices are lowercase everywhere.
        var isDevice =
            layer.FirstLevel < input.Levels.Count
            && input.Levels[layer.FirstLevel].Kind == StorageLevelKind.Device
            && layer.Layer.StartsWith(input.Levels[layer.FirstLevel].Name, StringComparison.Ordinal);
        var text = Describe(layer, TotalText);
        return isDevice ? layer.Layer[..1] + text[1..] : text;
    }

    private string GetAdvice(LatencyLayer layer)
    {
        if (layer.Layer.StartsWith("limit of the control group", StringComparison.Ordinal))
            return "Raise the limit of the control group, or accept its latency";
        if (total < LowLatencyMs)
            return Invariant($"No action is necessary: an average below {LowLatencyMs} ms meets the limit for flash storage");
        if (layer.Advice is { } advice)
            return advice;
        return layer.EndLevel >= input.Levels.Count
            ? input.HasReport
                ? "Give the report to the storage team: it has the times of the slowest I/Os"
                : "Create a report with --report FILE (-ReportPath FILE in PowerShell), and give it to the storage team"
            : "Look for the cause in this layer of this computer, because the storage below it takes less time";
    }

    private double? OtherCpuPercent =>
        input.Result is { CpuPercent: { } all } result
            ? all - (result.CpuUsPerIO * result.IOPS / 1e4 / Math.Max(1, result.Processors.Count) ?? 0)
            : null;

    private static string DescribeLoad((StorageLevel Level, double Iops) load) =>
        Invariant($"{load.Level.Name} completed {load.Iops:#,##0} I/Os per second that IoBench did not issue.");

    /// <summary>I/Os per second of other programs on a device among these levels.</summary>
    private (StorageLevel Level, double Iops)? FindOtherLoad(int first, int end)
    {
        var found = new List<(StorageLevel Level, double Iops)>();
        var isBelowLoop = false;
        for (var i = 0; i < Math.Min(end, input.Levels.Count); i++)
        {
            var level = input.Levels[i];
            if (i >= first && level.Kind == StorageLevelKind.Device && GetOtherIops(i, isBelowLoop) is { } iops)
                if (iops >= MinOtherIops && iops >= MinOtherShare * (input.Result.IOPS ?? 0))
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
        double? idle = GetLoad(input.Idle, level) is { } quiet ? (quiet.DiskReadCount + quiet.DiskWriteCount) / input.Idle!.Seconds : null;
        if (GetLoad(input.Sample, level) is not { } load)
            return idle;
        // A file system writes metadata for IoBench's writes, so only reads during writes are certain to be of others.
        var others =
            input.Result.Operation == IoOperation.Write ? load.DiskReadCount
            : isBelowLoop ? load.DiskWriteCount
            : load.DiskWriteCount + Math.Max(0, load.DiskReadCount - (input.Result.IOCount ?? 0));
        return Math.Max(idle ?? 0, others / input.Sample!.Seconds);
    }

    private static StorageLevelLoad? GetLoad(StorageSample? sample, int level) =>
        sample is { Seconds: > 0 } && level < sample.Loads.Count ? sample.Loads[level] : null;
}
