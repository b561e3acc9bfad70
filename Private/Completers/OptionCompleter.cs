using System.Collections;
using IoBench.Application;

namespace IoBench.PowerShell;

/// <summary>Completes the allowed values and the examples of the option that has the parameter's name.</summary>
public sealed class OptionCompleter : ValueCompleter
{
    private protected override IEnumerable<(string Text, string Tip)> GetValues(string parameter, IDictionary bound) =>
        OptionTables.Find(parameter) is { } row
            ? row.Kind.Allowed.Concat(row.Examples).Select(text => (text.Trim('\''), row.FullHelp))
            : [];
}
