using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Language;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Workloads;

namespace IoBench.PowerShell;

public abstract class ValueCompleter : IArgumentCompleter
{
    private static readonly System.Buffers.SearchValues<char> s_charactersToQuote = System.Buffers.SearchValues.Create(" ;,'\"$()&|{}`");

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
        return GetValues(parameterName, fakeBoundParameters)
            .Where(value => value.Text.StartsWith(start, StringComparison.OrdinalIgnoreCase))
            .Select(value => new CompletionResult(
                QuoteIfNeeded(value.Text),
                value.Text,
                CompletionResultType.ParameterValue,
                value.ToolTip.Length > 0 ? value.ToolTip : value.Text
            ));
    }

    private protected abstract IEnumerable<(string Text, string ToolTip)> GetValues(string parameter, IDictionary bound);

    private static string QuoteIfNeeded(string text) =>
        text.AsSpan().ContainsAny(s_charactersToQuote) ? "'" + CodeGeneration.EscapeSingleQuotedStringContent(text) + "'" : text;
}

public sealed class WorkloadCompleter : ValueCompleter
{
    private protected override IEnumerable<(string Text, string ToolTip)> GetValues(string parameter, IDictionary bound) =>
        WorkloadCatalog.All.Select(w => (w.Name, w.Role.Length > 0 ? $"{w.Pattern}; {w.Role}" : $"{w.Kind}: {w.Pattern}"));
}

public sealed class RuleSetCompleter : ValueCompleter
{
    private protected override IEnumerable<(string Text, string ToolTip)> GetValues(string parameter, IDictionary bound) =>
        RuleSets.All.Select(set => (set.Name, set.Description ?? set.Name));
}

public sealed class FileSizeCompleter : ValueCompleter
{
    private protected override IEnumerable<(string Text, string ToolTip)> GetValues(string parameter, IDictionary bound) =>
        [
            ("256MB", "preliminary test"),
            ("1GB", "preliminary test"),
            ("20GB", "default if there is enough free space"),
            ("100GB", "larger than most caches"),
        ];
}

public sealed class TrendMetricCompleter : ValueCompleter
{
    private protected override IEnumerable<(string Text, string ToolTip)> GetValues(string parameter, IDictionary bound) =>
        HistoryTrend.MetricNames.Select(name => (name, ""));
}

public sealed class ComparisonPropertyCompleter : ValueCompleter
{
    private static readonly string[] s_properties = ["Label", "Path", "ComputerName", "Buffering", "FileSizeMB", "SourceFile", "Device"];

    private protected override IEnumerable<(string Text, string ToolTip)> GetValues(string parameter, IDictionary bound) =>
        s_properties.Select(name => (name, ""));
}

/// <summary>Completes the allowed values and the examples of the option that has the parameter's name.</summary>
public sealed class OptionCompleter : ValueCompleter
{
    private protected override IEnumerable<(string Text, string ToolTip)> GetValues(string parameter, IDictionary bound) =>
        OptionTables.Find(parameter) is { } row
            ? row.Kind.Allowed.Concat(row.Examples).Select(text => (text.Trim('\''), row.FullHelp))
            : [];
}
