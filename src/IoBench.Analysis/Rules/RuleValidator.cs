using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Refuses rules of users that no result can be rated by, or that every result passes.</summary>
public static class RuleValidator
{
    /// <summary>Highest limit: 11 days in milliseconds. No result exceeds a higher one.</summary>
    private const double MaxLimit = 1e9;

    /// <param name="source">Name of the rules in the message, such as the path of their file.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidRuleFile</c>, with the number of the rule.</exception>
    public static void Validate(IReadOnlyList<IoRule> rules, string source)
    {
        ArgumentNullException.ThrowIfNull(rules);
        for (var number = 1; number <= rules.Count; number++)
        {
            var rule = rules[number - 1];
            if (FindError(rule) is { } error)
                throw IoBenchException.Usage("IoBench.InvalidRuleFile", $"{source}: rule {number}{GetName(rule)} {error}", source);
        }
    }

    private static string GetName(IoRule? rule) => rule is null ? "" : $" ({rule.Workload ?? rule.Kind.ToString()})";

    private static string? FindError(IoRule? rule)
    {
        if (rule is null)
            return "is null. Remove it, or write a rule in braces.";
        if (!Enum.IsDefined(rule.Kind))
            return $"has an unknown kind. Use one of {string.Join(", ", Enum.GetNames<IoRuleKind>())}.";
        (string Name, double? Value)[] limits =
        [
            ("minIOPS", rule.MinIOPS),
            ("minMBps", rule.MinMBps),
            ("maxAverageLatencyMs", rule.MaxAverageLatencyMs),
            ("maxP99Ms", rule.MaxP99Ms),
            ("maxLatencyMs", rule.MaxLatencyMs),
            ("maxIopsVariation", rule.MaxIopsVariation),
        ];
        if (Array.TrueForAll(limits, limit => limit.Value is null))
            return $"sets no limit. Add one of {string.Join(", ", limits.Select(limit => limit.Name))}.";
        // A limit of zero passes or fails every result.
        foreach (var (name, value) in limits)
            if (value is { } limit && limit is not (> 0 and <= MaxLimit))
                return DescribeRange(name, limit, "above 0");
        foreach (var (name, value) in new[] { ("warnFrom", rule.WarnFrom), ("criticalFrom", rule.CriticalFrom) })
            if (value is { } threshold && threshold is not (>= 0 and <= MaxLimit))
                return DescribeRange(name, threshold, "from 0");
        return FindBandError(rule.Bands);
    }

    private static string? FindBandError(List<IoRuleBand>? bands)
    {
        if (bands is null)
            return "has null bands. Remove them, or write a list.";
        var last = 0.0;
        foreach (var band in bands)
        {
            if (string.IsNullOrEmpty(band?.Name))
                return "has a band without a name. Add a name, or remove the band.";
            if (band.UpTo is not { } end)
                continue;
            if (end is not (> 0 and <= MaxLimit))
                return DescribeRange("upTo", end, "above 0");
            if (end <= last)
                return $"has bands that do not ascend: upTo {Format(end)} follows {Format(last)}. Sort them.";
            last = end;
        }
        return null;
    }

    private static string DescribeRange(string name, double value, string lowest) =>
        $"has {name} {Format(value)}. Use a number {lowest} to {Format(MaxLimit)}.";

    private static string Format(double value) => value.ToString("G6", CultureInfo.InvariantCulture);
}
