using System.Globalization;

namespace IoBench.Engine;

internal sealed class ResultBuilder(RunPlan plan, RunExecution execution)
{
    private readonly IoTestSpecification _specification = plan.Specification;
    private readonly double _intervalSeconds = TimelineInterval.GetLength(plan.Specification).TotalSeconds;

    private double Seconds =>
        Math.Max(0, Math.Min(execution.Control.MeasureTo, execution.Control.StoppedAt) - execution.Control.MeasureFrom)
        / (double)Clock.Second;

    public static IoTestResult CreateCanceledResult(IoTestSpecification specification)
    {
        var result = CreateResult(specification);
        result.Status = IoResultStatus.Cancelled;
        result.AddWarning(new IoWarning(WarningCodes.NothingMeasured, "The run was canceled before the measurement started."));
        return result;
    }

    public IoTestResult Build(bool cancelled)
    {
        var result = CreateResult(_specification);
        foreach (var worker in execution.Workers)
            worker.CountUnfinished(Clock.Now);
        var streams = execution.Workers.SelectMany(w => w.Streams).ToArray();
        var whole = (int)(Seconds / _intervalSeconds + 1e-9);
        var sums = new StreamTotals(streams, execution.Intervals);
        FillRun(result, cancelled);
        if (Seconds > 0)
        {
            FillTotals(result, sums, whole);
            result.Percentiles = ReadWriteHistograms.CreatePercentiles(sums.Latencies.Service);
            result.Histogram = ReadWriteHistograms.CreateHistogram(sums.Latencies.Service);
            if (result.LoadModel == IoLoadModel.Open)
                FillResponses(result, sums.Latencies.Response!, streams);
            result.Timeline = CreateTimeline(sums);
            var isResponse = execution.Workers.Any(w => w.IsOpenLoop);
            IntervalHistograms.FillTimeline(
                [.. execution.Workers.Where(w => w.IsOpenLoop == isResponse).Select(w => w.Intervals)],
                isResponse,
                result.Timeline,
                sums.Timeline,
                _intervalSeconds
            );
            FillProcessors(result);
            ResultBuilder.FillSlowest(result, execution);
        }
        result.Targets =
        [
            .. plan.Targets.Select(
                (target, i) => CreateTargetResult(target, i, streams.Where(l => l.Plan.TargetIndex == i).ToArray(), whole)
            ),
        ];
        result.Threads = [.. streams.Select(stream => CreateThreadResult(stream, whole))];
        foreach (
            var warning in plan
                .Targets.SelectMany(t => t.Warnings)
                .Concat(plan.Targets.Select(CreateOverwriteWarning).OfType<IoWarning>())
                .Concat(RunWarnings.CreateWarnings(result, execution, sums))
                .DistinctBy(w => w.Template)
        )
            result.AddWarning(warning);
        return result;
    }

    private static IoWarning? CreateOverwriteWarning(CheckedTarget target)
    {
        if (target.Request is not { Writes: true })
            return null;
        var size = IoSize.Format(target.Size);
        return target.Kind switch
        {
            TargetKind.Foreign => new IoWarning(
                WarningCodes.TargetOverwritten,
                $"IoBench overwrote {target.Path} ({size}), which IoBench did not create."
            ),
            TargetKind.Device => new IoWarning(WarningCodes.TargetOverwritten, $"IoBench overwrote the raw device {target.Path} ({size})."),
            _ => null,
        };
    }

    public static IoTestResult CreateResult(IoTestSpecification s)
    {
        var patterns = s.Targets.ConvertAll(s.GetPattern);
        return new IoTestResult
        {
            Source = IoTestResult.OwnSource,
            ToolVersion = IoTestResult.OwnVersion,
            RunId = Guid.NewGuid().ToString("N"),
            Label = s.Label,
            Workload = s.Workload,
            WorkloadRole = s.WorkloadRole,
            ComputerName = Environment.MachineName,
            StartTime = DateTimeOffset.Now,
            Path = string.Join("; ", s.Targets.Select(t => t.Path)),
            TargetCount = s.Targets.Count,
            ThreadCount = s.SharedThreadPool ? s.ThreadCount : patterns.Sum(p => p.ThreadCount),
            OutstandingIO = s.PoolOutstandingIO ?? GetCommonValue(patterns, p => p.OutstandingIO),
            BlockSizeKB = patterns.Exists(p => p.BlockMix is not null) ? null : GetCommonValue(patterns, p => p.BlockSize) / 1024.0,
            Operation = patterns.Select(p => p.Operation).Distinct().Count() == 1 ? patterns[0].Operation : IoOperation.Mixed,
            // With separate queue depths, the write percentage is a result, not a setting.
            WritePercent = patterns.Exists(p => p.Depths is not null) ? null : GetCommonValue(patterns, p => p.WritePercent),
            AccessPattern = GetCommonValue(patterns, p => p.AccessPattern),
            IOPattern = PatternText.Describe(s),
            Buffering = GetCommonValue(patterns, p => p.Buffering),
            LoadModel = patterns.Any(p => p.TargetIops is not null) ? IoLoadModel.Open : IoLoadModel.Closed,
            TargetIops = patterns.Any(p => p.TargetIops is not null) ? patterns.Sum(p => p.TargetIops ?? 0) : null,
            Repeat = s.Repeat,
            Specification = s,
            Host = new Dictionary<string, string>(HostFacts.All),
        };
    }

    private static T? GetCommonValue<T>(List<IoPattern> patterns, Func<IoPattern, T> part)
        where T : struct => patterns.Select(part).Distinct().Count() == 1 ? part(patterns[0]) : null;

    private void FillRun(IoTestResult result, bool cancelled)
    {
        var control = execution.Control;
        result.StartTime = execution.StartTime;
        result.StartOffsetSeconds = execution.StartOffset / (double)Clock.Second;
        result.Path = string.Join("; ", plan.Targets.Select(t => t.Path));
        result.FileSizeMB = plan.Targets.Sum(t => t.Size) / 1048576.0;
        result.TotalOutstanding = plan.Workers.Sum(w => w.SlotCount);
        result.Backend = execution.Backend.Name;
        result.FileSystem = plan.Targets[0].FileSystem;
        result.Device = plan.Targets[0].Device;
        if (execution.FeatureSummary is { Length: > 0 } grants)
            result.Host["Backend"] = $"{execution.Backend} ({grants})";
        if (execution.SkippedBackends.Count > 0)
            result.Host["Better backends"] = string.Join(" ", execution.SkippedBackends);
        if (Array.Exists(plan.Workers, w => w.UsesLargePages))
            result.Host["Large pages"] = "yes";
        foreach (var (target, i) in plan.Targets.Select((t, i) => (t, i)))
        foreach (var (name, value) in target.Facts)
            result.Host[GetFactName(name, i)] = value;
        foreach (var stream in execution.Workers.SelectMany(w => w.Streams).DistinctBy(s => s.Plan.TargetIndex))
            if (stream.OpenedAs is { } flags)
                result.Host[GetFactName("Open flags", stream.Plan.TargetIndex)] = flags.Description;

        if (control.Error is not null)
            result.Status = IoResultStatus.Failed;
        else if (cancelled || execution.StopReason is not null)
            result.Status = IoResultStatus.Cancelled;
        else
            result.Status = execution.StuckIOs > 0 ? IoResultStatus.Failed : IoResultStatus.Complete;
        if (control.Error is { } error)
            result.SetError(error);
        else if (result.Status == IoResultStatus.Failed)
            result.SetError(
                IoBenchException.Failure(
                    "IoBench.IoStuck",
                    $"{NumberFormat.Pluralize(execution.StuckIOs, "I/O")} on {result.Path} did not complete within a minute after "
                        + $"the end of the run.",
                    result.Path
                )
            );
    }

    private string GetFactName(string name, int target) => plan.Targets.Length == 1 ? name : $"{name} (target {target + 1})";

    private void FillTotals(IoTestResult result, StreamTotals sums, int whole)
    {
        var totals = new IoReadWriteTotals();
        sums.FillTotals(totals, Seconds, _intervalSeconds, whole);
        result.Totals = totals;
        var all = sums.Latencies.Service.Total;
        result.DurationSeconds = Seconds;
        result.IOCount = totals.Total.IOCount;
        result.ByteCount = totals.Total.ByteCount;
        result.IOPS = totals.Total.IOPS;
        result.BandwidthMBps = totals.Total.MBps;
        result.ReadIOPS = totals.Read.IOPS;
        result.ReadMBps = totals.Read.MBps;
        result.WriteIOPS = totals.Write.IOPS;
        result.WriteMBps = totals.Write.MBps;
        result.AverageLatencyMs = totals.Total.AverageLatencyMs;
        result.MinLatencyMs = totals.Total.MinLatencyMs;
        result.MaxLatencyMs = totals.Total.MaxLatencyMs;
        result.LatencyStdDevMs = totals.Total.LatencyStdDevMs;
        result.P50Ms = GetPercentileMs(all, 50);
        result.P90Ms = GetPercentileMs(all, 90);
        result.P95Ms = GetPercentileMs(all, 95);
        result.P99Ms = GetPercentileMs(all, 99);
        result.P999Ms = GetPercentileMs(all, 99.9);
        result.ReadAverageLatencyMs = totals.Read.AverageLatencyMs;
        result.ReadP99Ms = GetPercentileMs(sums.Latencies.Service.Reads!, 99);
        result.WriteAverageLatencyMs = totals.Write.AverageLatencyMs;
        result.WriteP99Ms = GetPercentileMs(sums.Latencies.Service.Writes!, 99);
        result.IopsStdDev = totals.Total.IopsStdDev;
        if (result.LoadModel != IoLoadModel.Open && result.IOPS > 0 && !plan.Workers.Any(w => w.Streams.Any(l => l.Pattern.IsRateLimited)))
            result.LittlesLawLatencyMs = result.TotalOutstanding / result.IOPS * 1000;
        if (sums.Latencies.Flushes is { Count: > 0 } flushes)
        {
            result.Host["Flushes"] = string.Create(
                CultureInfo.InvariantCulture,
                $"{flushes.Count}, on average {flushes.Average / 1e6:0.###} ms, longest {flushes.Max / 1e6:0.###} ms"
            );
        }
    }

    private static void FillResponses(IoTestResult result, ResponseTimes responses, TargetStream[] streams)
    {
        var all = responses.Latencies.Total;
        result.ResponseAverageMs = ReadWriteHistograms.ToMilliseconds(all.Average);
        result.ResponseP50Ms = GetPercentileMs(all, 50);
        result.ResponseP90Ms = GetPercentileMs(all, 90);
        result.ResponseP95Ms = GetPercentileMs(all, 95);
        result.ResponseP99Ms = GetPercentileMs(all, 99);
        result.ResponseP999Ms = GetPercentileMs(all, 99.9);
        result.ResponseMaxMs = GetPercentileMs(all, 100);
        result.DueNotDone = responses.UnfinishedCount;
        result.OldestDueMs = responses.UnfinishedCount == 0 ? null : responses.OldestUnfinishedAge / 1e6;
        result.RateReachedPercent = streams
            .Where(l => l.Latencies.Response is not null)
            .GroupBy(l => l.Plan.TargetIndex)
            .Min(target => StreamTotals.GetAchievedRatePercent([.. target], result.Specification!));
        result.ResponsePercentiles = ReadWriteHistograms.CreatePercentiles(responses.Latencies);
        result.ResponseHistogram = ReadWriteHistograms.CreateHistogram(responses.Latencies);
    }

    private static double? GetPercentileMs(LatencyHistogram histogram, double percent) =>
        ReadWriteHistograms.ToMilliseconds(histogram.GetTrustedPercentile(percent));

    private List<IoTimelinePoint> CreateTimeline(StreamTotals sums)
    {
        var points = new List<IoTimelinePoint>();
        for (var i = 0; i < sums.Timeline.Length; i++)
        {
            var end = Math.Min(Seconds, (i + 1) * _intervalSeconds);
            var length = end - i * _intervalSeconds;
            // A very short last interval gives no reliable IOPS.
            if (length < _intervalSeconds * 0.05)
                break;
            var interval = sums.Timeline[i];
            var count = interval.Reads + interval.Writes;
            points.Add(
                new IoTimelinePoint
                {
                    Seconds = end,
                    IOPS = count / length,
                    MBps = sums.TimelineBytes[i] / 1048576 / length,
                    ReadIOPS = interval.Reads / length,
                    WriteIOPS = interval.Writes / length,
                    AverageLatencyMs = count == 0 ? null : interval.LatencySum / 1e6 / count,
                    MaxLatencyMs = count == 0 ? null : interval.LatencyMax / 1e6,
                    ReadLatency = i < sums.ReadIntervals.Length ? sums.ReadIntervals[i].ToSummary() : null,
                    WriteLatency = i < sums.WriteIntervals.Length ? sums.WriteIntervals[i].ToSummary() : null,
                }
            );
        }
        return points;
    }

    private void FillProcessors(IoTestResult result)
    {
        if (execution is not { CpuBefore: { } before, CpuAfter: { } after } || after.Timestamp <= before.Timestamp)
            return;
        result.Processors = after.GetLoadSince(before);
        var processTime = after.ProcessSeconds - before.ProcessSeconds;
        var wall = (after.Timestamp - before.Timestamp) / (double)Clock.Second;
        result.CpuPercent = after.GetUsageSince(before) ?? 100 * processTime / wall / Environment.ProcessorCount;
        // The snapshots are not taken exactly at the ends of the measured time, so divide one rate by the other.
        if (result.IOPS > 0)
            result.CpuUsPerIO = processTime / wall / result.IOPS * 1e6;
        result.ProcessorWaitPercent = execution.ProcessorWaitPercent;
        result.Devices = execution.DeviceLoads;
        result.GcCount = after.GarbageCollections - before.GarbageCollections;
    }

    private IoTargetResult CreateTargetResult(CheckedTarget target, int index, TargetStream[] streams, int whole)
    {
        var specification = _specification.Targets[index];
        var result = new IoTargetResult
        {
            Path = target.Path,
            FileSizeMB = target.Size / 1048576.0,
            ThreadCount = streams.Length,
            Role = specification.Role,
            IOPattern = PatternText.Describe(_specification.GetPattern(specification)),
            FileSystem = target.FileSystem,
            Device = target.Device,
            SectorSize = target.LogicalSectorSize,
        };
        var sums = new StreamTotals(streams, execution.Intervals);
        sums.FillTotals(result, Seconds, _intervalSeconds, whole);
        result.Percentiles = ReadWriteHistograms.CreatePercentiles(sums.Latencies.Service);
        result.Histogram = ReadWriteHistograms.CreateHistogram(sums.Latencies.Service);
        if (sums.Latencies.Response is { DueCount: > 0 } responses)
        {
            result.ResponsePercentiles = ReadWriteHistograms.CreatePercentiles(responses.Latencies);
            result.ResponseHistogram = ReadWriteHistograms.CreateHistogram(responses.Latencies);
            result.RateReachedPercent = StreamTotals.GetAchievedRatePercent(streams, _specification);
        }
        return result;
    }

    private IoThreadResult CreateThreadResult(TargetStream stream, int whole)
    {
        var result = new IoThreadResult { ThreadId = stream.Plan.Thread, Path = plan.Targets[stream.Plan.TargetIndex].Path };
        var sums = new StreamTotals([stream], execution.Intervals);
        sums.FillTotals(result, Seconds, _intervalSeconds, whole);
        if (_specification.ThreadTimelines)
            result.Timeline = CreateTimeline(sums);
        return result;
    }

    public static void FillSlowest(IoTestResult result, RunExecution execution)
    {
        var from = execution.Control.MeasureFrom;
        var to = Math.Min(execution.Control.MeasureTo, execution.Control.StoppedAt);
        var pauses = CreatePauses(execution.SchedulingGaps, from, to);
        var slow = execution.Workers.SelectMany(worker => CreateSlowIOs(worker, from)).ToList();
        // An I/O that was outstanding while the host did not run IoBench can have completed long before IoBench saw it.
        if (pauses.Count > 0)
        {
            slow.RemoveAll(io => IoHostPause.Explain(pauses, io.Seconds, io.Seconds + io.LatencyMs / 1000));
            LimitMaximum(result, slow);
        }
        result.HostPauses = pauses;
        result.SlowestIOs = [.. slow.OrderByDescending(io => io.LatencyMs).ThenBy(io => io.Seconds).Take(IoSlowIO.MaxCount)];
        result.Stalls =
        [
            .. CreateStalls(execution.Workers, from, to)
                .Where(stall => pauses.Count == 0 || !IoHostPause.Explain(pauses, stall.Seconds, stall.Seconds + stall.LengthSeconds))
                .OrderByDescending(s => s.LengthSeconds)
                .Take(IoStall.MaxCount)
                .OrderBy(s => s.Seconds),
        ];
    }

    private static List<IoHostPause> CreatePauses(IEnumerable<(long Begin, long End)> gaps, long from, long to) =>
        [
            .. gaps.Where(gap => gap.Begin < to && gap.End > from)
                .Select(gap => new IoHostPause { Seconds = ToSeconds(gap.Begin - from), LengthSeconds = ToSeconds(gap.End - gap.Begin) })
                .OrderByDescending(pause => pause.LengthSeconds)
                .Take(IoHostPause.MaxCount)
                .OrderBy(pause => pause.Seconds),
        ];

    /// <summary>Each thread keeps its slowest I/Os. The slowest of them that no pause touched is the maximum.</summary>
    private static void LimitMaximum(IoTestResult result, List<IoSlowIO> slow)
    {
        // Flushes are not part of the latency of I/Os. If a pause touched all I/Os of the list, the maximum stays.
        var known = slow.Where(io => io.Kind != IoRequestKind.Flush).ToList();
        if (known.Count == 0)
            return;
        result.MaxLatencyMs = known.Max(io => io.LatencyMs);
        if (result.ResponseMaxMs is not null)
            result.ResponseMaxMs = known.Max(io => io.LatencyMs + (io.QueuedMs ?? 0));
        if (result.Totals is not { } totals)
            return;
        totals.Total.MaxLatencyMs = result.MaxLatencyMs;
        foreach (var (part, kind) in new[] { (totals.Read, IoRequestKind.Read), (totals.Write, IoRequestKind.Write) })
            if (known.Where(io => io.Kind == kind).Max(io => (double?)io.LatencyMs) is { } max)
                part.MaxLatencyMs = max;
    }

    private static IEnumerable<IoSlowIO> CreateSlowIOs(Worker worker, long from)
    {
        var slowest = worker.Slowest is { } found ? found.All.ToArray() : [];
        return slowest.Select(io => new IoSlowIO
        {
            Seconds = ToSeconds(io.Started - from),
            LatencyMs = io.Latency / 1e6,
            QueuedMs = io.Queued < 0 ? null : io.Queued / 1e6,
            Kind = io.Operation,
            Offset = io.Operation == IoRequestKind.Flush ? null : io.Offset,
            Size = io.Operation == IoRequestKind.Flush ? null : io.Size,
            InFlight = io.InFlight,
            Target = io.Target,
            Thread = worker.Plan.Thread,
            IsLost = io.IsLost ? true : null,
        });
    }

    private static IEnumerable<IoStall> CreateStalls(Worker[] workers, long from, long to)
    {
        var all = StallLog.FindCommonStalls([.. workers.Select(GetStalls)], from, to);
        foreach (var stall in all)
            yield return CreateStall(stall, from, null);
        // A stall of a thread with several targets does not show which target stalled.
        if (Array.Exists(workers, worker => worker.Streams.Count > 1))
            yield break;
        var targets = workers.GroupBy(worker => worker.Streams[0].Plan.TargetIndex).ToArray();
        foreach (var target in targets.Length > 1 ? targets : [])
        foreach (var stall in StallLog.FindCommonStalls([.. target.Select(GetStalls)], from, to))
            if (!all.Exists(whole => whole.BusySince < stall.To && stall.BusySince < whole.To))
                yield return CreateStall(stall, from, target.Key);
    }

    private static WorkerStall[] GetStalls(Worker worker) => worker.Stalls is { } found ? found.All.ToArray() : [];

    private static IoStall CreateStall(WorkerStall stall, long from, int? target) =>
        new()
        {
            Seconds = ToSeconds(stall.BusySince - from),
            LengthSeconds = ToSeconds(stall.To - stall.BusySince),
            Target = target,
        };

    private static double ToSeconds(long nanoseconds) => Math.Round(nanoseconds / 1e9, 6);
}
