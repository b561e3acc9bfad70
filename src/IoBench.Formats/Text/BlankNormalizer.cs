using System.Text;

namespace IoBench.Formats.Text;

/// <summary>Turns the blanks that web pages and word processors put into copied text into plain ones.</summary>
internal static class BlankNormalizer
{
    /// <summary>The line with every kind of blank as a space; a line of ASCII is given back as it is.</summary>
    public static ReadOnlySpan<byte> Normalize(ReadOnlySpan<byte> line) =>
        Ascii.IsValid(line) ? line : Encoding.UTF8.GetBytes(Normalize(TextEncodings.Utf8Or1252.GetString(line)));

    /// <summary>The text with every kind of blank as a space, without zero-width characters.</summary>
    public static string Normalize(string text)
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
