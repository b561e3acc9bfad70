using System.Globalization;

namespace IoBench.Engine;

internal sealed class ResultBuilder(RunPlan plan, RunExecution execution)
{
    private readonly IoTestSpecification _specification = plan.Specification;
    private readonly double _intervalSeconds = TimelineLength.Interval(plan.Specification).TotalSeconds;

    private double Seconds =>
        Math.Max(0, Math.Min(execution.Control.MeasureTo, execution.Control.StoppedAt) - execution.Control.MeasureFrom)
        / (double)Clock.Second;

    public static IoTestResult CancelledBeforeStart(IoTestSpecification specification)
    {
        var result = Describe(specification);
        result.Status = IoResultStatus.Cancelled;
        result.AddWarning(new IoWarning(WarningCodes.NothingMeasured, "the run was cancelled before it measured anything."));
        return result;
    }

    public IoTestResult Build(bool cancelled)
    {
        var result = Describe(_specification);
        foreach (var worker in execution.Workers)
            worker.CountUnfinished(Clock.Now);
        var streams = execution.Workers.SelectMany(w => w.Streams).ToArray();
        var whole = (int)(Seconds / _intervalSeconds + 1e-9);
        var sums = new LatencyTotals(streams, execution.Intervals);
        DescribeRun(result, cancelled);
        if (Seconds > 0)
        {
            FillTotals(result, sums, whole);
            result.Percentiles = DistributionResult.Percentiles(sums.Latencies.Service);
            result.Histogram = DistributionResult.Bands(sums.Latencies.Service);
            if (result.LoadModel == IoLoadModel.Open)
                FillResponses(result, sums.Latencies.Response!, streams);
            result.Timeline = Timeline(sums);
            var isResponse = execution.Workers.Any(w => w.IsOpenLoop);
            new IntervalTotals(execution.Workers.Where(w => w.IsOpenLoop == isResponse).Select(w => w.Intervals), isResponse).Fill(
                result.Timeline,
                sums.Timeline,
                _intervalSeconds
            );
            FillProcessors(result);
            SlowestResults.Fill(result, execution);
        }
        result.Targets =
        [
            .. plan.Targets.Select((target, i) => TargetResult(target, i, streams.Where(l => l.Plan.TargetIndex == i).ToArray(), whole)),
        ];
        result.Threads = [.. streams.Select(stream => ThreadResult(stream, whole))];
        foreach (
            var warning in plan
                .Targets.SelectMany(t => t.Warnings)
                .Concat(RunWarnings.Of(result, execution, sums))
                .DistinctBy(w => w.Template)
        )
            result.AddWarning(warning);
        return result;
    }

    private static IoTestResult Describe(IoTestSpecification s)
    {
        var patterns = s.Targets.ConvertAll(s.PatternOf);
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
            OutstandingIO = s.PoolOutstandingIO ?? Same(patterns, p => p.OutstandingIO),
            BlockSizeKB = patterns.Exists(p => p.BlockMix is not null) ? null : Same(patterns, p => p.BlockSize) / 1024.0,
            Operation = patterns.Select(p => p.Operation).Distinct().Count() == 1 ? patterns[0].Operation : IoOperation.Mixed,
            // With separate queue depths, the write percentage is a result, not a setting.
            WritePercent = patterns.Exists(p => p.Depths is not null) ? null : Same(patterns, p => p.WritePercent),
            AccessPattern = Same(patterns, p => p.Order.Kind),
            IOPattern = PatternText.Of(s),
            Buffering = Same(patterns, p => p.Buffering),
            LoadModel = patterns.Any(p => p.Pace is IoPace.Open) ? IoLoadModel.Open : IoLoadModel.Closed,
            TargetIops = patterns.Any(p => p.Pace is IoPace.Open) ? patterns.Sum(p => p.Pace is IoPace.Open open ? open.Iops : 0) : null,
            Repeat = s.Repeat,
            Specification = s,
            Host = new Dictionary<string, string>(HostFacts.All),
        };
    }

    private static T? Same<T>(List<IoPattern> patterns, Func<IoPattern, T> part)
        where T : struct => patterns.Select(part).Distinct().Count() == 1 ? part(patterns[0]) : null;

    private void DescribeRun(IoTestResult result, bool cancelled)
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
        if (execution.Grants is { Length: > 0 } grants)
            result.Host["Backend"] = $"{execution.Backend} ({grants})";
        if (execution.PassedOver.Count > 0)
            result.Host["Better backends"] = string.Join(" ", execution.PassedOver);
        if (Array.Exists(plan.Workers, w => w.LargePages))
            result.Host["Large pages"] = "yes";
        foreach (var (target, i) in plan.Targets.Select((t, i) => (t, i)))
        foreach (var (name, value) in target.Facts)
            result.Host[FactName(name, i)] = value;
        foreach (var stream in execution.Workers.SelectMany(w => w.Streams).DistinctBy(s => s.Plan.TargetIndex))
            if (stream.OpenedAs is { } flags)
                result.Host[FactName("Open flags", stream.Plan.TargetIndex)] = flags.Words;

        result.Status =
            control.Error is not null ? IoResultStatus.Failed
            : cancelled || execution.StoppedBecause is not null ? IoResultStatus.Cancelled
            : execution.Stuck > 0 ? IoResultStatus.Failed
            : IoResultStatus.Complete;
        if (control.Error is { } error)
            result.SetError(error);
        else if (result.Status == IoResultStatus.Failed)
            result.SetError(
                IoBenchException.Failure(
                    "IoBench.IoStuck",
                    $"{Figures.Counted(execution.Stuck, "I/O")} did not come back from {result.Path} within a minute after the end of the run.",
                    result.Path
                )
            );
    }

    private string FactName(string name, int target) => plan.Targets.Length == 1 ? name : $"{name} (target {target + 1})";

    private void FillTotals(IoTestResult result, LatencyTotals sums, int whole)
    {
        var totals = new IoReadWriteTotals();
        sums.Fill(totals, Seconds, _intervalSeconds, whole);
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
        result.P50Ms = Trusted(all, 50);
        result.P90Ms = Trusted(all, 90);
        result.P95Ms = Trusted(all, 95);
        result.P99Ms = Trusted(all, 99);
        result.P999Ms = Trusted(all, 99.9);
        result.ReadAverageLatencyMs = totals.Read.AverageLatencyMs;
        result.ReadP99Ms = Trusted(sums.Latencies.Service.Reads!, 99);
        result.WriteAverageLatencyMs = totals.Write.AverageLatencyMs;
        result.WriteP99Ms = Trusted(sums.Latencies.Service.Writes!, 99);
        result.IopsStdDev = totals.Total.IopsStdDev;
        if (result.LoadModel != IoLoadModel.Open && result.IOPS > 0 && !plan.Workers.Any(w => w.Streams.Any(l => l.Pattern.Pace.IsLimited)))
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
        result.ResponseAverageMs = DistributionResult.Milliseconds(all.Average);
        result.ResponseP50Ms = Trusted(all, 50);
        result.ResponseP90Ms = Trusted(all, 90);
        result.ResponseP95Ms = Trusted(all, 95);
        result.ResponseP99Ms = Trusted(all, 99);
        result.ResponseP999Ms = Trusted(all, 99.9);
        result.ResponseMaxMs = Trusted(all, 100);
        result.DueNotDone = responses.NotDone;
        result.OldestDueMs = responses.NotDone == 0 ? null : responses.OldestAge / 1e6;
        result.RateReachedPercent = streams
            .Where(l => l.Latencies.Response is not null)
            .GroupBy(l => l.Plan.TargetIndex)
            .Min(target => RateReached.Percent([.. target], result.Specification!));
        result.ResponsePercentiles = DistributionResult.Percentiles(responses.Latencies);
        result.ResponseHistogram = DistributionResult.Bands(responses.Latencies);
    }

    private static double? Trusted(LatencyHistogram histogram, double percent) =>
        DistributionResult.Milliseconds(histogram.TrustedPercentile(percent));

    private List<IoTimelinePoint> Timeline(LatencyTotals sums)
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
                    ReadLatency = i < sums.ReadIntervals.Length ? sums.ReadIntervals[i].Summary() : null,
                    WriteLatency = i < sums.WriteIntervals.Length ? sums.WriteIntervals[i].Summary() : null,
                }
            );
        }
        return points;
    }

    private void FillProcessors(IoTestResult result)
    {
        if (execution is not { Before: { } before, After: { } after } || after.Moment <= before.Moment)
            return;
        result.Processors = after.LoadSince(before);
        var processTime = after.ProcessSeconds - before.ProcessSeconds;
        var wall = (after.Moment - before.Moment) / (double)Clock.Second;
        result.CpuPercent = after.UsageSince(before) ?? 100 * processTime / wall / Environment.ProcessorCount;
        // The snapshots are not taken exactly at the ends of the measured time, so divide one rate by the other.
        if (result.IOPS > 0)
            result.CpuUsPerIO = processTime / wall / result.IOPS * 1e6;
        result.ProcessorWaitPercent = execution.ProcessorWaitPercent;
        result.GcCount = after.Collections - before.Collections;
    }

    private IoTargetResult TargetResult(CheckedTarget target, int index, TargetStream[] streams, int whole)
    {
        var specification = _specification.Targets[index];
        var result = new IoTargetResult
        {
            Path = target.Path,
            FileSizeMB = target.Size / 1048576.0,
            ThreadCount = streams.Length,
            Role = specification.Role,
            IOPattern = PatternText.Of(_specification.PatternOf(specification)),
            FileSystem = target.FileSystem,
            Device = target.Device,
            SectorSize = target.LogicalSectorSize,
        };
        var sums = new LatencyTotals(streams, execution.Intervals);
        sums.Fill(result, Seconds, _intervalSeconds, whole);
        result.Percentiles = DistributionResult.Percentiles(sums.Latencies.Service);
        result.Histogram = DistributionResult.Bands(sums.Latencies.Service);
        if (sums.Latencies.Response is { DueCount: > 0 } responses)
        {
            result.ResponsePercentiles = DistributionResult.Percentiles(responses.Latencies);
            result.ResponseHistogram = DistributionResult.Bands(responses.Latencies);
            result.RateReachedPercent = RateReached.Percent(streams, _specification);
        }
        return result;
    }

    private IoThreadResult ThreadResult(TargetStream stream, int whole)
    {
        var result = new IoThreadResult { ThreadId = stream.Plan.Thread, Path = plan.Targets[stream.Plan.TargetIndex].Path };
        var sums = new LatencyTotals([stream], execution.Intervals);
        sums.Fill(result, Seconds, _intervalSeconds, whole);
        if (_specification.ThreadTimelines)
            result.Timeline = Timeline(sums);
        return result;
    }
}
