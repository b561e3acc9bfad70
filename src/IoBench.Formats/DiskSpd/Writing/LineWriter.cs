using System.Globalization;

namespace IoBench.Formats.DiskSpd.Writing;

/// <summary>Writes formatted text, culture-invariant, with the line end that is wanted.</summary>
internal sealed class LineWriter(TextWriter writer, string newLine)
{
    /// <summary>A line.</summary>
    internal void Line(string text = "")
    {
        writer.Write(text);
        writer.Write(newLine);
    }

    /// <summary>A line.</summary>
    internal void Line(FormattableString text) => Line(text.ToString(CultureInfo.InvariantCulture));

    /// <summary>A number with decimals, right-aligned.</summary>
    internal static string Real(double value, int width, int decimals) => value.ToString(decimals == 2 ? "F2" : "F3", CultureInfo.InvariantCulture).PadLeft(width);

    /// <summary>A count, right-aligned.</summary>
    internal static string Int(long value, int width) => value.ToString(CultureInfo.InvariantCulture).PadLeft(width);
}
