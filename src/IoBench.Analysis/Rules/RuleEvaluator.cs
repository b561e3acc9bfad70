using System.Collections.Concurrent;
using System.IO.Enumeration;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>Latency limits are averages for low-load tests; saturation tests are not rated by latency.</summary>
public static class RuleEvaluator
{
    /// <summary>Largest total number of outstanding I/Os of a low-load test.</summary>
    public const int MaxLowLoadOutstanding = 2;

    // Many results share the same few texts.
    private static readonly ConcurrentDictionary<MetricLimit, string> s_limitDescriptions = new();
    private static readonly ConcurrentDictionary<int, string> s_saturated = new();
    private static readonly ConcurrentDictionary<
        (MetricLimit Limit, RuleOutcome Outcome, string? Band, double? WarnFrom),
        string
    > s_limitReasons = new();

    private sealed record MetricLimit(ResultMetric Metric, double Value, bool IsMinimum)
    {
        public string Description => s_limitDescriptions.GetOrAdd(this, limit => limit.UncachedDescription);

        private string UncachedDescription => $"{Metric.Words} at {(IsMinimum ? "least" : "most")} {FormatValue(Value)}";

        public string FormatValue(double value) =>
            Metric.IsLatency ? NumberFormat.Milliseconds(value)
            : Metric.IsThroughput ? ThroughputDisplay.Format(value)
            : Metric.Unit.Length == 0 || Metric.Unit == Metric.Words ? NumberFormat.Short(value)
            : $"{NumberFormat.Short(value)} {Metric.Unit}";
    }

    /// <summary>A low-load test has at most two outstanding I/Os, or a target rate that was reached. Its latency can be rated.</summary>
    public static bool IsLowLoad(IoTestResult result) =>
        result.LoadModel == IoLoadModel.Open ? !result.HasMissedRate() : result.TotalOutstanding is <= MaxLowLoadOutstanding;

    internal static string DescribeMissedRate(IoTestResult result) =>
        $"{IoBench.Engine.IoTestResult.DescribeMissedRate(result)}: the storage cannot keep this rate";

    /// <summary>A rule for a workload that no result has provides one verdict "not rated". Empty if no rule applies.</summary>
    public static IReadOnlyList<RuleVerdict> Evaluate(IEnumerable<IoTestResult> results, IoRuleSet set)
    {
        if (set.Parts.Count == 0)
            return [.. EnumerateVerdicts(results, set)];
        var all = results.ToList();
        return [.. set.Parts.SelectMany(part => Evaluate(all, part))];
    }

    /// <summary>Lazy, for a set without parts: a caller with 100,000 results does not store verdicts that it does not need.</summary>
    internal static IEnumerable<RuleVerdict> EnumerateVerdicts(IEnumerable<IoTestResult> results, IoRuleSet set)
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
                    yield return CreateVerdict(set, rule, limit, result);
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
                    TotalOutstanding: <= MaxLowLoadOutstanding
                },
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

    private static string DescribeLimit((MetricLimit Limit, RuleOutcome Outcome, string? Band, double? WarnFrom) judged) =>
        $"limit {judged.Limit.FormatValue(judged.Limit.Value)}"
        // The rule set for a kind of storage combines several sources, so the band shows which of them the value exceeds.
        + (judged.Band is { } band ? $": {band}" : "")
        + (judged.WarnFrom is { } from ? $", a warning from {judged.Limit.FormatValue(from)} on" : "")
        + (judged.Outcome == RuleOutcome.Provisional ? ": kept, as far as a quick look can tell" : "");

    internal static string DescribeValue(string metric, double measured)
    {
        var limit = new MetricLimit(MetricCatalog.Get(metric), 0, false);
        return $"{limit.Metric.Words} {limit.FormatValue(measured)}";
    }

    private static string? FindBand(IoRule rule, double measured)
    {
        foreach (var band in rule.Bands)
            if (band.UpTo is null || measured < band.UpTo)
                return band.Name;
        return null;
    }

    private static RuleVerdict CreateVerdict(IoRuleSet set, IoRule rule, MetricLimit limit, IoTestResult result)
    {
        var measured = limit.Metric.Figure!(result);
        // The maximum latency of one I/O is meaningful even if the rate was not reached.
        var rateMissed = limit.Metric.IsLatency && limit.Metric.Name != "MaxLatencyMs" && result.HasMissedRate();
        var saturated = limit.Metric.IsLatency && !rule.AnyLoad && !IsLowLoad(result);
        var band = measured is null || saturated || rateMissed ? null : FindBand(rule, measured.Value);
        var outcome = RuleOutcome.NotRated;
        string? reason = null,
            bound = null;
        if (result.Status is not IoResultStatus.Complete)
            reason = $"the run is {result.Status.ToString().ToLowerInvariant()}: not rated";
        else if (result.Operation is not IoOperation.Write && result.HasWarning(WarningCodes.Holes))
            reason = "the file has parts that were never written, and reads of them do not reach the device: not rated";
        else if (result.Integrity is { Outcome: not IoIntegrityOutcome.Verified })
            reason = DescribeIntegrityProblem(result);
        else if (rateMissed)
            reason = $"{DescribeMissedRate(result)}, latency not rated";
        else if (saturated)
            reason = result.TotalOutstanding is { } outstanding
                ? s_saturated.GetOrAdd(outstanding, count => $"saturated ({count} outstanding): latency not rated")
                : "the load is not known: latency not rated";
        else if (measured is null)
            reason = $"the result has no {limit.Metric.Words}";
        else
        {
            var isMet = limit.IsMinimum ? measured >= limit.Value : measured <= limit.Value;
            outcome =
                !isMet ? RuleOutcome.Fail
                : !limit.IsMinimum && measured >= rule.WarnFrom ? RuleOutcome.Warn
                : RatingEligibility.IsPreliminary(result) ? RuleOutcome.Provisional
                : RuleOutcome.Pass;
            bound = s_limitReasons.GetOrAdd(
                (
                    limit,
                    outcome,
                    outcome == RuleOutcome.Fail && set.Storage is not null ? band : null,
                    outcome == RuleOutcome.Warn ? rule.WarnFrom : null
                ),
                DescribeLimit
            );
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
            ReasonWithoutValue = bound,
            Source = set.Source,
            HouseRule = rule.HouseRule,
            Run = result,
            BadFrom = rule.BadFrom,
            WarnFrom = limit.IsMinimum ? null : rule.WarnFrom,
        };
    }

    /// <summary>Creates a failed verdict for each result with integrity errors, and one without a rating for content not verified.</summary>
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
                Metric = "IntegrityErrors",
                Measured = result.Integrity!.ErrorCount,
                Limit = 0,
                Outcome = result.Integrity.Outcome == IoIntegrityOutcome.Damaged ? RuleOutcome.Fail : RuleOutcome.NotRated,
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
            Outcome = RuleOutcome.NotRated,
            ReasonNotRated = $"no result is of the workload {rule.Workload}",
            Source = set.Source,
            HouseRule = rule.HouseRule,
        };
}
