using System.Globalization;
using System.Text;

namespace IoBench.Engine;

/// <summary>
/// Makes text from other sources safe for a terminal. Control characters could move the cursor, change the terminal's title, or hide parts
/// of the text; bidirectional marks change the order of characters. Both are escaped, such as <c>\e</c> or <c>\u202e</c>.
/// </summary>
public static class SafeText
{
    public static string Escape(string text) => Escape(text, keepLines: false);

    public static string EscapeLines(string text) => Escape(text, keepLines: true);

    /// <summary>Whether escaping would leave the text unchanged.</summary>
    public static bool IsSafe(ReadOnlySpan<char> text, bool keepLines = false) => FirstToEscape(text, keepLines) < 0;

    private static string Escape(string text, bool keepLines)
    {
        ArgumentNullException.ThrowIfNull(text);
        var first = FirstToEscape(text, keepLines);
        if (first < 0)
            return text;
        var result = new StringBuilder(text, 0, first, text.Length + 16);
        for (var i = first; i < text.Length; i++)
        {
            if (char.IsHighSurrogate(text[i]) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]))
                result.Append(text[i]).Append(text[++i]);
            else if (MustEscape(text[i], keepLines))
                AppendEscaped(result, text[i]);
            else
                result.Append(text[i]);
        }
        return result.ToString();
    }

    private static int FirstToEscape(ReadOnlySpan<char> text, bool keepLines)
    {
        // Most texts have only printable ASCII characters, and .NET finds other characters fast.
        var first = text.IndexOfAnyExceptInRange(' ', '~');
        for (var i = first < 0 ? text.Length : first; i < text.Length; i++)
        {
            if (char.IsHighSurrogate(text[i]) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]))
                i++;
            else if (MustEscape(text[i], keepLines))
                return i;
        }
        return -1;
    }

    private static bool MustEscape(char character, bool keepLines) =>
        character switch
        {
            '\n' or '\r' or '\t' => !keepLines,
            < ' ' => true,
            < '\u007f' => false,
            // DEL, and the C1 control characters, which include single-character CSI and OSC.
            <= '\u009f' => true,
            // Bidirectional marks, embeddings, overrides, and isolates; line and paragraph separators.
            '\u061c' or '\u200e' or '\u200f' or (>= '\u2028' and <= '\u202e') or (>= '\u2066' and <= '\u2069') => true,
            // An unpaired surrogate. The callers handle pairs before.
            >= '\ud800' and <= '\udfff' => true,
            _ => false,
        };

    private static void AppendEscaped(StringBuilder result, char character) =>
        _ = character switch
        {
            '\0' => result.Append(@"\0"),
            '\a' => result.Append(@"\a"),
            '\b' => result.Append(@"\b"),
            '\t' => result.Append(@"\t"),
            '\n' => result.Append(@"\n"),
            '\r' => result.Append(@"\r"),
            '\u001b' => result.Append(@"\e"),
            _ => result.Append(CultureInfo.InvariantCulture, $@"\u{(int)character:x4}"),
        };
}
