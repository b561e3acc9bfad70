using System.Globalization;
using System.Text;
using System.Xml;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Escapes what DiskSpd does not escape, so that <see cref="XmlReader"/> accepts a path with <c>&amp;</c>. Refuses a document type
/// declaration, and turns an XML declaration into text, because it can be within a file. Truncates long texts and tags.
/// </summary>
internal sealed class DiskSpdXmlText(TextReader reader, string? sourceFile) : TextReader
{
    /// <summary>Number of characters that must follow a character, unless the text ends: the longest reference or declaration.</summary>
    private const int Lookahead = 12;

    private const int MaxLength = 64 * 1024;

    private readonly char[] _input = new char[16 * 1024];
    private readonly StringBuilder _repaired = new();
    private int _filled;
    private int _copied;
    private int _line = 1;
    private int _length;
    private bool _inTag;
    private char _quote;
    private char _previous;
    private string? _verbatimEnd;

    public override int Read(char[] buffer, int index, int count)
    {
        while (_copied == _repaired.Length)
        {
            _repaired.Clear();
            _copied = 0;
            if (!RepairNext())
                return 0;
        }
        var length = Math.Min(count, _repaired.Length - _copied);
        _repaired.CopyTo(_copied, buffer, index, length);
        _copied += length;
        return length;
    }

    private bool RepairNext()
    {
        var added = reader.Read(_input, _filled, _input.Length - _filled);
        _filled += added;
        if (_filled == 0)
            return false;
        var end = added == 0 ? _filled : Math.Max(0, _filled - Lookahead);
        for (var i = 0; i < end; i++)
            Repair(_input.AsSpan(i, _filled - i));
        _filled -= end;
        Array.Copy(_input, end, _input, 0, _filled);
        return true;
    }

    /// <summary>Appends the first character of the text, escaped if necessary.</summary>
    private void Repair(ReadOnlySpan<char> text)
    {
        var c = text[0];
        if (c == '\n')
            _line++;
        if (_verbatimEnd is not null && text.StartsWith(_verbatimEnd))
            _verbatimEnd = null;
        if (c == '<' && _verbatimEnd is null && _quote == '\0' && BeginsMarkup(text) || c == '>' && _inTag && _quote == '\0')
        {
            _inTag &= c == '<';
            _length = 0;
            _repaired.Append(c);
        }
        else if (c is '"' or '\'' && _inTag && (_quote == '\0' || _quote == c))
        {
            _quote = _quote == '\0' ? c : '\0';
            _repaired.Append(c);
        }
        else if (_length++ < MaxLength)
        {
            if (c == '<' && _verbatimEnd is null)
                _repaired.Append("&lt;");
            else if (c == '&' && _verbatimEnd is null && !IsReference(text))
                _repaired.Append("&amp;");
            else
                _repaired.Append(IsValid(text) ? c : '\uFFFD');
        }
        _previous = c;
    }

    private bool BeginsMarkup(ReadOnlySpan<char> text)
    {
        if (text.StartsWith("<!DOCTYPE", StringComparison.OrdinalIgnoreCase))
            throw CreateError(
                sourceFile,
                _line,
                "the file has a document type (DTD), which DiskSpd never writes. IoBench refuses such a file"
            );
        if (text.StartsWith("<!--"))
            _verbatimEnd = "-->";
        else if (text.StartsWith("<![CDATA["))
            _verbatimEnd = "]]>";
        else
            // DiskSpd prints <unknown> as the name of a processor or a power scheme.
            _inTag = text.Length > 1 && (char.IsAsciiLetter(text[1]) || text[1] is '_' or '/') && !text.StartsWith("<unknown>");
        return _inTag || _verbatimEnd is not null;
    }

    private static bool IsReference(ReadOnlySpan<char> text)
    {
        var end = text[..Math.Min(text.Length, Lookahead)].IndexOf(';');
        if (end < 2)
            return false;
        var name = text[1..end];
        if (name is "amp" or "lt" or "gt" or "quot" or "apos")
            return true;
        var isHex = name.StartsWith("#x");
        return name[0] == '#'
            && int.TryParse(
                isHex ? name[2..] : name[1..],
                isHex ? NumberStyles.AllowHexSpecifier : NumberStyles.None,
                CultureInfo.InvariantCulture,
                out var code
            )
            && Rune.IsValid(code)
            && (code > char.MaxValue || XmlConvert.IsXmlChar((char)code));
    }

    private bool IsValid(ReadOnlySpan<char> text) =>
        XmlConvert.IsXmlChar(text[0])
        || (text.Length > 1 && char.IsSurrogatePair(text[0], text[1]))
        || char.IsSurrogatePair(_previous, text[0]);

    internal static IoBenchException CreateError(string? sourceFile, int line, string what) =>
        IoBenchException.InvalidData(
            "IoBench.InvalidXml",
            $"{(sourceFile is null ? "The XML" : $"'{sourceFile}'")} line {line}: {what}.",
            sourceFile
        );
}
