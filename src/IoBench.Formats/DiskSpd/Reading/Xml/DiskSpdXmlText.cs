using System.Globalization;
using System.Text;
using System.Xml;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Returns one document at a time, and skips the text around documents. Escapes what DiskSpd does not escape, so that
/// <see cref="XmlReader"/> accepts a path with <c>&amp;</c>. Refuses a document type declaration. Truncates long texts and tags.
/// </summary>
internal sealed class DiskSpdXmlText(TextReader reader, string? sourceFile) : TextReader
{
    /// <summary>Number of characters that must follow a character, unless the text ends: the longest reference or tag.</summary>
    private const int Lookahead = 12;

    private const int MaxLength = 64 * 1024;

    private readonly char[] _input = new char[16 * 1024];
    private readonly StringBuilder _repaired = new();
    private int _next;
    private int _end;
    private int _filled;
    private int _copied;
    private int _length;

    // Start of the tag that ends the document; null between documents.
    private string? _endTag;
    private bool _inTag;
    private bool _inEndTag;
    private char _quote;
    private char _previous;
    private string? _verbatimEnd;

    internal int Line { get; private set; } = 1;

    /// <summary>Whether the input has anything but spaces.</summary>
    internal bool HasText { get; private set; }

    /// <summary>Whether the last document ended with its end tag. Otherwise, the text or the next document ended it.</summary>
    internal bool IsClosed { get; private set; }

    /// <summary>Skips the rest of the current document, and moves to the next start tag of Results or Profile.</summary>
    internal bool MoveToDocument()
    {
        SkipDocument();
        for (; Fill(); _next++)
        {
            var text = _input.AsSpan(_next, _filled - _next);
            HasText |= !char.IsWhiteSpace(text[0]);
            EndVerbatimText(text);
            if (text[0] == '\n')
                Line++;
            if (text[0] != '<' || _verbatimEnd is not null || BeginsComment(text))
                continue;
            _endTag =
                IsTag(text, "<Results") ? "</Results"
                : IsTag(text, "<Profile") ? "</Profile"
                : null;
            if (_endTag is null)
                continue;
            IsClosed = false;
            _inTag = true;
            _repaired.Append(text[0]);
            _next++;
            return true;
        }
        return false;
    }

    internal void SkipDocument()
    {
        while (FillRepaired()) { }
    }

    public override int Read(char[] buffer, int index, int count)
    {
        if (_copied == _repaired.Length && !FillRepaired())
            return 0;
        var length = Math.Min(count, _repaired.Length - _copied);
        _repaired.CopyTo(_copied, buffer, index, length);
        _copied += length;
        return length;
    }

    private bool FillRepaired()
    {
        _repaired.Clear();
        _copied = 0;
        while (_repaired.Length == 0 && _endTag is not null)
        {
            if (!Fill())
                EndDocument();
            while (_next < _end && _endTag is not null)
                RepairNext(_endTag);
        }
        return _repaired.Length > 0;
    }

    private bool Fill()
    {
        while (_next == _end)
        {
            _filled -= _next;
            Array.Copy(_input, _next, _input, 0, _filled);
            _next = 0;
            var added = reader.Read(_input, _filled, _input.Length - _filled);
            _filled += added;
            _end = added == 0 ? _filled : Math.Max(0, _filled - Lookahead);
            if (_filled == 0)
                return false;
        }
        return true;
    }

    private void EndDocument()
    {
        _endTag = null;
        _verbatimEnd = null;
        _inTag = false;
        _inEndTag = false;
        _quote = '\0';
        _length = 0;
    }

    /// <summary>Appends the next character, escaped if necessary.</summary>
    private void RepairNext(string endTag)
    {
        var text = _input.AsSpan(_next, _filled - _next);
        var c = text[0];
        EndVerbatimText(text);
        var canBeTag = c == '<' && _verbatimEnd is null;
        // The previous document can end anywhere, even within quotation marks.
        if (canBeTag && IsTag(text, "<Results"))
        {
            EndDocument();
            return;
        }
        if (canBeTag && IsTag(text, endTag))
        {
            _inEndTag = true;
            _quote = '\0';
        }
        _next++;
        if (c == '\n')
            Line++;
        if (_quote == '\0' && (canBeTag ? BeginsMarkup(text) : c == '>' && _inTag))
        {
            _inTag &= c == '<';
            _length = 0;
            _repaired.Append(c);
            if (c == '>' && _inEndTag)
            {
                IsClosed = true;
                EndDocument();
            }
        }
        else if (c is '"' or '\'' && _inTag && (_quote == '\0' || _quote == c))
        {
            _quote = _quote == '\0' ? c : '\0';
            _repaired.Append(c);
        }
        else if (_length++ < MaxLength)
        {
            if (canBeTag)
                _repaired.Append("&lt;");
            else if (c == '&' && _verbatimEnd is null && !IsReference(text))
                _repaired.Append("&amp;");
            else if (c == '&' && _verbatimEnd is null && _length > MaxLength - Lookahead)
                _length = MaxLength;
            else
                _repaired.Append(IsValid(text) ? c : '\uFFFD');
        }
        _previous = c;
    }

    private static bool IsTag(ReadOnlySpan<char> text, string start) =>
        text.StartsWith(start)
        && (text.Length == start.Length || text[start.Length] is '>' or '/' || char.IsWhiteSpace(text[start.Length]));

    private void EndVerbatimText(ReadOnlySpan<char> text)
    {
        if (_verbatimEnd is null || !text.StartsWith(_verbatimEnd))
            return;
        _verbatimEnd = null;
        _length = 0;
    }

    private bool BeginsMarkup(ReadOnlySpan<char> text)
    {
        if (BeginsComment(text))
            return true;
        if (text.StartsWith("<![CDATA["))
            _verbatimEnd = "]]>";
        else
            // DiskSpd prints <unknown> as the name of a processor or a power scheme.
            _inTag = text.Length > 1 && (char.IsAsciiLetter(text[1]) || text[1] is '_' or '/') && !text.StartsWith("<unknown>");
        return _inTag || _verbatimEnd is not null;
    }

    private bool BeginsComment(ReadOnlySpan<char> text)
    {
        if (text.StartsWith("<!DOCTYPE", StringComparison.OrdinalIgnoreCase))
            throw CreateError(
                sourceFile,
                Line,
                "the file contains a document type definition (DTD). IoBench does not read such a file, because DiskSpd never writes a DTD"
            );
        if (!text.StartsWith("<!--"))
            return false;
        _verbatimEnd = "-->";
        return true;
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
