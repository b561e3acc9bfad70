using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class WorkbookText
{
    /// <summary>Characters of a cell (Excel specifications and limits).</summary>
    public const int MaxCellLength = 32_767;

    /// <summary>
    /// Characters that XML forbids become <c>_xHHHH_</c> (ECMA-376, ST_Xstring), a text that looks like such an escape is escaped, halves
    /// of surrogate pairs become U+FFFD, and a text that is too long for a cell is cut.
    /// </summary>
    public static string EscapeCell(string text)
    {
        if (text.Length > MaxCellLength)
            text = text[..(MaxCellLength - 1 - (char.IsHighSurrogate(text[MaxCellLength - 2]) ? 1 : 0))] + "…";
        var first = FindFirstToEscape(text);
        return first < 0 ? text : EscapeFrom(text, first);
    }

    /// <summary>Also escapes control characters and direction marks, because viewers could interpret them in attributes.</summary>
    public static string EscapeAttribute(string text) => EscapeCell(SafeText.Escape(text));

    private static int FindFirstToEscape(string text)
    {
        for (var index = 0; index < text.Length; index++)
        {
            var character = text[index];
            if (
                character < ' ' && character is not ('\t' or '\n')
                || character >= '\uD800' && (char.IsSurrogate(character) || character > '\uFFFD')
                || IsEscapeSequence(text, index)
            )
                return index;
        }
        return -1;
    }

    private static string EscapeFrom(string text, int first)
    {
        var result = new StringBuilder(text, 0, first, text.Length + 16);
        for (var index = first; index < text.Length; index++)
        {
            var character = text[index];
            if (char.IsHighSurrogate(character) && index + 1 < text.Length && char.IsLowSurrogate(text[index + 1]))
                result.Append(character).Append(text[++index]);
            else if (char.IsSurrogate(character))
                result.Append('\uFFFD');
            else if (character < ' ' && character is not ('\t' or '\n') || character > '\uFFFD')
                result.Append(CultureInfo.InvariantCulture, $"_x{(int)character:X4}_");
            else if (IsEscapeSequence(text, index))
                result.Append("_x005F_");
            else
                result.Append(character);
        }
        // The escapes must not make the text too long either.
        return result.Length <= MaxCellLength ? result.ToString() : result.ToString(0, MaxCellLength - 8);
    }

    private static bool IsEscapeSequence(string text, int index) =>
        text[index] == '_'
        && index + 6 < text.Length
        && text[index + 1] == 'x'
        && text[index + 6] == '_'
        && char.IsAsciiHexDigit(text[index + 2])
        && char.IsAsciiHexDigit(text[index + 3])
        && char.IsAsciiHexDigit(text[index + 4])
        && char.IsAsciiHexDigit(text[index + 5]);

    public static string GetColumnName(int index)
    {
        var name = "";
        for (var rest = index + 1; rest > 0; rest = (rest - 1) / 26)
            name = (char)('A' + (rest - 1) % 26) + name;
        return name;
    }

    public static string GetCell(int column, int row) => GetColumnName(column) + row.ToString(CultureInfo.InvariantCulture);

    public static string GetRange(int firstColumn, int firstRow, int lastColumn, int lastRow) =>
        $"{GetCell(firstColumn, firstRow)}:{GetCell(lastColumn, lastRow)}";

    public static string GetAbsoluteRange(int firstColumn, int firstRow, int lastColumn, int lastRow) =>
        Invariant($"${GetColumnName(firstColumn)}${firstRow}:${GetColumnName(lastColumn)}${lastRow}");

    public static string QuoteSheetName(string name) => "'" + name.Replace("'", "''", StringComparison.Ordinal) + "'!";
}
