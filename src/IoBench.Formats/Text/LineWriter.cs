using System.Globalization;
using System.Runtime.CompilerServices;

namespace IoBench.Formats.Text;

/// <summary>Writes formatted text, culture-invariant, with the line end that is wanted.</summary>
internal sealed class LineWriter(TextWriter writer, string newLine)
{
    /// <summary>Stands before every line.</summary>
    internal string Indent { get; set; } = "";

    internal void Line(string text = "")
    {
        writer.Write(Indent);
        writer.Write(text);
        writer.Write(newLine);
    }

    /// <summary>A line whose numbers are written culture-invariant.</summary>
    internal void Line(ref InvariantText text) => Line(text.ToText());

    /// <summary>A number with decimals, right-aligned.</summary>
    internal static string Real(double value, int width, int decimals) =>
        value.ToString(decimals == 2 ? "F2" : "F3", CultureInfo.InvariantCulture).PadLeft(width);

    /// <summary>A count, right-aligned.</summary>
    internal static string Int(long value, int width) => Figures.Whole(value).PadLeft(width);

    /// <summary>What the compiler makes of an interpolated string here: without it, the string would follow the current culture.</summary>
    [InterpolatedStringHandler]
    internal ref struct InvariantText(int literalLength, int formattedCount)
    {
        private DefaultInterpolatedStringHandler _text = new(literalLength, formattedCount, CultureInfo.InvariantCulture);

        /// <summary>Called by the compiler.</summary>
        public void AppendLiteral(string value) => _text.AppendLiteral(value);

        /// <summary>Called by the compiler.</summary>
        public void AppendFormatted<T>(T value, int alignment = 0, string? format = null) =>
            _text.AppendFormatted(value, alignment, format);

        /// <summary>Called by the compiler.</summary>
        public void AppendFormatted<T>(T value, string? format) => _text.AppendFormatted(value, format);

        /// <summary>The text; once.</summary>
        internal string ToText() => _text.ToStringAndClear();
    }
}
