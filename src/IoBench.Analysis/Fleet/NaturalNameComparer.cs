using System.Text.RegularExpressions;

namespace IoBench.Analysis;

/// <summary>Compares names with numbers in natural order: sql2 comes before sql10.</summary>
public sealed partial class NaturalNameComparer : IComparer<string?>
{
    private const int MaxDigits = 20;

    public static NaturalNameComparer Instance { get; } = new();

    public int Compare(string? x, string? y)
    {
        var order = string.CompareOrdinal(GetKey(x), GetKey(y));
        return order != 0 || x is null || y is null ? order
            : x.Length != y.Length ? x.Length.CompareTo(y.Length)
            : string.CompareOrdinal(x, y);
    }

    private static string? GetKey(string? name) =>
        name is null ? null : GetNumberRegex().Replace(name.ToUpperInvariant(), number => number.Value.PadLeft(MaxDigits, '0'));

    [GeneratedRegex("[0-9]+")]
    private static partial Regex GetNumberRegex();
}
