using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Writes XML with two spaces per level, as DiskSpd does, but escaped.</summary>
internal sealed class XmlLines(TextWriter writer, string newLine)
{
    private readonly Stack<string> _open = [];

    /// <summary>Begins an element.</summary>
    /// <param name="attributes">Names and values in turn. An attribute with the value null is omitted.</param>
    internal void Begin(string name, params string?[] attributes)
    {
        Line($"<{name}{Attributes(attributes)}>");
        _open.Push(name);
    }

    /// <summary>Ends the innermost element. The document's last line has no line ending, as in DiskSpd.</summary>
    internal void End()
    {
        var name = _open.Pop();
        if (_open.Count > 0)
            Line($"</{name}>");
        else
            writer.Write($"</{name}>");
    }

    internal void Empty(string name, params string?[] attributes) => Line($"<{name}{Attributes(attributes)}/>");

    internal void Element(string name, string? text) => Line($"<{name}>{Escape(text ?? "")}</{name}>");

    internal void Element(string name, long number) => Element(name, Figures.Whole(number));

    internal void Element(string name, bool flag) => Element(name, flag ? "true" : "false");

    internal void Element(string name, string attribute, string value, long number) =>
        Line($"<{name} {attribute}=\"{value}\">{Figures.Whole(number)}</{name}>");

    internal void Element(string name, string word, params string?[] attributes) =>
        Line($"<{name}{Attributes(attributes)}>{Escape(word)}</{name}>");

    internal void Masks(string name, IEnumerable<(int Group, ulong Mask)> masks)
    {
        Begin(name);
        foreach (var (group, mask) in masks)
            Empty("Group", "Group", Figures.Whole(group), "Mask", Mask(mask));
        End();
    }

    internal static string Mask(ulong mask) => "0x" + mask.ToString("x", CultureInfo.InvariantCulture);

    internal void Range(int share, long part) => Element("Range", "IO", Figures.Whole(share), part);

    /// <summary>Writes an element with decimals; nothing if <paramref name="number"/> is null.</summary>
    internal void Real(string name, double? number, string format)
    {
        if (number is double value)
            Element(name, value.ToString(format, CultureInfo.InvariantCulture));
    }

    private void Line(string text)
    {
        for (var i = 0; i < _open.Count; i++)
            writer.Write("  ");
        writer.Write(text);
        writer.Write(newLine);
    }

    private static string Attributes(string?[] attributes)
    {
        var text = new StringBuilder();
        for (var i = 0; i + 1 < attributes.Length; i += 2)
        {
            if (attributes[i + 1] is { } value)
                text.Append(' ').Append(attributes[i]).Append("=\"").Append(Escape(value)).Append('"');
        }
        return text.ToString();
    }

    /// <summary>Escapes XML characters. Control characters, which XML cannot contain, become a replacement character.</summary>
    internal static string Escape(string text)
    {
        if (text.AsSpan().IndexOfAny("&<>\"'") < 0 && !text.Any(c => char.IsControl(c) || char.IsSurrogate(c) || c >= '\uFFFE'))
            return text;
        var result = new StringBuilder(text.Length + 16);
        foreach (var rune in text.EnumerateRunes())
        {
            switch (rune.Value)
            {
                case '&':
                    result.Append("&amp;");
                    break;
                case '<':
                    result.Append("&lt;");
                    break;
                case '>':
                    result.Append("&gt;");
                    break;
                case '"':
                    result.Append("&quot;");
                    break;
                case '\'':
                    result.Append("&apos;");
                    break;
                case < 0x20 and not '\t':
                    result.Append('\uFFFD');
                    break;
                case 0xFFFE or 0xFFFF:
                    result.Append('\uFFFD');
                    break;
                default:
                    result.Append(rune);
                    break;
            }
        }
        return result.ToString();
    }
}
