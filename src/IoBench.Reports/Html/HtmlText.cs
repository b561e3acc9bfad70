using System.Text;

namespace IoBench.Reports.Html;

/// <summary>Text as a page may hold it.</summary>
internal static class HtmlText
{
    /// <summary>Escapes what HTML and SVG read as markup; characters that neither may hold become U+FFFD.</summary>
    public static string Escape(string text)
    {
        var result = new StringBuilder(text.Length + 16);
        for (var index = 0; index < text.Length; index++)
        {
            var character = text[index];
            _ = character switch
            {
                '&' => result.Append("&amp;"),
                '<' => result.Append("&lt;"),
                '>' => result.Append("&gt;"),
                '"' => result.Append("&quot;"),
                '\'' => result.Append("&#39;"),
                '\t' or '\n' or '\r' => result.Append(' '),
                < ' ' or '\uFFFE' or '\uFFFF' => result.Append('\uFFFD'),
                _ when char.IsHighSurrogate(character) && index + 1 < text.Length && char.IsLowSurrogate(text[index + 1]) => result.Append(character).Append(text[++index]),
                _ when char.IsSurrogate(character) => result.Append('\uFFFD'),
                _ => result.Append(character),
            };
        }
        return result.ToString();
    }
}
