using System.Text;

namespace IoBench.Formats;

internal static class FioTokenizer
{
    /// <summary>Decodes JSON escapes. Old versions of fio did not escape strings, so an invalid escape stays unchanged.</summary>
    internal static string Unescape(ReadOnlySpan<byte> text)
    {
        if (text.IndexOf((byte)'\\') < 0)
            return TextEncodings.Utf8Or1252.GetString(text);
        var escaped = TextEncodings.Utf8Or1252.GetString(text);
        var result = new StringBuilder(escaped.Length);
        for (var i = 0; i < escaped.Length; i++)
        {
            if (escaped[i] != '\\' || i + 1 == escaped.Length)
            {
                result.Append(escaped[i]);
                continue;
            }
            i++;
            if (escaped[i] is '"' or '\\' or '/')
                result.Append(escaped[i]);
            else if (escaped[i] is 'n' or 't' or 'r' or 'b' or 'f')
                result.Append(
                    escaped[i] switch
                    {
                        'n' => '\n',
                        't' => '\t',
                        'r' => '\r',
                        'b' => '\b',
                        _ => '\f',
                    }
                );
            else if (
                escaped[i] == 'u'
                && i + 4 < escaped.Length
                && ushort.TryParse(escaped.AsSpan(i + 1, 4), System.Globalization.NumberStyles.AllowHexSpecifier, null, out var code)
            )
                (_, i) = (result.Append((char)code), i + 4);
            else
                result.Append('\\').Append(escaped[i]);
        }
        return result.ToString();
    }
}
