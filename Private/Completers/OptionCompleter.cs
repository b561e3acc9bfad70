using System.Buffers;
using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Language;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Workloads;

namespace IoBench.PowerShell;

/// <summary>
/// Completes names from catalogs and from the user's results, or the allowed values and the examples of the option that has the
/// parameter's name.
/// </summary>
public sealed class OptionCompleter : IArgumentCompleter
{
    private static readonly SearchValues<char> s_charactersToQuote = SearchValues.Create(" ;,'\"$()&|{}`");

    private static readonly (string Text, string ToolTip)[] s_fileSizes =
    [
        ("256MB", "preliminary test"),
        ("1GB", "preliminary test"),
        ("20GB", "default if there is enough free space"),
        ("100GB", "larger than most caches"),
    ];

    private static readonly string[] s_comparisonProperties =
    [
        "Label",
        "Path",
        "ComputerName",
        "Buffering",
        "FileSizeMB",
        "SourceFile",
        "Device",
    ];

    private static readonly (string Name, string Example, string ToolTip)[] s_limits =
    [
        ("IOPS", "5000", "I/Os per second"),
        ("Throughput", "'200 MB/s'", "bytes per second, with a unit"),
        ("BurstIOPS", "10000", "I/Os per second while burst credit lasts"),
        ("BurstThroughput", "'400 MB/s'", "bytes per second while burst credit lasts"),
        ("LatencyMs", "1", "average latency in milliseconds, with one I/O at a time"),
    ];

    public IEnumerable<CompletionResult> CompleteArgument(
        string commandName,
        string parameterName,
        string wordToComplete,
        CommandAst commandAst,
        IDictionary fakeBoundParameters
    )
    {
        if (parameterName == "Provisioned")
            return CompleteStorage(wordToComplete.TrimStart('@', '{', ' ', '\'', '"'));
        var start = wordToComplete.Trim('\'', '"');
        return GetValues(commandName, parameterName, fakeBoundParameters)
            .Where(value => value.Text.StartsWith(start, StringComparison.OrdinalIgnoreCase))
            .Select(value => CreateResult(QuoteIfNeeded(value.Text), value.Text, value.ToolTip.Length > 0 ? value.ToolTip : value.Text));
    }

    private static IEnumerable<(string Text, string ToolTip)> GetValues(string command, string parameter, IDictionary bound) =>
        parameter switch
        {
            "FileSize" => s_fileSizes,
            "Workload" => GetWorkloads(),
            "RuleSet" => GetRuleSets(),
            "Name" => command.EndsWith("RuleSet", StringComparison.OrdinalIgnoreCase) ? GetRuleSets() : GetWorkloads(),
            "Metric" => HistoryTrend.MetricNames.Select(name => (name, "")),
            "By" => s_comparisonProperties.Select(name => (name, "")),
            "Label" => CountNames(() => RunJournal.ReadLastRun().Select(result => result.Label)),
            "Baseline" => CountNames(() =>
                GetBoundResults(bound).Select(new ComparisonProperty(bound["By"] as string ?? nameof(IoTestResult.Label)).GetValue)
            ),
            "ComputerName" => CountNames(() =>
                GetBoundResults(bound)
                    .Concat(GetPaths(bound).Where(System.IO.Path.Exists).SelectMany(path => ResultHistory.Read(path, _ => { })))
                    .Select(result => result.ComputerName)
                    .DefaultIfEmpty(Environment.MachineName)
            ),
            _ => OptionTables.Find(parameter) is { } row
                ? row.Kind.Allowed.Concat(row.Examples).Select(text => (text.Trim('\''), row.FullHelp))
                : [],
        };

    private static IEnumerable<(string, string)> GetWorkloads() =>
        WorkloadCatalog.All.Select(w => (w.Name, w.Role.Length > 0 ? $"{w.Pattern}; {w.Role}" : $"{w.Kind}: {w.Pattern}"));

    private static IEnumerable<(string, string)> GetRuleSets() => IoRuleSet.All.Select(set => (set.Name, set.Description ?? set.Name));

    /// <summary>Names with the number of their results. Results that cannot be read offer no names.</summary>
    private static IEnumerable<(string Text, string ToolTip)> CountNames(Func<IEnumerable<string?>> getNames)
    {
        try
        {
            return
            [
                .. getNames()
                    .Where(name => !string.IsNullOrEmpty(name))
                    .GroupBy(name => name!, StringComparer.OrdinalIgnoreCase)
                    .Select(group => (group.Key, NumberFormat.Pluralize(group.Count(), "result"))),
            ];
        }
        catch (Exception error) when (error is IoBenchException or IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static IEnumerable<IoTestResult> GetBoundResults(IDictionary bound) =>
        DeserializedObject.Unwrap(bound["InputObject"]) is IEnumerable items and not string
            ? items.Cast<object?>().Select(DeserializedObject.Unwrap).OfType<IoTestResult>()
            : [];

    private static IEnumerable<string> GetPaths(IDictionary bound) =>
        DeserializedObject.Unwrap(bound["Path"]) switch
        {
            string path => [path],
            IEnumerable paths => paths.Cast<object?>().Select(DeserializedObject.Unwrap).OfType<string>(),
            _ => [],
        };

    /// <summary>Completes SKUs and limits. Each limit is a hashtable to which more limits can be added.</summary>
    private static IEnumerable<CompletionResult> CompleteStorage(string start)
    {
        bool IsStart(string text) => text.StartsWith(start, StringComparison.OrdinalIgnoreCase);
        // SKUs are offered only after a colon, and providers only after their first letters: all SKUs would be too many to choose from.
        var offers = start.Contains(':', StringComparison.Ordinal)
            ? StorageSku.All.Where(sku => IsStart(sku.Name)).Select(sku => CreateResult($"'{sku.Name}'", sku.Name, sku.ToString()))
            : StorageSku
                .Providers.Where(provider => start.Length > 0 && IsStart(provider))
                .Select(provider => CreateResult(provider + ":", provider + ":", $"storage SKUs of {provider}"));
        return offers.Concat(
            s_limits
                .Where(limit => IsStart(limit.Name))
                .Select(limit => CreateResult($"@{{ {limit.Name} = {limit.Example} }}", limit.Name, limit.ToolTip))
        );
    }

    private static CompletionResult CreateResult(string text, string shown, string toolTip) =>
        new(text, shown, CompletionResultType.ParameterValue, toolTip);

    private static string QuoteIfNeeded(string text) =>
        text.AsSpan().ContainsAny(s_charactersToQuote) ? "'" + CodeGeneration.EscapeSingleQuotedStringContent(text) + "'" : text;
}
