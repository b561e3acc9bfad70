using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Language;

namespace IoBench.PowerShell.Completers;

/// <summary>Completes an argument from values that are known, each with a tool tip.</summary>
public abstract class ValueCompleter : IArgumentCompleter
{
    private static readonly System.Buffers.SearchValues<char> s_quoted = System.Buffers.SearchValues.Create(" ;,'\"$()&|{}`");

    /// <inheritdoc/>
    public IEnumerable<CompletionResult> CompleteArgument(
        string commandName,
        string parameterName,
        string wordToComplete,
        CommandAst commandAst,
        IDictionary fakeBoundParameters
    )
    {
        ArgumentNullException.ThrowIfNull(wordToComplete);
        var start = wordToComplete.Trim('\'', '"');
        return Values(parameterName, fakeBoundParameters)
            .Where(value => value.Text.StartsWith(start, StringComparison.OrdinalIgnoreCase))
            .Select(value => new CompletionResult(
                Quoted(value.Text),
                value.Text,
                CompletionResultType.ParameterValue,
                value.Tip.Length > 0 ? value.Tip : value.Text
            ));
    }

    /// <summary>The values in the order in which they are offered.</summary>
    /// <param name="parameter">The parameter that is completed.</param>
    /// <param name="bound">What is given so far.</param>
    private protected abstract IEnumerable<(string Text, string Tip)> Values(string parameter, IDictionary bound);

    private static string Quoted(string text) =>
        text.AsSpan().ContainsAny(s_quoted) ? "'" + CodeGeneration.EscapeSingleQuotedStringContent(text) + "'" : text;
}

/// <summary>Names of workloads, operations and suites.</summary>
public sealed class WorkloadCompleter : ValueCompleter
{
    private protected override IEnumerable<(string Text, string Tip)> Values(string parameter, IDictionary bound) =>
        WorkloadCatalog.All.Select(w => (w.Name, w.Role.Length > 0 ? $"{w.Pattern}; {w.Role}" : $"{w.Kind}: {w.Pattern}"));
}

/// <summary>Names of the rule sets that ship with IoBench.</summary>
public sealed class RuleSetCompleter : ValueCompleter
{
    private protected override IEnumerable<(string Text, string Tip)> Values(string parameter, IDictionary bound) =>
        RuleSets.All.Select(set => (set.Name, set.Description ?? set.Name));
}

/// <summary>Sizes of test files.</summary>
public sealed class FileSizeCompleter : ValueCompleter
{
    private protected override IEnumerable<(string Text, string Tip)> Values(string parameter, IDictionary bound) =>
        [("256MB", "a quick look"), ("1GB", "a quick look"), ("20GB", "the default where there is room"), ("100GB", "beyond most caches")];
}

/// <summary>Metrics that have a trend.</summary>
public sealed class TrendMetricCompleter : ValueCompleter
{
    private protected override IEnumerable<(string Text, string Tip)> Values(string parameter, IDictionary bound) =>
        HistoryTrend.MetricNames.Select(name => (name, ""));
}

/// <summary>Properties that make a side of a comparison.</summary>
public sealed class SideCompleter : ValueCompleter
{
    private static readonly string[] s_properties = ["Label", "Path", "ComputerName", "Buffering", "FileSizeMB", "SourceFile", "Device"];

    private protected override IEnumerable<(string Text, string Tip)> Values(string parameter, IDictionary bound) =>
        s_properties.Select(name => (name, ""));
}
