using System.Globalization;
using System.Runtime.CompilerServices;
using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class LineWriter(TextWriter writer, string newLine)
{
    internal string Indent { get; set; } = "";

    internal void WriteLine(string text = "")
    {
        writer.Write(Indent);
        // Names from other sources can contain line breaks, which would begin a line of their own, and control characters.
        writer.Write(
            SafeText.EscapeLines(text).Replace("\r", @"\r", StringComparison.Ordinal).Replace("\n", @"\n", StringComparison.Ordinal)
        );
        writer.Write(newLine);
    }

    internal void WriteLine(ref InvariantStringHandler text) => WriteLine(text.ToText());

    internal static string FormatReal(double value, int width, int decimals) =>
        value.ToString(decimals == 2 ? "F2" : "F3", CultureInfo.InvariantCulture).PadLeft(width);

    internal static string FormatInteger(long value, int width) => NumberFormat.Integer(value).PadLeft(width);

    /// <summary>Handler for interpolated strings. Without it, the compiler would format numbers in the current culture.</summary>
    [InterpolatedStringHandler]
    internal ref struct InvariantStringHandler(int literalLength, int formattedCount)
    {
        private DefaultInterpolatedStringHandler _text = new(literalLength, formattedCount, CultureInfo.InvariantCulture);

        public void AppendLiteral(string value) => _text.AppendLiteral(value);

        public void AppendFormatted<T>(T value, int alignment = 0, string? format = null) =>
            _text.AppendFormatted(value, alignment, format);

        public void AppendFormatted<T>(T value, string? format) => _text.AppendFormatted(value, format);

        /// <summary>Returns the text; can be called once.</summary>
        internal string ToText() => _text.ToStringAndClear();
    }
}
