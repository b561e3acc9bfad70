using System.Globalization;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>The rule sets of IoBench (<c>rule-sets.json</c>), and rule files of users in the same format.</summary>
public static class RuleSets
{
    /// <summary>Name of the rule set for what SQL Server itself reports: an I/O of 15 s is error 833.</summary>
    public const string HardLimits = "hard-limits";

    private static readonly Lazy<IReadOnlyList<IoRuleSet>> s_all = new(() =>
    {
        using var stream =
            typeof(RuleSets).Assembly.GetManifestResourceStream("rule-sets.json")
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
                $"{path}: not a rule set{(e.LineNumber is { } line ? $", line {line + 1}" : "")}: {GetFirstSentence(e.Message)}",
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
                return $"has bands that do not ascend: upTo {Format(end)} follows {Format(last)}. Sort the bands.";
            last = end;
        }
        return null;
    }

    private static string DescribeRange(string name, double value, string lowest) =>
        $"has {name} {Format(value)}. Use a number {lowest} to {Format(MaxLimit)}.";

    private static string Format(double value) => value.ToString("G6", CultureInfo.InvariantCulture);
}
