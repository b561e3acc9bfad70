using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Writes XML with two spaces per level, as DiskSpd does, but escaped.</summary>
internal sealed class IndentedXmlWriter(TextWriter writer, string newLine)
{
    private readonly Stack<string> _open = [];

    /// <param name="attributes">An attribute with the value null is omitted.</param>
    internal void BeginElement(string name, params (string Name, string? Value)[] attributes)
    {
        WriteLine($"<{name}{FormatAttributes(attributes)}>");
        _open.Push(name);
    }

    /// <summary>Ends the innermost element. The document's last line has no line ending, as in DiskSpd.</summary>
    internal void EndElement()
    {
        var name = _open.Pop();
        if (_open.Count > 0)
            WriteLine($"</{name}>");
        else
            writer.Write($"</{name}>");
    }

    internal void WriteEmptyElement(string name, params (string Name, string? Value)[] attributes) =>
        WriteLine($"<{name}{FormatAttributes(attributes)}/>");

    internal void WriteElement(string name, long number) => WriteElement(name, NumberFormat.Integer(number));

    internal void WriteElement(string name, bool flag) => WriteElement(name, flag ? "true" : "false");

    internal void WriteElement(string name, string? text, params (string Name, string? Value)[] attributes) =>
        WriteLine($"<{name}{FormatAttributes(attributes)}>{Escape(text ?? "")}</{name}>");

    internal void WriteMasks(string name, IEnumerable<(int Group, ulong Mask)> masks)
    {
        BeginElement(name);
        foreach (var (group, mask) in masks)
            WriteEmptyElement("Group", ("Group", NumberFormat.Integer(group)), ("Mask", FormatMask(mask)));
        EndElement();
    }

    internal static string FormatMask(ulong mask) => "0x" + mask.ToString("x", CultureInfo.InvariantCulture);

    internal void WriteRange(int share, long part) =>
        WriteElement("Range", NumberFormat.Integer(part), ("IO", NumberFormat.Integer(share)));

    internal void WriteDecimal(string name, double? number, string format)
    {
        if (number is double value)
            WriteElement(name, value.ToString(format, CultureInfo.InvariantCulture));
    }

    private void WriteLine(string text)
    {
        for (var i = 0; i < _open.Count; i++)
            writer.Write("  ");
        writer.Write(text);
        writer.Write(newLine);
    }

    private static string FormatAttributes((string Name, string? Value)[] attributes)
    {
        var text = new StringBuilder();
        foreach (var (name, value) in attributes)
        {
            if (value is not null)
                text.Append(' ').Append(name).Append("=\"").Append(Escape(value)).Append('"');
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
