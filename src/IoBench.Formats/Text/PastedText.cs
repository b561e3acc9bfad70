using System.Text;

namespace IoBench.Formats;

/// <summary>
/// Text that was pasted from elsewhere. E-mail replies and Markdown have quote marks before lines, and escape characters. Web pages have
/// special spaces.
/// </summary>
internal static class PastedText
{
    private const string Escapable = @"\`*_{}[]()#+-.!|~>:";

    /// <summary>Removes the quote marks of a post if most of its lines have one. Keeps the indentation of the quoted lines.</summary>
    internal static bool TryUnquote(string text, out string plain)
    {
        plain = text;
        if (!StartsWithMark(text) && !text.Contains("\n>", StringComparison.Ordinal) && !text.Contains("\n&gt;", StringComparison.Ordinal))
            return false;
        var quoted = 0;
        var others = 0;
        foreach (var line in text.AsSpan().EnumerateLines())
        {
            if (StartsWithMark(line))
                quoted++;
            else if (!line.IsWhiteSpace())
                others++;
        }
        if (quoted < 2 || quoted <= others)
            return false;
        var result = new StringBuilder(text.Length);
        foreach (var line in text.AsSpan().EnumerateLines())
            result.Append(RemoveMarks(line)).Append('\n');
        plain = result.ToString();
        return true;
    }

    private static bool StartsWithMark(ReadOnlySpan<char> line) => line.StartsWith(">") || line.StartsWith("&gt;");

    private static ReadOnlySpan<char> RemoveMarks(ReadOnlySpan<char> line)
    {
        while (StartsWithMark(line))
        {
            line = line[(line[0] == '>' ? 1 : 4)..];
            if (line.StartsWith(" "))
                line = line[1..];
        }
        return line;
    }

    /// <summary>Removes quote marks and the spaces after them.</summary>
    internal static ReadOnlySpan<byte> RemoveQuoteMarks(ReadOnlySpan<byte> line)
    {
        while (!line.IsEmpty && line[0] is (byte)'>' or (byte)'|')
            line = SqlioLineScanner.TrimSpaces(line[1..]);
        while (line.StartsWith("&gt;"u8))
            line = SqlioLineScanner.TrimSpaces(line[4..]);
        return line;
    }

    /// <summary>Returns the line without escape characters; false if it has none.</summary>
    internal static bool TryUnescapeMarkdown(ReadOnlySpan<byte> line, out ReadOnlySpan<byte> unescaped)
    {
        unescaped = default;
        if (line.Length > 4096 || !line.Contains((byte)'\\'))
            return false;
        var text = TextEncodings.Utf8Or1252.GetString(line);
        var plain = UnescapeMarkdown(text);
        if (plain.Length == text.Length)
            return false;
        unescaped = Encoding.UTF8.GetBytes(plain);
        return true;
    }

    internal static string UnescapeMarkdown(string text)
    {
        if (!text.Contains('\\', StringComparison.Ordinal))
            return text;
        var result = new StringBuilder(text.Length);
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] == '\\' && i + 1 < text.Length && Escapable.Contains(text[i + 1], StringComparison.Ordinal))
                i++;
            result.Append(text[i]);
        }
        return result.ToString();
    }

    /// <summary>Replaces all kinds of spaces; a line in ASCII is returned unchanged.</summary>
    public static ReadOnlySpan<byte> NormalizeSpaces(ReadOnlySpan<byte> line) =>
        Ascii.IsValid(line) ? line : Encoding.UTF8.GetBytes(NormalizeSpaces(TextEncodings.Utf8Or1252.GetString(line)));

    public static string NormalizeSpaces(string text)
    {
        var result = new StringBuilder(text.Length);
        foreach (var c in text)
        {
            switch (c)
            {
                case '\u00A0' or (>= '\u2000' and <= '\u200A') or '\u202F' or '\u205F' or '\u3000':
                    result.Append(' ');
                    break;
                case '\u200B' or '\u200C' or '\u200D' or '\uFEFF':
                    break;
                default:
                    result.Append(c);
                    break;
            }
        }
        return result.ToString();
    }
}
