using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Sizes as DiskSpd prints them: <c>64KiB</c>, <c>1.50GiB</c>, <c>1024MB</c>, <c>1073741824B</c>. Times are always UTC.</summary>
internal static class DiskSpdValueFormat
{
    private static readonly (int Shift, string Name)[] s_units = [(50, "PiB"), (40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];

    /// <summary>Parses a size. <paramref name="exact"/> is false if the size has decimals and is therefore rounded.</summary>
    internal static bool TryParseSize(ReadOnlySpan<char> text, out long bytes, out bool exact)
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
            unit = char.ToUpperInvariant(text[^1]) switch
            {
                'K' => 10,
                'M' => 20,
                'G' => 30,
                'T' => 40,
                'P' => 50,
                _ => 0,
            };
            if (unit > 0)
                text = text[..^1];
        }
        if (
            !decimal.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
            || number > long.MaxValue >> unit
        )
            return false;
        exact = text.IndexOf('.') < 0;
        bytes = (long)(number * (1L << unit));
        return true;
    }

    /// <summary>As DiskSpd 2.1 and 2.2: the largest unit that the size reaches, with two decimals unless it is a multiple.</summary>
    internal static string FormatSize(long bytes, int width = 0)
    {
        foreach (var (shift, name) in s_units)
        {
            var unit = 1L << shift;
            // DiskSpd 2.2 and earlier have no PiB.
            if (bytes < unit || shift == 50)
                continue;
            var number = (bytes & (unit - 1)) == 0 ? NumberFormat.Integer(bytes >> shift) : NumberFormat.Fixed((double)bytes / unit, 2);
            return number.PadLeft(width) + name;
        }
        return NumberFormat.Integer(bytes);
    }

    /// <summary>Formats a size as DiskSpd 2.3 does: with at most two decimals, no trailing zeros, and <c>B</c> below 1 KiB.</summary>
    internal static string FormatSize23(long bytes)
    {
        foreach (var (shift, name) in s_units)
        {
            if (bytes >= 1L << shift)
                return NumberFormat.Plain((double)bytes / (1L << shift), 2) + name;
        }
        return NumberFormat.Integer(bytes) + "B";
    }

    internal static DateTimeOffset? ParseTime(ReadOnlySpan<char> text) =>
        DateTimeOffset.TryParseExact(
            text,
            "yyyy/MM/dd HH:mm:ss 'UTC'",
            CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal,
            out var time
        )
            ? time
            : null;

    internal static string FormatTime(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy/MM/dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture);
}
