using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Language;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Base class of the completers that offer names from the user's results. Results that cannot be read offer no names.</summary>
public abstract class ResultNameCompleter : ValueCompleter
{
    private protected override IEnumerable<(string Text, string ToolTip)> GetValues(string parameter, IDictionary bound)
    {
        try
        {
            return
            [
                .. GetNames(bound)
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

    private protected abstract IEnumerable<string?> GetNames(IDictionary bound);

    private protected static IEnumerable<IoTestResult> GetBoundResults(IDictionary bound) =>
        DeserializedObject.Unwrap(bound["InputObject"]) is IEnumerable items and not string
            ? items.Cast<object?>().Select(DeserializedObject.Unwrap).OfType<IoTestResult>()
            : [];
}

/// <summary>Completes labels of the last run.</summary>
public sealed class LabelCompleter : ResultNameCompleter
{
    private protected override IEnumerable<string?> GetNames(IDictionary bound) => RunJournal.ReadLastRun().Select(result => result.Label);
}

/// <summary>Computers of the input results and of the history; this computer if there are none.</summary>
public sealed class ComputerNameCompleter : ResultNameCompleter
{
    private protected override IEnumerable<string?> GetNames(IDictionary bound) =>
        GetBoundResults(bound)
            .Concat(GetPaths(bound).Where(System.IO.Path.Exists).SelectMany(path => ResultHistory.Read(path, _ => { })))
            .Select(result => result.ComputerName)
            .DefaultIfEmpty(Environment.MachineName);

    private static IEnumerable<string> GetPaths(IDictionary bound) =>
        DeserializedObject.Unwrap(bound["Path"]) switch
        {
            string path => [path],
            IEnumerable paths => paths.Cast<object?>().Select(DeserializedObject.Unwrap).OfType<string>(),
            _ => [],
        };
}

/// <summary>Labels among the results of -InputObject, or their values of the property that -By names.</summary>
public sealed class BaselineLabelCompleter : ResultNameCompleter
{
    private protected override IEnumerable<string?> GetNames(IDictionary bound) =>
        GetBoundResults(bound).Select(new ComparisonProperty(bound["By"] as string ?? nameof(IoTestResult.Label)).GetValue);
}

/// <summary>Completes SKUs and limits. Each limit is a hashtable to which more limits can be added.</summary>
public sealed class StorageSpecificationCompleter : IArgumentCompleter
{
    private static readonly (string Name, string Example, string ToolTip)[] s_properties =
    [
        ("IOPS", "5000", "I/Os per second"),
        ("Throughput", "'200 MB/s'", "bytes per second, with the unit"),
        ("BurstIOPS", "10000", "I/Os per second while burst credit lasts"),
        ("BurstThroughput", "'400 MB/s'", "bytes per second while burst credit lasts"),
        ("LatencyMs", "1", "average latency of one I/O at a time in milliseconds"),
    ];

    public IEnumerable<CompletionResult> CompleteArgument(
        string commandName,
        string parameterName,
        string wordToComplete,
        CommandAst commandAst,
        IDictionary fakeBoundParameters
    )
    {
        ArgumentNullException.ThrowIfNull(wordToComplete);
        var start = wordToComplete.TrimStart('@', '{', ' ', '\'', '"');
        // SKUs are offered only after a colon, and providers only after their first letters: all SKUs would be too many to choose from.
        var offers = start.Contains(':', StringComparison.Ordinal)
            ? StorageSkuCatalog
                .All.Where(offer => offer.Name.StartsWith(start, StringComparison.OrdinalIgnoreCase))
                .Select(offer => new CompletionResult($"'{offer.Name}'", offer.Name, CompletionResultType.ParameterValue, offer.ToString()))
            : StorageSkuCatalog
                .Providers.Where(provider => start.Length > 0 && provider.StartsWith(start, StringComparison.OrdinalIgnoreCase))
                .Select(provider => new CompletionResult(
                    $"{provider}:",
                    provider + ":",
                    CompletionResultType.ParameterValue,
                    $"storage SKUs of {provider}"
                ));
        return offers.Concat(
            s_properties
                .Where(value => value.Name.StartsWith(start, StringComparison.OrdinalIgnoreCase))
                .Select(value => new CompletionResult(
                    $"@{{ {value.Name} = {value.Example} }}",
                    value.Name,
                    CompletionResultType.ParameterValue,
                    value.ToolTip
                ))
        );
    }
}
