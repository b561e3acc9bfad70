using System.Globalization;

namespace IoBench.Formats.DiskSpd;

/// <summary>Sizes as DiskSpd prints them: <c>64KiB</c>, <c>1.50GiB</c>, <c>1024MB</c>, <c>4096</c>, <c>1073741824B</c>.</summary>
internal static class DiskSpdSize
{
    private static readonly (int Shift, string Name)[] s_units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];

    /// <summary>Reads a size; <paramref name="exact"/> is false when it was printed with decimals and is rounded therefore.</summary>
    internal static bool TryParse(ReadOnlySpan<char> text, out long bytes, out bool exact)
    {
        bytes = 0;
        exact = true;
        text = text.Trim();
        var unit = 0;
        if (text.EndsWith("bytes", StringComparison.OrdinalIgnoreCase))
            text = text[..^5].TrimEnd();
        else if (text.EndsWith("B", StringComparison.OrdinalIgnoreCase))
            text = text[..^1];
        if (text.EndsWith("i", StringComparison.OrdinalIgnoreCase))
            text = text[..^1];
        if (!text.IsEmpty)
        {
            unit = char.ToUpperInvariant(text[^1]) switch { 'K' => 10, 'M' => 20, 'G' => 30, 'T' => 40, _ => 0 };
            if (unit > 0)
                text = text[..^1];
        }
        if (!decimal.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) || number > long.MaxValue >> unit)
            return false;
        exact = text.IndexOf('.') < 0;
        bytes = (long)(number * (1L << unit));
        return true;
    }

    /// <summary>A size as DiskSpd 2.1 and 2.2 print it: the largest unit it reaches, with two decimals unless it is a multiple.</summary>
    /// <param name="bytes">The size.</param>
    /// <param name="width">Least width of the number, as in printf; 0 = as long as it is.</param>
    internal static string Format(long bytes, int width = 0)
    {
        foreach (var (shift, name) in s_units)
        {
            var unit = 1L << shift;
            if (bytes < unit)
                continue;
            var number = (bytes & (unit - 1)) == 0
                ? (bytes >> shift).ToString(CultureInfo.InvariantCulture)
                : ((double)bytes / unit).ToString("F2", CultureInfo.InvariantCulture);
            return number.PadLeft(width) + name;
        }
        return bytes.ToString(CultureInfo.InvariantCulture);
    }
}
