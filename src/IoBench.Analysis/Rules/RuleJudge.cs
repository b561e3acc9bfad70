using System.Globalization;
using System.IO.Enumeration;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Judges results by rules. Bands of latency are averages at a working load: a saturating test is never rated by them.</summary>
public static class RuleJudge
{
    /// <summary>Total outstanding I/Os up to which a load counts as a working one.</summary>
    public const int WorkingLoadOutstanding = 2;

    private sealed record Limit(string Metric, string Words, string Unit, double Value, bool IsLeast, bool IsLatency, Func<IoTestResult, double?> Of);

    /// <summary>A load at which latency may be rated: at most two outstanding, or a target rate.</summary>
    public static bool IsWorkingLoad(IoTestResult result)
        => result.LoadModel == IoLoadModel.Open || result.TotalOutstanding is <= WorkingLoadOutstanding;

    /// <summary>Every limit of the set on every result it is about. A rule that names a workload which no result is of gives one verdict, not rated. Empty when the set is about none of the results.</summary>
    public static IReadOnlyList<RuleVerdict> Judge(IEnumerable<IoTestResult> results, IoRuleSet set)
    {
        List<RuleVerdict> verdicts = [];
        var used = new HashSet<IoRule>();
        IoTestResult? any = null;
        foreach (var result in results)
        {
            any ??= result;
            foreach (var rule in set.Rules.Where(rule => IsAbout(rule, result)))
            {
                used.Add(rule);
                foreach (var limit in LimitsOf(rule, result))
                    verdicts.Add(VerdictOf(set, rule, limit, result));
            }
        }
        // A rule that names a workload expects it: kept in silence it would look like a rule that holds.
        if (any is not null)
            foreach (var rule in set.Rules.Where(rule => rule.Workload is not null && !used.Contains(rule)))
                foreach (var limit in LimitsOf(rule, any))
                    verdicts.Add(Unused(set, rule, limit));
        return verdicts;
    }

    /// <summary>Whether a result is of a kind.</summary>
    public static bool Is(IoTestResult r, IoRuleKind kind) => kind switch
    {
        IoRuleKind.Any => true,
        IoRuleKind.Read => r.Operation is IoOperation.Read or IoOperation.Mixed,
        IoRuleKind.Write => r.Operation is IoOperation.Write or IoOperation.Mixed,
        IoRuleKind.PageRead => r is { Operation: IoOperation.Read, AccessPattern: IoAccessPattern.Random, BlockSizeKB: <= 8 },
        IoRuleKind.Scan => r is { Operation: IoOperation.Read, AccessPattern: IoAccessPattern.Interlocked or IoAccessPattern.Sequential, BlockSizeKB: >= 256 },
        IoRuleKind.LogCommit => r is { Operation: IoOperation.Write, AccessPattern: IoAccessPattern.Interlocked or IoAccessPattern.Sequential, BlockSizeKB: <= 60, TotalOutstanding: <= WorkingLoadOutstanding },
        IoRuleKind.Checkpoint => r.Workload?.StartsWith("checkpoint", StringComparison.OrdinalIgnoreCase) == true,
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, null),
    };

    private static bool IsAbout(IoRule rule, IoTestResult result)
        => (rule.Workload is null || FileSystemName.MatchesSimpleExpression(rule.Workload, result.Workload ?? "")) && Is(result, rule.Kind);

    private static IEnumerable<Limit> LimitsOf(IoRule rule, IoTestResult result)
    {
        // A rule on reads judges a mixed run by its reads.
        var part = result.Operation != IoOperation.Mixed ? null : rule.Kind switch { IoRuleKind.Read => "Read", IoRuleKind.Write => "Write", _ => null };
        if (rule.MinIOPS is { } iops)
            yield return new("IOPS", "IOPS at least", "", iops, true, false, r => r.IOPS);
        if (rule.MinMBps is { } mbps)
            yield return new("BandwidthMBps", "bandwidth at least", " MB/s", mbps, true, false, r => r.BandwidthMBps);
        if (rule.MaxAverageLatencyMs is { } average)
            yield return part switch
            {
                "Read" when result.Totals?.Read.ResponseAverageMs is not null => new("ReadResponseAverageMs", "average response time of reads at most", " ms", average, false, true, r => r.Totals?.Read.ResponseAverageMs),
                "Write" when result.Totals?.Write.ResponseAverageMs is not null => new("WriteResponseAverageMs", "average response time of writes at most", " ms", average, false, true, r => r.Totals?.Write.ResponseAverageMs),
                "Read" => new("ReadAverageLatencyMs", "average read latency at most", " ms", average, false, true, r => r.ReadAverageLatencyMs),
                "Write" => new("WriteAverageLatencyMs", "average write latency at most", " ms", average, false, true, r => r.WriteAverageLatencyMs),
                // An open loop's stalls show in the response time only.
                _ when result.ResponseAverageMs is not null => new("ResponseAverageMs", "average response time at most", " ms", average, false, true, r => r.ResponseAverageMs),
                _ when result.Source == IoResultSource.Sqlio => new("LittlesLawLatencyMs", "average latency (Little's law) at most", " ms", average, false, true, r => r.LittlesLawLatencyMs),
                _ => new("AverageLatencyMs", "average latency at most", " ms", average, false, true, r => r.AverageLatencyMs),
            };
        if (rule.MaxP99Ms is { } p99)
            yield return part switch
            {
                "Read" when result.Totals?.Read.ResponseP99Ms is not null => new("ReadResponseP99Ms", "99th percentile of response time of reads at most", " ms", p99, false, true, r => r.Totals?.Read.ResponseP99Ms),
                "Write" when result.Totals?.Write.ResponseP99Ms is not null => new("WriteResponseP99Ms", "99th percentile of response time of writes at most", " ms", p99, false, true, r => r.Totals?.Write.ResponseP99Ms),
                "Read" => new("ReadP99Ms", "99th percentile of reads at most", " ms", p99, false, true, r => r.ReadP99Ms),
                "Write" => new("WriteP99Ms", "99th percentile of writes at most", " ms", p99, false, true, r => r.WriteP99Ms),
                _ when result.ResponseP99Ms is not null => new("ResponseP99Ms", "99th percentile of response time at most", " ms", p99, false, true, r => r.ResponseP99Ms),
                _ => new("P99Ms", "99th percentile at most", " ms", p99, false, true, r => r.P99Ms),
            };
        if (rule.MaxLatencyMs is { } greatest)
            yield return new("MaxLatencyMs", "longest I/O at most", " ms", greatest, false, true, r => r.MaxLatencyMs);
        if (rule.MaxIopsVariation is { } variation)
            yield return new("IopsVariation", "variation of IOPS at most", "", variation, false, false, r => r.IOPS > 0 ? r.IopsStdDev / r.IOPS : null);
    }

    private static RuleVerdict VerdictOf(IoRuleSet set, IoRule rule, Limit limit, IoTestResult result)
    {
        var measured = limit.Of(result);
        var saturated = limit.IsLatency && !rule.AnyLoad && !IsWorkingLoad(result);
        var band = measured is null || saturated ? null : rule.Bands.Find(b => b.UpTo is null || measured < b.UpTo)?.Name;
        RuleOutcome outcome;
        string reason;
        if (result.Status is not IoResultStatus.Complete)
            (outcome, reason) = (RuleOutcome.NotRated, $"the run is {result.Status.ToString().ToLowerInvariant()}: not rated");
        else if (saturated)
            (outcome, reason) = (RuleOutcome.NotRated, result.TotalOutstanding is { } outstanding
                ? $"saturated ({outstanding} outstanding): latency not rated" : "the load is not known: latency not rated");
        else if (measured is null)
            (outcome, reason) = (RuleOutcome.NotRated, $"the result has no {limit.Metric}");
        else
        {
            var kept = limit.IsLeast ? measured >= limit.Value : measured <= limit.Value;
            outcome = !kept ? RuleOutcome.Fail : !limit.IsLeast && measured >= rule.WarnFrom ? RuleOutcome.Warn : RuleOutcome.Pass;
            reason = $"{limit.Words[..limit.Words.LastIndexOf(" at ", StringComparison.Ordinal)]} {Number(measured.Value)}{limit.Unit}, limit {Number(limit.Value)}{limit.Unit}"
                + (outcome == RuleOutcome.Warn ? $", a warning from {Number(rule.WarnFrom!.Value)}{limit.Unit} on" : "");
        }
        return new RuleVerdict
        {
            RuleSet = set.Name,
            Rule = $"{limit.Words} {Number(limit.Value)}{limit.Unit}",
            Workload = result.Workload,
            IOPattern = result.IOPattern,
            Path = result.Path,
            Label = result.Label,
            Metric = limit.Metric,
            Measured = measured,
            Limit = limit.Value,
            Band = band,
            Outcome = outcome,
            Reason = reason,
            Source = set.Source,
            HouseRule = rule.HouseRule,
        };
    }

    private static RuleVerdict Unused(IoRuleSet set, IoRule rule, Limit limit) => new()
    {
        RuleSet = set.Name,
        Rule = $"{limit.Words} {Number(limit.Value)}{limit.Unit}",
        Workload = rule.Workload,
        Metric = limit.Metric,
        Limit = limit.Value,
        Outcome = RuleOutcome.NotRated,
        Reason = $"no result is of the workload {rule.Workload}",
        Source = set.Source,
        HouseRule = rule.HouseRule,
    };

    private static string Number(double value) => value.ToString(value >= 1000 ? "N0" : "0.###", CultureInfo.InvariantCulture);
}
