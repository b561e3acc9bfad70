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
        return JsonSerializer.Deserialize(stream, RuleJson.Default.ListIoRuleSet)!;
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
            set = JsonSerializer.Deserialize(InputFiles.ReadAllText(path), RuleJson.Default.IoRuleSet);
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
        RuleValidator.Validate(set.Rules, path);
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
}
