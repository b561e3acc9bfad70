namespace IoBench.Analysis;

/// <summary>The rule sets as a document, which is docs/rules.md.</summary>
public static class RuleSetDocument
{
    public static string CreateMarkdown()
    {
        List<string> lines =
        [
            "# Rule sets",
            "",
            "What results are judged by: `iobench test FILE --require NAME`, `iobench run ... --require NAME`, `Test-IoResult NAME`; `iobench rules NAME` and `Get-IoRuleSet NAME` show a set. This page is made from the same data.",
            "",
            "Without a name the kind of storage decides: `--storage flash`, `hdd` or `cloud`, else what the host says of the disk, else flash; which one it was is said.",
            "",
            "Published bands are averages at a working load. Limits on latency judge only runs with at most two I/Os outstanding, or at a rate that was asked for and reached.",
            "",
            "A file of one's own has the same form: `{ \"name\": \"our-san\", \"rules\": [ { \"workload\": \"log-*\", \"maxAverageLatencyMs\": 1 } ] }`. Limits are minIOPS, minMBps, maxAverageLatencyMs, maxP99Ms, maxLatencyMs and maxIopsVariation;",
            "a rule is about a workload (with `*`) or a kind: Any, Read, Write, PageRead, Scan, LogCommit, Checkpoint; warnFrom, badFrom, anyLoad and bands refine it.",
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
        ArgumentNullException.ThrowIfNull(set);
        foreach (var rule in set.Rules)
            yield return DescribeRule(rule);
        if (set.RestsOn is not null)
            yield return $"Rests on: {set.RestsOn}";
        var source = string.Join(", ", new[] { set.Author, set.Source, set.Published }.OfType<string>());
        var address = set.Url is null ? "" : $" <{set.Url}>";
        var dateRead = set.DateRead is null ? "" : $", read {set.DateRead}";
        yield return $"Source: {source}{address}{dateRead}";
    }

    private static string DescribeRule(IoRule rule)
    {
        var text = rule.ToString();
        if (rule.WarnFrom is { } warn)
            text += FormattableString.Invariant($", a warning from {warn:#,0.###} on");
        if (rule.BadFrom is { } bad)
            text += FormattableString.Invariant($", bad from {Math.Round(bad, 3)} ms on");
        if (rule.AnyLoad)
            text += ", at any load";
        if (rule.HouseRule)
            text += " (IoBench's own)";
        if (rule.Bands.Count > 0)
            text += "; bands: " + string.Join("; ", rule.Bands.Select(DescribeBand));
        return text;
    }

    private static string DescribeBand(IoRuleBand band) =>
        band.UpTo is { } end ? FormattableString.Invariant($"below {end:#,0.###}: {band.Name}") : $"else: {band.Name}";
}
