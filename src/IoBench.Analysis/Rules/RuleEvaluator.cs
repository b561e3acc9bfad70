using System.Collections.Concurrent;
using System.Globalization;
using System.IO.Enumeration;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>Latency limits are averages for low-load tests; saturation tests are not rated by latency.</summary>
public static class RuleEvaluator
{
    /// <summary>Largest total number of outstanding I/Os of a low-load test.</summary>
    public const int MaxLowLoadOutstanding = 2;

    /// <summary>Fewest I/Os from which an average or a highest latency passes. One I/O is no average.</summary>
    public const int MinIOsForAverage = 100;

    /// <summary>Fewest I/Os from which an average fails: storage that needs a second for each I/O does few of them.</summary>
    public const int MinIOsForFailedAverage = 10;

    /// <summary>Fewest I/Os from which a p99 is rated, so that at least 10 I/Os are above it.</summary>
    public const int MinIOsForP99 = 1000;

    /// <summary>Metric of verdicts on the integrity of data: the number of errors.</summary>
    internal const string IntegrityMetric = "IntegrityErrors";

    // Many results share the same few texts.
    private static readonly ConcurrentDictionary<MetricLimit, string> s_limitDescriptions = new();
    private static readonly ConcurrentDictionary<int, string> s_saturated = new();

    private sealed record MetricLimit(ResultMetric Metric, double Value, bool IsMinimum)
    {
        public string Description => s_limitDescriptions.GetOrAdd(this, limit => limit.UncachedDescription);

        private string UncachedDescription => $"{Metric.Words} at {(IsMinimum ? "least" : "most")} {FormatValue(Metric.Name, Value)}";
    }

    /// <summary>Latency in milliseconds, however high it is, so that all values and limits of a table have the same unit.</summary>
    /// <param name="wholeFrom">Value from which numbers that are neither latency nor throughput have no decimals.</param>
    internal static string FormatValue(string metric, double value, double wholeFrom = 1000)
    {
        var number = NumberFormat.Short(value, wholeFrom: wholeFrom);
        if (MetricCatalog.Find(metric) is not { } known)
            return number;
        return known.IsLatency ? FormatMilliseconds(value)
            : known.IsThroughput ? ThroughputDisplay.Format(value)
            : known.Unit.Length == 0 ? number
            : $"{number} {known.Unit}";
    }

    /// <summary>Formats values of one sentence: all in seconds if each is at least 1 s, or else all in the unit of a table.</summary>
    internal static string[] FormatTogether(string metric, params double[] values)
    {
        var isInSeconds = MetricCatalog.Find(metric) is { IsLatency: true } && values.All(value => value >= 1000);
        string[] texts = isInSeconds
            ? [.. values.Select(value => $"{NumberFormat.Short(value / 1000, 2)} s")]
            : [.. values.Select(value => FormatValue(metric, value))];
        // The digits that decide are shown: 1.0004 ms exceeds the limit of 1 ms.
        for (var i = 1; i < values.Length; i++)
        {
            if (texts[0] == texts[i] && !values[0].Equals(values[i]))
                texts[0] = FormatExactly(metric, values[0], isInSeconds);
        }
        return texts;
    }

    /// <summary>Formats the measured value with the digits that separate it from the limit.</summary>
    internal static string FormatMeasured(string metric, double measured, double limit)
    {
        var text = FormatValue(metric, measured);
        return text == FormatValue(metric, limit) && !measured.Equals(limit) ? FormatExactly(metric, measured, isInSeconds: false) : text;
    }

    private static string FormatExactly(string metric, double value, bool isInSeconds)
    {
        var known = MetricCatalog.Find(metric);
        var unit = isInSeconds ? "s" : known?.Unit ?? "";
        var text = (isInSeconds ? value / 1000 : value).ToString("#,##0.#########", CultureInfo.InvariantCulture);
        return known is { IsThroughput: true } ? ThroughputDisplay.Format(value) : $"{text} {unit}".TrimEnd();
    }

    private static string FormatMilliseconds(double value) =>
        value >= 10_000 ? $"{NumberFormat.Grouped(value)} ms" : NumberFormat.Milliseconds(value);

    /// <summary>A low-load test has at most two outstanding I/Os, or a target rate that was reached. Its latency can be rated.</summary>
    public static bool IsLowLoad(IoTestResult result) =>
        result.LoadModel == IoLoadModel.Open ? !result.HasMissedRate() : result.TotalOutstanding is <= MaxLowLoadOutstanding;

    internal static string DescribeStatus(IoResultStatus status) =>
        status == IoResultStatus.Cancelled ? "canceled" : status.ToString().ToLowerInvariant();

    internal static string DescribeMissedRate(IoTestResult result) =>
        result.HasWarning(WarningCodes.WaitedForProcessors) || result.HasWarning(WarningCodes.ProcessorsBusy)
            ? $"{IoTestResult.DescribeMissedRate(result)}; the CPUs were busy, so this computer can be the bottleneck"
            : IoTestResult.DescribeMissedRate(result);

    /// <summary>A rule for a workload that no result has provides one verdict "not rated". Empty if no rule applies.</summary>
    public static IReadOnlyList<RuleVerdict> Evaluate(IEnumerable<IoTestResult> results, IoRuleSet set)
    {
        if (set.Parts.Count == 0)
            return [.. EnumerateVerdicts(results, set)];
        var all = results.ToList();
        return [.. set.Parts.SelectMany(part => Evaluate(all, part))];
    }

    /// <summary>Lazy, for a set without parts: a caller with 100,000 results does not store verdicts that it does not need.</summary>
    internal static IEnumerable<RuleVerdict> EnumerateVerdicts(IEnumerable<IoTestResult> results, IoRuleSet set, bool isSupplement = false)
    {
        var used = new HashSet<IoRule>();
        IoTestResult? any = null;
        foreach (var result in results)
        {
            any ??= result;
            foreach (var rule in set.Rules)
            {
                if (!AppliesTo(rule, result))
                    continue;
                used.Add(rule);
                foreach (var limit in GetLimits(rule, result))
                    yield return CreateVerdict(set, rule, limit, result, isSupplement);
            }
        }
        // A rule that names a workload expects it. Without a verdict, the rule would seem to pass.
        if (any is not null)
            foreach (var rule in set.Rules.Where(rule => rule.Workload is not null && !used.Contains(rule)))
            foreach (var limit in GetLimits(rule, any))
                yield return CreateUnusedVerdict(set, rule, limit);
    }

    public static bool IsOfKind(IoTestResult r, IoRuleKind kind) =>
        kind switch
        {
            IoRuleKind.Any => true,
            IoRuleKind.Read => r.Operation is IoOperation.Read or IoOperation.Mixed,
            IoRuleKind.Write => r.Operation is IoOperation.Write or IoOperation.Mixed,
            IoRuleKind.PageRead => r is { Operation: IoOperation.Read, AccessPattern: IoAccessPattern.Random, BlockSizeKB: 8 },
            IoRuleKind.Scan => r
                is {
                    Operation: IoOperation.Read,
                    AccessPattern: IoAccessPattern.Interlocked or IoAccessPattern.Sequential,
                    BlockSizeKB: >= 256
                },
            IoRuleKind.LogCommit => r
                is {
                    Operation: IoOperation.Write,
                    AccessPattern: IoAccessPattern.Interlocked or IoAccessPattern.Sequential,
                    BlockSizeKB: <= 60,
                }
                && (r.TotalOutstanding <= MaxLowLoadOutstanding || r.LoadModel == IoLoadModel.Open),
            IoRuleKind.Checkpoint => r.Workload?.StartsWith("checkpoint", StringComparison.OrdinalIgnoreCase) == true,
            _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, null),
        };

    private static bool AppliesTo(IoRule rule, IoTestResult result) =>
        (rule.Workload is null || FileSystemName.MatchesSimpleExpression(rule.Workload, result.Workload ?? ""))
        && IsOfKind(result, rule.Kind);

    private static IEnumerable<MetricLimit> GetLimits(IoRule rule, IoTestResult result)
    {
        if (rule.MinIOPS is { } iops)
            yield return new(MetricCatalog.Get("IOPS"), iops, true);
        if (rule.MinMBps is { } mbps)
            yield return new(MetricCatalog.Get("BandwidthMBps"), mbps, true);
        if (rule.MaxAverageLatencyMs is { } average)
            yield return new(MetricCatalog.Get(GetAverageMetric(rule, result)), average, false);
        if (rule.MaxP99Ms is { } p99)
            yield return new(MetricCatalog.Get(GetP99Metric(rule, result)), p99, false);
        if (rule.MaxLatencyMs is { } max)
            yield return new(
                MetricCatalog.Get(result.ResponseMaxMs is not null && !result.HasMissedRate() ? "ResponseMaxMs" : "MaxLatencyMs"),
                max,
                false
            );
        if (rule.MaxIopsVariation is { } variation)
            yield return new(MetricCatalog.Get("IopsVariation"), variation, false);
    }

    private static string? GetRatedPart(IoRule rule, IoTestResult result) =>
        result.Operation != IoOperation.Mixed
            ? null
            : rule.Kind switch
            {
                IoRuleKind.Read => "Read",
                IoRuleKind.Write => "Write",
                _ => null,
            };

    private static string GetAverageMetric(IoRule rule, IoTestResult result) =>
        GetRatedPart(rule, result) switch
        {
            { } part => MetricCatalog.Get(part + "ResponseAverageMs").Figure!(result) is not null
                ? part + "ResponseAverageMs"
                : part + "AverageLatencyMs",
            // Stalls of an open loop show only in the response time.
            _ when result.ResponseAverageMs is not null => "ResponseAverageMs",
            _ => ResultFormats.IsInWholeMilliseconds(result) ? "LittlesLawLatencyMs" : "AverageLatencyMs",
        };

    private static string GetP99Metric(IoRule rule, IoTestResult result) =>
        GetRatedPart(rule, result) switch
        {
            { } part => MetricCatalog.Get(part + "ResponseP99Ms").Figure!(result) is not null ? part + "ResponseP99Ms" : part + "P99Ms",
            _ => result.ResponseP99Ms is not null ? "ResponseP99Ms" : "P99Ms",
        };

    /// <summary>Returns the rated value and its limit, such as <c>average latency 19.2 ms exceeds the limit of 1 ms</c>.</summary>
    internal static string DescribeRated(RuleVerdict verdict)
    {
        var words = MetricCatalog.Get(verdict.Metric).Words;
        var measured = verdict.Measured ?? double.NaN;
        var texts = FormatTogether(verdict.Metric, measured, verdict.Limit, verdict.WarnFrom ?? verdict.Limit);
        // "IOPS 900 IOPS" would repeat the unit.
        var value = words == verdict.Unit ? $"{words} {NumberFormat.Short(measured)}" : $"{words} {texts[0]}";
        var owner = verdict.IsIoBenchLimit ? "IoBench limit" : "limit";
        if (verdict.IsExceeded)
        {
            var band = verdict is { HasSeveralSources: true, Band: { } name } ? $" ({name})" : "";
            return $"{value} {(verdict.IsMinimum ? "is below" : "exceeds")} the {owner} of {texts[1]}{band}";
        }
        if (verdict.ExceededGuideline is { } guideline)
            return $"{value} meets the {owner} of {texts[1]}, but exceeds {guideline}";
        return verdict.HasWarning
            ? $"{value} reaches the warning threshold of {texts[2]} (limit {texts[1]})"
            : $"{value} meets the {owner} of {texts[1]}";
    }

    internal static string? FindAverageBand(IoRule rule, double milliseconds) =>
        FindBand(rule, new(MetricCatalog.Get("AverageLatencyMs"), rule.MaxAverageLatencyMs!.Value, false), milliseconds);

    private static string? FindBand(IoRule rule, MetricLimit limit, double measured)
    {
        // A value that equals the limit passes, so it belongs to the band that ends there.
        foreach (var band in rule.Bands)
            if (
                band.UpTo is null
                || measured < band.UpTo
                || (measured.Equals(band.UpTo) && measured.Equals(limit.Value) && !limit.IsMinimum)
            )
                return band.Name;
        return null;
    }

    /// <summary>Returns why a latency is not rated from so few I/Os; null if it is, or if the number of I/Os is unknown.</summary>
    private static string? DescribeFewIOs(MetricLimit limit, IoTestResult result)
    {
        if (!limit.Metric.IsLatency || GetIOCount(limit.Metric.Name, result) is not { } count)
            return null;
        var isExceeded = limit.Metric.Figure!(result) > limit.Value;
        // One I/O that takes too long is enough to exceed the limit of the longest I/O.
        if (isExceeded && limit.Metric.Name is ("MaxLatencyMs" or "ResponseMaxMs"))
            return null;
        var least =
            limit.Metric.Name.Contains("P99", StringComparison.Ordinal) ? MinIOsForP99
            : isExceeded ? MinIOsForFailedAverage
            : MinIOsForAverage;
        return count >= least
            ? null
            : $"the test has {NumberFormat.PluralizeGrouped(count, "I/O")}, but a rating of the {limit.Metric.Words} requires at least {NumberFormat.Grouped(least)}";
    }

    private static long? GetIOCount(string metric, IoTestResult result)
    {
        var rate =
            metric.StartsWith("Read", StringComparison.Ordinal) ? result.ReadIOPS
            : metric.StartsWith("Write", StringComparison.Ordinal) ? result.WriteIOPS
            : result.IOPS;
        if (result.IOCount is { } count && (rate.Equals(result.IOPS) || result.IOPS is not > 0))
            return count;
        return rate * result.DurationSeconds is { } estimate ? (long)Math.Round(estimate) : null;
    }

    private static RuleVerdict CreateVerdict(IoRuleSet set, IoRule rule, MetricLimit limit, IoTestResult result, bool isSupplement)
    {
        var measured = limit.Metric.Figure!(result);
        // The maximum latency of one I/O is meaningful even if the rate was not reached.
        var rateMissed = limit.Metric.IsLatency && limit.Metric.Name != "MaxLatencyMs" && result.HasMissedRate();
        var saturated = limit.Metric.IsLatency && !rule.AnyLoad && !IsLowLoad(result);
        var fewIOs = DescribeFewIOs(limit, result);
        var band = measured is null || saturated || rateMissed || fewIOs is not null ? null : FindBand(rule, limit, measured.Value);
        var outcome = VerdictOutcome.NotRated;
        var hasWarning = false;
        var isDoubtful = false;
        string? reason = null;
        if (result.Status is not IoResultStatus.Complete)
            reason = $"the run is {DescribeStatus(result.Status)}";
        else if (result.Operation is not IoOperation.Write && result.HasWarning(WarningCodes.Holes))
            reason = "the file has ranges that were never written, and reads of these ranges do not reach the device";
        else if (result.Integrity is { Outcome: not IoIntegrityOutcome.Verified })
            reason = DescribeIntegrityProblem(result);
        else if (rateMissed)
            reason = $"{DescribeMissedRate(result)}, so latency is not rated";
        else if (saturated)
            reason = result.TotalOutstanding is { } outstanding
                ? s_saturated.GetOrAdd(
                    outstanding,
                    count => $"this is a saturation test ({count} outstanding I/Os), so latency is not rated"
                )
                : "the load is unknown, so latency is not rated";
        else if (measured is null)
            reason = $"the result has no {limit.Metric.Words}";
        else if (fewIOs is not null)
            reason = fewIOs;
        else
        {
            var isMet = limit.IsMinimum ? measured >= limit.Value : measured <= limit.Value;
            isDoubtful = !isMet && IsExplainedByCpuWait(limit, measured.Value, result);
            hasWarning = !isDoubtful && (isMet ? !limit.IsMinimum && measured >= rule.WarnFrom : rule.IsIoBenchLimit);
            if (isDoubtful)
            {
                reason = DescribeDoubt(limit, measured.Value, result);
                band = null;
            }
            else
                outcome =
                    !isMet && !rule.IsIoBenchLimit ? VerdictOutcome.Fail
                    : IsPreliminary(result) ? VerdictOutcome.PreliminaryPass
                    : VerdictOutcome.Pass;
        }
        return new RuleVerdict
        {
            RuleSet = set.Name,
            Rule = limit.Description,
            Workload = result.Workload,
            IOPattern = result.IOPattern,
            Path = result.Path,
            Label = result.Label,
            Metric = limit.Metric.Name,
            Measured = measured,
            Limit = limit.Value,
            Band = band,
            Outcome = outcome,
            ReasonNotRated = reason,
            IsDoubtful = isDoubtful && !rule.IsIoBenchLimit,
            Source = set.Source,
            IsIoBenchLimit = rule.IsIoBenchLimit,
            Run = result,
            IsMinimum = limit.IsMinimum,
            IsSupplement = isSupplement,
            HasWarning = hasWarning,
            HasSeveralSources = set.Storage is not null,
            CriticalFrom = limit.IsMinimum ? null : rule.CriticalFrom,
            WarnFrom = limit.IsMinimum ? null : rule.WarnFrom,
        };
    }

    /// <summary>Verdict of a limit on the average latency that SQL Server observed. Fewer than 100 I/Os are not rated.</summary>
    /// <param name="subject">The I/Os in words, such as <c>log writes of L:\x.ldf</c>.</param>
    /// <param name="guideline">A lower limit that a pass with a warning exceeds, in words; null = none.</param>
    internal static RuleVerdict CreateObservedVerdict(
        IoRuleSet set,
        IoRule rule,
        string subject,
        string path,
        long count,
        double milliseconds,
        bool isPreliminary,
        string? guideline = null
    )
    {
        var limit = new MetricLimit(MetricCatalog.Get("AverageLatencyMs"), rule.MaxAverageLatencyMs!.Value, false);
        var isRated = count >= MinIOsForAverage;
        var isMet = milliseconds <= limit.Value;
        return new()
        {
            RuleSet = set.Name,
            Rule = limit.Description,
            Workload = subject,
            Path = path,
            Metric = limit.Metric.Name,
            Measured = milliseconds,
            Limit = limit.Value,
            Band = isRated ? FindBand(rule, limit, milliseconds) : null,
            Outcome =
                !isRated ? VerdictOutcome.NotRated
                : !isMet && !rule.IsIoBenchLimit ? VerdictOutcome.Fail
                : isPreliminary ? VerdictOutcome.PreliminaryPass
                : VerdictOutcome.Pass,
            ReasonNotRated = isRated
                ? null
                : $"too few I/Os: {NumberFormat.PluralizeGrouped(count, "I/O")}; a rating of the {limit.Metric.Words} requires at least {MinIOsForAverage}",
            Source = set.Source,
            IsIoBenchLimit = rule.IsIoBenchLimit,
            HasWarning = isRated && (isMet ? guideline is not null || milliseconds >= rule.WarnFrom : rule.IsIoBenchLimit),
            ExceededGuideline = isRated && isMet ? guideline : null,
            HasSeveralSources = rule.Bands.Count > 0,
            CriticalFrom = rule.CriticalFrom,
            WarnFrom = rule.WarnFrom,
        };
    }

    /// <summary>Worker threads that wait for a CPU overstate latency and understate rates.</summary>
    private static bool IsExplainedByCpuWait(MetricLimit limit, double measured, IoTestResult result)
    {
        // One I/O cannot have waited longer than all worker threads together.
        if (limit.Metric.Name is "MaxLatencyMs" or "ResponseMaxMs" && measured - limit.Value > GetTotalCpuWaitMs(result))
            return false;
        return limit.IsMinimum
            ? CpuWait.CanExplainRate(result, limit.Value / measured)
            : CpuWait.CanExplainLatency(result, measured, limit.Value, limit.Metric.Name is "AverageLatencyMs" or "ResponseAverageMs");
    }

    private static double GetTotalCpuWaitMs(IoTestResult result) =>
        (result.ProcessorWaitPercent ?? 0) / 100 * (result.DurationSeconds ?? 0) * 1000;

    private static string DescribeDoubt(MetricLimit limit, double measured, IoTestResult result) =>
        Invariant(
            $"{limit.Metric.Words} {FormatMeasured(limit.Metric.Name, measured, limit.Value)} {(limit.IsMinimum ? "is below" : "exceeds")} the limit of {FormatValue(limit.Metric.Name, limit.Value)}, but {CpuWait.DescribeReason(result)}. Repeat the test when the computer is less busy"
        );

    /// <summary>Creates a failed verdict for each result with integrity errors, and one without a rating for content not
    /// verified.</summary>
    internal static IEnumerable<RuleVerdict> CreateIntegrityVerdicts(IEnumerable<IoTestResult> results, IoRuleSet set) =>
        results
            .Where(result => result.Integrity is { Outcome: not IoIntegrityOutcome.Verified })
            .Select(result => new RuleVerdict
            {
                RuleSet = set.Name,
                Rule = "data integrity: all reads return the expected data",
                Workload = result.Workload,
                IOPattern = result.IOPattern,
                Path = result.Path,
                Label = result.Label,
                Metric = IntegrityMetric,
                Measured = result.Integrity!.ErrorCount,
                Limit = 0,
                Outcome = result.Integrity.Outcome == IoIntegrityOutcome.Damaged ? VerdictOutcome.Fail : VerdictOutcome.NotRated,
                ReasonNotRated = DescribeIntegrityProblem(result),
                Run = result,
            });

    private static string DescribeIntegrityProblem(IoTestResult result) =>
        result.Integrity!.Outcome == IoIntegrityOutcome.Damaged
            ? $"the integrity check found {NumberFormat.PluralizeGrouped(result.Integrity.ErrorCount, "error")}"
            : IntegrityMessages.NotVerified;

    private static RuleVerdict CreateUnusedVerdict(IoRuleSet set, IoRule rule, MetricLimit limit) =>
        new()
        {
            RuleSet = set.Name,
            Rule = limit.Description,
            Workload = rule.Workload,
            Metric = limit.Metric.Name,
            Limit = limit.Value,
            Outcome = VerdictOutcome.NotRated,
            ReasonNotRated = $"no result is from the workload {rule.Workload}",
            Source = set.Source,
            IsIoBenchLimit = rule.IsIoBenchLimit,
        };

    /// <summary>A test file of 20 GB qualifies for a rating. The limit is lower because old tools use decimal megabytes.</summary>
    private const double MinFileSizeMB = 19_000;

    private const double MinKnownFileSizeMB = 512;

    /// <summary>A test file of at least this many times the cache size is not served from cache. Source: documents of SQLIO.</summary>
    private const double CacheFactor = 4;

    public const string PreliminaryAdvice =
        "The test file is small or the runs are short. For a rating, use a file of at least 20 GB and runs of at least 10 s. "
        + "If you specify the size of the storage cache (0 = no cache), a file of four times the cache size is enough.";

    internal const double MinSeconds = 10;

    /// <summary>Whether the file of a test is too small or the run is too short for a rating.</summary>
    public static bool IsPreliminary(IoTestResult run)
    {
        if (run.DurationSeconds < MinSeconds)
            return true;
        // A stated cache size decides: a log volume of 7 GB can be large enough, while 20 GB are too small for a cache of 512 GB.
        return run.GetStoredSpecification()?.StorageCacheSize is { } cache
            ? run.FileSizeMB < Math.Max(MinKnownFileSizeMB, CacheFactor * cache / 1048576)
            : run.FileSizeMB < MinFileSizeMB || run.HasWarning(WarningCodes.QuickLook);
    }
}
