using System.Globalization;

namespace IoBench.Analysis;

/// <summary>Compares names with numbers in natural order: sql2 comes before sql10.</summary>
public sealed class NaturalNameComparer : IComparer<string?>
{
    public static NaturalNameComparer Instance { get; } = new();

    public int Compare(string? x, string? y)
    {
        if (x is null)
            return y is null ? 0 : -1;
        if (y is null)
            return 1;
        for (int i = 0, j = 0; i < x.Length && j < y.Length; )
        {
            if (char.IsAsciiDigit(x[i]) && char.IsAsciiDigit(y[j]))
            {
                var left = ReadNumber(x, ref i);
                var right = ReadNumber(y, ref j);
                if (left != right)
                    return left.CompareTo(right);
            }
            else
            {
                var order = char.ToUpperInvariant(x[i]).CompareTo(char.ToUpperInvariant(y[j]));
                if (order != 0)
                    return order;
                i++;
                j++;
            }
        }
        return x.Length != y.Length ? x.Length.CompareTo(y.Length) : string.CompareOrdinal(x, y);
    }

    private static decimal ReadNumber(string text, ref int at)
    {
        var start = at;
        while (at < text.Length && char.IsAsciiDigit(text[at]) && at - start < 20)
            at++;
        return decimal.Parse(text.AsSpan(start, at - start), NumberStyles.None, CultureInfo.InvariantCulture);
    }
}
