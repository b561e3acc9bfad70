using System.Collections;

namespace IoBench.PowerShell.Completers;

/// <summary>What the row of the parameter's name offers: the names that may be given, and examples.</summary>
public sealed class OptionCompleter : ValueCompleter
{
    private protected override IEnumerable<(string Text, string Tip)> Values(string parameter, IDictionary bound) =>
        OptionTables.Find(parameter) is { } row
            ? row.Kind.Allowed.Concat(row.Examples).Select(text => (text.Trim('\''), row.FullHelp))
            : [];
}
