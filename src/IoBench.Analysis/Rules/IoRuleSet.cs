using System.Globalization;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A rule set of IoBench (<c>rule-sets.json</c>), a rule file of a user in the same format, or a combination of several.</summary>
public sealed class IoRuleSet
{
    public string Name { get; set; } = "";

    public string? Description { get; set; }

    public string? Author { get; set; }

    /// <summary>Title of the publication; for a rule file of the user, its path.</summary>
    public string? Source { get; set; }

    public string? Url { get; set; }

    public string? Published { get; set; }

    /// <summary>Summary of the source, and which rules are not based on it.</summary>
    public string? BasedOn { get; set; }

    /// <summary>Kind of storage for which this is the default rule set; null = none.</summary>
    public StorageClass? Storage { get; set; }

    /// <summary>Date on which the source was read; null if it was not read.</summary>
    public string? DateRead { get; set; }
    public List<IoRule> Rules { get; set; } = [];

    internal IReadOnlyList<IoRuleSet> Parts { get; init; } = [];

    /// <summary>Rules of another set that can fail or warn. If only these rules pass, the result is not rated. Null = none.</summary>
    internal IoRuleSet? Supplement { get; private set; }

    internal IoRuleSet WithSupplement(IoRuleSet supplement)
    {
        var copy = (IoRuleSet)MemberwiseClone();
        copy.Supplement = supplement;
        return copy;
    }

    public override string ToString() => Name;

    /// <summary>Name of the rule set for what SQL Server itself reports: an I/O of 15 s is error 833.</summary>
    public const string HardLimits = "hard-limits";

    private static readonly Lazy<IReadOnlyList<IoRuleSet>> s_all = new(() =>
    {
        using var stream =
            typeof(IoRuleSet).Assembly.GetManifestResourceStream("rule-sets.json")
            ?? throw new InvalidOperationException("rule-sets.json is not in the assembly.");
        return JsonSerializer.Deserialize(stream, CatalogJson.Default.ListIoRuleSet)!;
    });

    public static IReadOnlyList<IoRuleSet> All => s_all.Value;

    private static readonly Lazy<IoRuleSet> s_longestIO = new(() =>
    {
        var hard = Find(HardLimits);
        return new()
        {
            Name = hard.Name,
            Description = hard.Description,
            Source = hard.Source,
            Rules = [.. hard.Rules.Where(rule => rule.MaxLatencyMs is not null)],
        };
    });

    /// <summary>The rules of <see cref="HardLimits"/> for the longest I/O, which apply to every test.</summary>
    internal static IoRuleSet LongestIO => s_longestIO.Value;

    /// <summary>Finds a rule set by its name or loads a JSON file. Several names, separated by commas, are combined.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.UnknownRuleSet</c> or <c>IoBench.InvalidRuleFile</c>.</exception>
    public static IoRuleSet Find(string nameOrFile)
    {
        var named = All.FirstOrDefault(s => string.Equals(s.Name, nameOrFile, StringComparison.OrdinalIgnoreCase));
        if (named is not null)
            return named;
        if (
            !File.Exists(nameOrFile)
            && nameOrFile.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries) is { Length: > 1 } names
        )
            return CombineSets([.. names.Select(Find)]);
        if (!File.Exists(nameOrFile))
            throw IoBenchException.Usage(
                ErrorIds.UnknownRuleSet,
                $"'{nameOrFile}' is neither a rule set nor a file. Rule sets: {string.Join(", ", All.Select(s => s.Name))}.",
                nameOrFile
            );
        return LoadFile(nameOrFile);
    }

    private static IoRuleSet CombineSets(List<IoRuleSet> sets) =>
        new()
        {
            Name = string.Join(", ", sets.Select(set => set.Name)),
            Description = string.Join(" ", sets.Select(set => set.Description)),
            Source = string.Join("; ", sets.Select(set => set.Source).OfType<string>()),
            Rules = [.. sets.SelectMany(set => set.Rules)],
            Parts = sets,
        };

    private static IoRuleSet LoadFile(string path)
    {
        IoRuleSet? set;
        try
        {
            set = JsonSerializer.Deserialize(InputFiles.ReadAllText(path), CatalogJson.Default.IoRuleSet);
        }
        catch (JsonException e)
        {
            throw IoBenchException.Usage(
                "IoBench.InvalidRuleFile",
                $"{path} is not a valid rule set{(e.LineNumber is { } line ? $" (line {line + 1})" : "")}: {GetFirstSentence(e.Message)}",
                path
            );
        }
        if (set?.Rules is null or { Count: 0 })
            throw IoBenchException.Usage(
                "IoBench.InvalidRuleFile",
                $"{path} contains no rules. It requires a \"rules\" list with at least one limit.",
                path
            );
        Validate(set.Rules, path);
        if (string.IsNullOrEmpty(set.Name))
            set.Name = Path.GetFileNameWithoutExtension(path);
        set.Source ??= path;
        return set;
    }

    // .NET appends the JSON path and position to its message. Remove them, because the IoBench message already contains the line.
    private static string GetFirstSentence(string message)
    {
        var end = message.IndexOf(" Path:", StringComparison.Ordinal);
        return end > 0 ? message[..end] : message;
    }

    /// <summary>Highest limit: 11 days in milliseconds. No result exceeds a higher one.</summary>
    private const double MaxLimit = 1e9;

    /// <param name="source">Name of the rules in the message, such as the path of their file.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidRuleFile</c>, with the number of the rule.</exception>
    public static void Validate(IReadOnlyList<IoRule> rules, string source)
    {
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
            return "is null. Remove it, or replace it with a rule in braces.";
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
                return DescribeRange(name, limit, "above 0 and");
        foreach (var (name, value) in new[] { ("warnFrom", rule.WarnFrom), ("criticalFrom", rule.CriticalFrom) })
            if (value is { } threshold && threshold is not (>= 0 and <= MaxLimit))
                return DescribeRange(name, threshold, "from 0");
        return FindBandError(rule.Bands);
    }

    private static string? FindBandError(List<IoRuleBand>? bands)
    {
        if (bands is null)
            return "has the value null for bands. Remove it, or specify a list.";
        var last = 0.0;
        foreach (var band in bands)
        {
            if (string.IsNullOrEmpty(band?.Name))
                return "has a band without a name. Add a name, or remove the band.";
            if (band.UpTo is not { } end)
                continue;
            if (end is not (> 0 and <= MaxLimit))
                return DescribeRange("upTo", end, "above 0 and");
            if (end <= last)
                return $"has bands that are not in ascending order: upTo {Format(end)} follows {Format(last)}. Sort the bands.";
            last = end;
        }
        return null;
    }

    private static string DescribeRange(string name, double value, string lowest) =>
        $"has {name} {Format(value)}. Use a number {lowest} up to {Format(MaxLimit)}.";

    private static string Format(double value) => value.ToString("G6", CultureInfo.InvariantCulture);

    /// <summary>Creates docs/reference/rules.md.</summary>
    public static string CreateMarkdown()
    {
        List<string> lines =
        [
            "# Rule sets",
            "",
            "A rule set contains the limits that IoBench rates results against. To use one: `iobench test FILE --require NAME`, `iobench run ... --require NAME`, or `Test-IoResult NAME`.",
            "`iobench rules NAME` and `Get-IoRuleSet NAME` show a rule set. IoBench generates this page from the same data.",
            "",
            "If you do not name a rule set, IoBench uses the rule set of the storage type. The storage type is the type in `--storage` (`flash`, `hdd`, or `cloud`), or else the type that the host reports, or else flash.",
            "These default rules also include the limit for the longest I/O from the rule set hard-limits. A rule set that you name replaces the default rules.",
            "",
            "A result that exceeds a published limit fails. A result that exceeds an IoBench limit (no published source) passes with a warning.",
            "Published latency limits apply to the average latency of low-load tests. Latency is rated only if a test has at most 2 outstanding I/Os, or if it reached its target rate.",
            "",
            "Your own rule file must have this form: "
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
            "A limit must be greater than 0 and at most 1,000,000,000. If a file contains any other limit, IoBench rejects the file, and the error message names the rule.",
        ];
        foreach (var set in All)
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
