using System.Text;

namespace IoBench.Formats;

/// <summary>Replaces the special spaces of web pages and word processors with plain spaces.</summary>
internal static class WhiteSpaceNormalizer
{
    /// <summary>Replaces all kinds of spaces; a line in ASCII is returned unchanged.</summary>
    public static ReadOnlySpan<byte> Normalize(ReadOnlySpan<byte> line) =>
        Ascii.IsValid(line) ? line : Encoding.UTF8.GetBytes(Normalize(TextEncodings.Utf8Or1252.GetString(line)));

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
