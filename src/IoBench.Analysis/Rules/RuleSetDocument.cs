using System.Globalization;

namespace IoBench.Analysis;

/// <summary>The rule sets as a document, which is docs/reference/rules.md.</summary>
public static class RuleSetDocument
{
    public static string CreateMarkdown()
    {
        List<string> lines =
        [
            "# Rule sets",
            "",
            "A rule set contains the limits that IoBench rates results against. To use one: `iobench test FILE --require NAME`, `iobench run ... --require NAME`, or `Test-IoResult NAME`.",
            "`iobench rules NAME` and `Get-IoRuleSet NAME` show a rule set. IoBench generates this page from the same data.",
            "",
            "If you name no rule set, IoBench uses the rule set of the storage type: the type in `--storage` (`flash`, `hdd`, or `cloud`), otherwise the type that the host reports, otherwise flash.",
            "These default rules also include the limit for the longest I/O from the rule set hard-limits. A rule set that you name replaces the default rules.",
            "",
            "A result that exceeds a published limit fails. A result that exceeds an IoBench limit (no published source) passes with a warning.",
            "Published latency limits apply to the average latency of low-load tests. Latency is rated only if a test has at most 2 outstanding I/Os, or a target rate that was reached.",
            "",
            "A rule file of your own has this form: "
                + """`{ "name": "our-san", "rules": [ { "workload": "log-*", "maxAverageLatencyMs": 1 } ] }`.""",
            "Limits are minIOPS, minMBps, maxAverageLatencyMs, maxP99Ms, maxLatencyMs, and maxIopsVariation.",
            "A rule applies to a workload (with `*` as wildcard) or to a kind: Any, Read, Write, PageRead, Scan, LogCommit, or Checkpoint.",
            "Further settings:",
            "",
            "- warnFrom: a passing value at or above this value gets a warning.",
            "- criticalFrom: a failing value at or above this value is critical.",
            "- anyLoad: true means that IoBench also rates the latency of saturation tests.",
            "- isIoBenchLimit: true means that no published source exists, so a failure is only a warning.",
            "- bands: names for ranges of values, as in the rules below.",
            "",
            "A limit is a number above 0, and at most 1,000,000,000. IoBench refuses a file with any other limit, and names the rule.",
        ];
        foreach (var set in RuleSets.All)
        {
            lines.AddRange(["", "## " + set.Name, "", set.Description ?? "", ""]);
            lines.AddRange(DescribeRuleSet(set).Select(line => "- " + line));
        }
        return string.Join('\n', lines) + "\n";
    }

    public static IEnumerable<string> DescribeRuleSet(IoRuleSet set)
    {
        foreach (var rule in set.Rules)
            yield return DescribeRule(rule);
        if (set.BasedOn is not null)
            yield return $"Based on: {set.BasedOn}";
        var source = string.Join(", ", new[] { set.Author, set.Source, set.Published }.OfType<string>());
        var address = set.Url is null ? "" : $" <{set.Url}>";
        var dateRead = set.DateRead is null ? "" : $", read {set.DateRead}";
        yield return $"Source: {source}{address}{dateRead}";
    }

    private static string DescribeRule(IoRule rule)
    {
        var text = rule.ToString();
        if (rule.WarnFrom is { } warn)
            text += Invariant($", warning from {warn:#,0.###} ms");
        if (rule.CriticalFrom is { } critical)
            text += $", critical {(IsInclusive(critical) ? "above" : "from")} {FormatBorder(critical)} ms";
        if (rule.AnyLoad)
            text += ", at any load";
        if (rule.IsIoBenchLimit)
            text += " (IoBench limit)";
        if (rule.Bands.Count > 0)
            text += "; bands: " + string.Join("; ", rule.Bands.Select(DescribeBand));
        return text;
    }

    private static string DescribeBand(IoRuleBand band) =>
        band.UpTo is { } end ? $"{(IsInclusive(end) ? "up to" : "below")} {FormatBorder(end)}: {band.Name}" : $"else: {band.Name}";

    // A border such as 5.0000001 includes 5.
    private static bool IsInclusive(double border) => !border.Equals(Math.Round(border, 3));

    private static string FormatBorder(double border) => border.ToString("#,0.###", CultureInfo.InvariantCulture);
}
