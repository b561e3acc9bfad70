using System.Text;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class HtmlWriter
{
    /// <summary>Escapes HTML and SVG markup, and control characters and direction marks, which could disguise a text.</summary>
    public static string EscapeHtml(string text)
    {
        text = SafeText.EscapeLines(text);
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
                '\uFFFE' or '\uFFFF' => result.Append('\uFFFD'),
                _ => result.Append(character),
            };
        }
        return result.ToString();
    }
}
