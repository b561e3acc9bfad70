using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Checks the numbers of a result that was read. All formats are checked here, after their readers.</summary>
internal static class ResultValidator
{
    /// <summary>Highest possible number, except for counts: 3 years in milliseconds, 95 PB in MiB.</summary>
    private const double MaxValue = 1e11;

    /// <summary>One nanosecond.</summary>
    private const double MinLatencyMs = 1e-6;

    private const int MaxNamed = 5;

    private static readonly string[] s_canBeZero = ["MinLatencyMs", "LatencyStdDevMs", "OldestDueMs"];
    private static readonly string[] s_positive = ["TargetCount", "ThreadCount", "OutstandingIO", "TotalOutstanding", "BlockSizeKB"];

    private static readonly (ResultMetric Metric, NumberKind Kind)[] s_metrics =
    [
        .. MetricCatalog.All.Where(metric => metric.Clear is not null).Select(metric => (metric, GetKind(metric))),
    ];

    private enum NumberKind
    {
        NotNegative,
        Positive,
        Signed,
        Count,
        Percent,
        Latency,
    }

    /// <summary>
    /// Sets each impossible number of the results to null, or removes the list that contains it, and adds a warning to the result. Reports
    /// one message for all of them after the last result.
    /// </summary>
    public static IEnumerable<IoTestResult> Validate(this IEnumerable<IoTestResult> results, string name, Action<string>? note)
    {
        var count = 0;
        string? first = null;
        var number = 0;
        foreach (var result in results)
        {
            number++;
            if (RemoveImpossibleValues(result) is { } removed)
            {
                count++;
                first ??= $"result {NumberFormat.Integer(number)}: {removed}";
            }
            AddOutstandingWarning(result);
            yield return result;
        }
        if (first is not null)
            note?.Invoke(
                $"{name}: IoBench ignores impossible values in {NumberFormat.Pluralize(count, "result")} ({first}), and does not rate them."
            );
    }

    /// <summary>Returns the removed values, such as <c>AverageLatencyMs -1.1</c>; null if there are none.</summary>
    public static string? RemoveImpossibleValues(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        var check = new Check(ResultFormats.IsInWholeMilliseconds(result) || BackendCatalog.IsModeled(result));
        check.Clear(result);
        check.Clear(result.Totals, "Totals");
        // Not a lambda: it would allocate memory for each result, also without targets.
        if (result.GetStoredTargets() is { } targets)
            foreach (var target in targets)
                check.Clear(target);
        if (result.HasThreads() && !result.Threads.TrueForAll(check.IsPossible))
        {
            check.Remove("Threads");
            result.Threads = [];
        }
        if (result.GetStoredPercentiles() is { } percentiles && !percentiles.TrueForAll(check.IsPossible))
        {
            check.Remove("Percentiles");
            result.Percentiles = [];
        }
        if (!check.IsPossible(result.Histogram))
        {
            check.Remove("Histogram");
            result.Histogram = null;
        }
        if (!check.IsPossible(result.ResponseHistogram))
        {
            check.Remove("ResponseHistogram");
            result.ResponseHistogram = null;
        }
        if (result.LoadModel == IoLoadModel.Open && !result.ResponsePercentiles.TrueForAll(check.IsPossible))
        {
            check.Remove("ResponsePercentiles");
            result.ResponsePercentiles = [];
        }
        if (result.HasTimeline() && !result.Timeline.TrueForAll(check.IsPossible))
        {
            check.Remove("Timeline");
            result.Timeline = [];
        }
        if (result.HasSlowIOs() && !result.SlowestIOs.TrueForAll(check.IsPossible))
        {
            check.Remove("SlowestIOs");
            result.SlowestIOs = [];
        }
        if (result.HasSlowIOs() && !result.Stalls.TrueForAll(check.IsPossible))
        {
            check.Remove("Stalls");
            result.Stalls = [];
        }
        if (result.HostPauses is { Count: > 0 } pauses && !pauses.TrueForAll(check.IsPossible))
        {
            check.Remove("HostPauses");
            result.HostPauses = [];
        }
        if (result.Devices is { Count: > 0 } devices && !devices.TrueForAll(check.IsPossible))
        {
            check.Remove("Devices");
            result.Devices = [];
        }
        if (result.HasProcessors() && !result.Processors.TrueForAll(check.IsPossible))
        {
            check.Remove("Processors");
            result.Processors = [];
        }
        if (!check.IsPossible(result.Integrity))
        {
            check.Remove("Integrity");
            result.Integrity = null;
        }
        if (check.Removed is not { } removed)
            return null;
        result.AddWarning(new IoWarning(WarningCodes.ImpossibleValue, $"IoBench ignores impossible values: {removed}."));
        return removed;
    }

    private static NumberKind GetKind(ResultMetric metric)
    {
        if (metric.ValueType == typeof(long))
            return NumberKind.Count;
        if (metric.Name == nameof(IoTestResult.StartOffsetSeconds))
            return NumberKind.Signed;
        if (metric.Name == nameof(IoTestResult.WritePercent))
            return NumberKind.Percent;
        if (s_positive.Contains(metric.Name))
            return NumberKind.Positive;
        return metric.IsLatency && !s_canBeZero.Contains(metric.Name) ? NumberKind.Latency : NumberKind.NotNegative;
    }

    /// <param name="allowsZeroLatency">The source reports whole milliseconds, or the device is modeled.</param>
    private sealed class Check(bool allowsZeroLatency)
    {
        // Almost no result has impossible values, so the list is created on demand.
        private List<string>? _removed;

        /// <summary>Null if nothing was removed.</summary>
        public string? Removed =>
            _removed is null ? null
            : _removed.Count <= MaxNamed ? string.Join(", ", _removed)
            : $"{string.Join(", ", _removed.Take(MaxNamed))}, and {_removed.Count - MaxNamed} more";

        /// <summary>Records that the caller removes a list.</summary>
        public void Remove(string list) => (_removed ??= []).Add(list);

        public void Clear(IoTestResult result)
        {
            var hasNoIO = result.IOCount == 0;
            foreach (var (metric, kind) in s_metrics)
            {
                if (metric.Figure!(result) is not { } value)
                    continue;
                // Most numbers are in a range that is possible for each kind.
                if (value is >= MinLatencyMs and <= 100 && !hasNoIO)
                    continue;
                // A run without I/Os has neither a throughput nor an average latency.
                var needsIO = hasNoIO && value > 0 && (metric.IsHigherBetter == true || metric.Name == "AverageLatencyMs");
                if (IsPossible(value, kind) && !needsIO)
                    continue;
                metric.Clear!(result);
                (_removed ??= []).Add(Describe(metric.Name, value));
            }
        }

        public void Clear(IoReadWriteTotals? totals, string name)
        {
            if (totals is null)
                return;
            Clear(totals.Total, name + ".Total");
            Clear(totals.Read, name + ".Read");
            Clear(totals.Write, name + ".Write");
        }

        public void Clear(IoTargetResult target)
        {
            Clear(target, "Targets");
            target.FileSizeMB = Filter(target.FileSizeMB, NumberKind.NotNegative, "Targets", ".FileSizeMB");
            target.RateReachedPercent = Filter(target.RateReachedPercent, NumberKind.NotNegative, "Targets", ".RateReachedPercent");
            if (!target.Percentiles.TrueForAll(IsPossible))
            {
                Remove("Targets.Percentiles");
                target.Percentiles = [];
            }
            if (!target.ResponsePercentiles.TrueForAll(IsPossible))
            {
                Remove("Targets.ResponsePercentiles");
                target.ResponsePercentiles = [];
            }
            if (!IsPossible(target.Histogram))
            {
                Remove("Targets.Histogram");
                target.Histogram = null;
            }
            if (!IsPossible(target.ResponseHistogram))
            {
                Remove("Targets.ResponseHistogram");
                target.ResponseHistogram = null;
            }
        }

        public bool IsPossible(IoThreadResult thread)
        {
            var check = new Check(allowsZeroLatency);
            check.Clear(thread, "");
            return check.Removed is null && thread.Timeline.TrueForAll(IsPossible);
        }

        public bool IsPossible(IoPercentile percentile) =>
            IsPossible(percentile.Percent, NumberKind.Percent) && ArePossible(percentile.ReadMs, percentile.WriteMs, percentile.TotalMs);

        public bool IsPossible(IoTimelinePoint point) =>
            ArePossible(point.Seconds, point.IOPS, point.MBps, point.ReadIOPS, point.WriteIOPS, point.AverageLatencyMs, point.MaxLatencyMs)
            && IsPossible(point.ReadLatency)
            && IsPossible(point.WriteLatency)
            && (
                point.Latencies is not { } latencies
                || ArePossible(latencies.FromSeconds, latencies.AverageMs, latencies.P50Ms, latencies.P99Ms, latencies.P999Ms)
                    && ArePossible(latencies.MaxMs, latencies.ReadP99Ms, latencies.WriteP99Ms)
            );

        public bool IsPossible(IoSlowIO io) => IsPossible(io.Seconds, NumberKind.Signed) && ArePossible(io.LatencyMs, io.QueuedMs);

        public bool IsPossible(IoStall stall) => IsPossible(stall.Seconds, NumberKind.Signed) && ArePossible(stall.LengthSeconds);

        public bool IsPossible(IoHostPause stall) => IsPossible(stall.Seconds, NumberKind.Signed) && ArePossible(stall.LengthSeconds);

        public bool IsPossible(IoDeviceLoad load) =>
            ArePossible(load.ReadCount, load.WriteCount, load.ReadBytes, load.WriteBytes, load.ReadMs, load.WriteMs);

        public bool IsPossible(IoProcessorLoad load) =>
            ArePossible(load.UsagePercent, load.UserPercent, load.KernelPercent, load.IdlePercent);

        public bool IsPossible(IoIntegrity? integrity) =>
            integrity is null
            || ArePossible(integrity.ErrorCount, integrity.ReadCount, integrity.WriteCount)
                && integrity.ErrorsByKind.TrueForAll(errors => errors.Count >= 0)
                && ArePossible(integrity.FirstPass?.ErrorCount, integrity.FirstPass?.Seconds)
                && ArePossible(integrity.FinalPass?.ErrorCount, integrity.FinalPass?.Seconds);

        public bool IsPossible(IoHistogram? histogram) =>
            histogram?.GetStoredBuckets() is not { } buckets
            || buckets.TrueForAll(bucket =>
                IsPossible(bucket.Percent, NumberKind.NotNegative)
                && ArePossible(bucket.FromMs, bucket.ToMs)
                && bucket.ReadCount is not < 0
                && bucket.WriteCount is not < 0
            );

        private bool IsPossible(IoLatencySummary? latency) =>
            latency is null || ArePossible(latency.MinMs, latency.MaxMs, latency.AverageMs, latency.StdDevMs);

        private bool ArePossible(params ReadOnlySpan<double?> values)
        {
            foreach (var value in values)
                if (value is { } number && !IsPossible(number, NumberKind.NotNegative))
                    return false;
            return true;
        }

        private void Clear(IoTotals totals, string name)
        {
            var latency = totals.IOCount == 0 ? NumberKind.NotNegative : NumberKind.Latency;
            totals.IOCount = (long?)Filter(totals.IOCount, NumberKind.Count, name, ".IOCount");
            totals.ByteCount = (long?)Filter(totals.ByteCount, NumberKind.Count, name, ".ByteCount");
            totals.IOPS = Filter(totals.IOPS, NumberKind.NotNegative, name, ".IOPS");
            totals.MBps = Filter(totals.MBps, NumberKind.NotNegative, name, ".MBps");
            totals.AverageLatencyMs = Filter(totals.AverageLatencyMs, latency, name, ".AverageLatencyMs");
            totals.MinLatencyMs = Filter(totals.MinLatencyMs, NumberKind.NotNegative, name, ".MinLatencyMs");
            totals.MaxLatencyMs = Filter(totals.MaxLatencyMs, latency, name, ".MaxLatencyMs");
            totals.LatencyStdDevMs = Filter(totals.LatencyStdDevMs, NumberKind.NotNegative, name, ".LatencyStdDevMs");
            totals.IopsStdDev = Filter(totals.IopsStdDev, NumberKind.NotNegative, name, ".IopsStdDev");
            totals.ResponseAverageMs = Filter(totals.ResponseAverageMs, latency, name, ".ResponseAverageMs");
            totals.ResponseP99Ms = Filter(totals.ResponseP99Ms, latency, name, ".ResponseP99Ms");
            totals.ResponseMaxMs = Filter(totals.ResponseMaxMs, latency, name, ".ResponseMaxMs");
        }

        /// <param name="member">Appended to the name only if necessary, because there are very many values.</param>
        private double? Filter(double? value, NumberKind kind, string name, string member)
        {
            if (value is not { } number || IsPossible(number, kind))
                return value;
            (_removed ??= []).Add(Describe(name + member, number));
            return null;
        }

        private bool IsPossible(double value, NumberKind kind)
        {
            if (!double.IsFinite(value) || double.IsSubnormal(value))
                return false;
            return kind switch
            {
                NumberKind.Count => value >= 0,
                NumberKind.Signed => Math.Abs(value) <= MaxValue,
                NumberKind.Percent => value is >= 0 and <= 100,
                NumberKind.Positive => value is > 0 and <= MaxValue,
                NumberKind.Latency => value is >= MinLatencyMs and <= MaxValue || (value == 0 && allowsZeroLatency),
                _ => value is >= 0 and <= MaxValue,
            };
        }

        private static string Describe(string name, double value) => $"{name} {value.ToString("G6", CultureInfo.InvariantCulture)}";
    }

    private const double MinShare = 0.7;
    private const double MaxShare = 1.3;

    /// <summary>Fewer I/Os than this, together with the start and the end of a run, show no average.</summary>
    private const int MinIOs = 10;

    /// <summary>SQLIO truncates its average latency to whole milliseconds twice.</summary>
    private const double WholeMillisecondsError = 2;

    /// <summary>
    /// Compares the average number of outstanding I/Os (Little's law: IOPS times average latency) with the requested number. Readers set
    /// the latency of Little's law only for closed loops without a rate limit or think time.
    /// </summary>
    private static void AddOutstandingWarning(IoTestResult result)
    {
        if (
            result
                is not {
                    Status: IoResultStatus.Complete,
                    LoadModel: IoLoadModel.Closed,
                    LittlesLawLatencyMs: > 0 and var expected,
                    AverageLatencyMs: > 0 and var latency,
                    TotalOutstanding: > 0 and var requested,
                    IOPS: > 0 and var iops,
                }
            || result.IOCount < MinIOs
            || result.Source == ResultFormats.OwnTool
        )
            return;
        var error = ResultFormats.IsInWholeMilliseconds(result) ? WholeMillisecondsError : 0;
        var isLower = (latency + error) / expected < MinShare;
        if ((!isLower && latency / expected <= MaxShare) || result.HasWarning(WarningCodes.OutstandingDiffers))
            return;
        var outstanding = iops * latency / 1000;
        var effect = isLower
            ? "so the results represent a lower queue depth"
            : "so the latency includes time that I/Os spent in another queue";
        result.AddWarning(
            new IoWarning(
                WarningCodes.OutstandingDiffers,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"On average, {FormatCount(outstanding)} I/Os were outstanding (IOPS x average latency), {(isLower ? "fewer" : "more")} than the {requested} requested, {effect}."
                )
            )
        );
    }

    private static string FormatCount(double count) => count.ToString(count < 10 ? "0.##" : "0", CultureInfo.InvariantCulture);
}
