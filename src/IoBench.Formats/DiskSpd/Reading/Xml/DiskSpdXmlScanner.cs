using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

internal enum XmlTagKind
{
    Start,

    /// <summary>An end tag, also of an empty element.</summary>
    End,
    EndOfText,
}

/// <summary>
/// Reads XML as DiskSpd writes it. DiskSpd does not escape values, so XML parsers refuse a path with <c>&amp;</c>. Refuses a document type
/// declaration, and resolves only the predefined entities and numeric characters. Depth, names, and texts are limited.
/// </summary>
internal sealed class DiskSpdXmlScanner(TextReader reader, string? sourceFile)
{
    private const int MaxDepth = 64;
    private const int LongestName = 128;
    private const int LongestText = 64 * 1024;
    private const int MaxAttributes = 64;

    private readonly char[] _buffer = new char[16 * 1024];
    private readonly List<string> _open = [];
    private readonly Dictionary<int, string> _names = [];
    private readonly StringBuilder _text = new();
    private int _next;
    private int _filled;
    private bool _pendingEnd;

    internal int Line { get; private set; } = 1;

    internal bool HasText { get; private set; }

    internal string Name { get; private set; } = "";

    /// <summary>At an end tag: the text since the last tag, without surrounding whitespace.</summary>
    internal string Text { get; private set; } = "";

    /// <summary>Number of open elements. At a start tag it includes the element, at an end tag it does not.</summary>
    internal int Depth => _open.Count;

    internal List<(string Name, string Value)> Attributes { get; } = [];

    internal XmlTagKind Read()
    {
        if (_pendingEnd)
            return CloseElement(Name, "", _open.LastIndexOf(Name));
        _text.Clear();
        while (TryReadTextToTag())
        {
            var first = PeekChar();
            if (first == '/')
            {
                ReadChar();
                var name = ReadName();
                SkipTo('>');
                if (_open.LastIndexOf(name) is >= 0 and var at)
                    return CloseElement(name, GetTrimmedText(), at);
            }
            else if (first is '!' or '?')
            {
                ReadDeclaration();
            }
            else if (first >= 0 && (char.IsAsciiLetter((char)first) || first == '_'))
            {
                return OpenElement();
            }
            else
            {
                AppendText('<');
            }
        }
        return XmlTagKind.EndOfText;
    }

    private bool TryReadTextToTag()
    {
        while (PeekChar() >= 0)
        {
            var rest = _buffer.AsSpan(_next, _filled - _next);
            var end = rest.IndexOf('<');
            AppendText(end < 0 ? rest : rest[..end]);
            _next += end < 0 ? rest.Length : end + 1;
            if (end < 0)
                continue;
            HasText = true;
            return true;
        }
        return false;
    }

    private void AppendText(ReadOnlySpan<char> text)
    {
        Line += text.Count('\n');
        if (_text.Length == 0)
            text = text.TrimStart();
        if (text.IsEmpty)
            return;
        HasText = true;
        _text.Append(text[..Math.Min(text.Length, LongestText - _text.Length)]);
    }

    private XmlTagKind OpenElement()
    {
        Name = ReadName();
        if (_open.Count >= MaxDepth)
            throw CreateError($"elements are nested deeper than {MaxDepth}");
        _open.Add(Name);
        Attributes.Clear();
        Text = "";
        while (true)
        {
            SkipWhitespace();
            var c = PeekChar();
            if (c < 0)
                return XmlTagKind.EndOfText;
            if (c == '>')
            {
                ReadChar();
                return XmlTagKind.Start;
            }
            if (c == '/')
            {
                ReadChar();
                if (PeekChar() == '>')
                    ReadChar();
                _pendingEnd = true;
                return XmlTagKind.Start;
            }
            ReadAttribute();
        }
    }

    private void ReadAttribute()
    {
        var name = ReadName();
        if (name.Length == 0)
        {
            ReadChar();
            return;
        }
        SkipWhitespace();
        var value = "";
        if (PeekChar() == '=')
        {
            ReadChar();
            SkipWhitespace();
            if (PeekChar() is '"' or '\'')
                value = ReadQuoted();
        }
        if (Attributes.Count < MaxAttributes)
            Attributes.Add((name, value));
    }

    private string ReadQuoted()
    {
        var quote = ReadChar();
        _text.Clear();
        while (PeekChar() is var c && c >= 0 && c != quote)
            AppendText((char)ReadChar());
        ReadChar();
        var value = DecodeEntities(_text.ToString());
        _text.Clear();
        return value;
    }

    private XmlTagKind CloseElement(string name, string text, int depth)
    {
        _pendingEnd = false;
        // An element without an end tag ends with the element around it.
        _open.RemoveRange(depth, _open.Count - depth);
        Name = name;
        Text = text;
        return XmlTagKind.End;
    }

    private void ReadDeclaration()
    {
        if (ReadChar() == '?')
        {
            SkipTo('>');
            return;
        }
        var name = ReadName();
        if (name.Equals("DOCTYPE", StringComparison.OrdinalIgnoreCase))
            throw CreateError("the file has a document type (DTD), which DiskSpd never writes. IoBench refuses such a file");
        if (PeekChar() == '-')
        {
            SkipTo("-->");
        }
        else if (PeekChar() == '[')
        {
            // <![CDATA[ text ]]>
            ReadChar();
            ReadName();
            ReadChar();
            ReadCharacterData();
        }
        else
        {
            SkipTo('>');
        }
    }

    private void ReadCharacterData()
    {
        var brackets = 0;
        for (var c = ReadChar(); c >= 0; c = ReadChar())
        {
            if (c == '>' && brackets >= 2)
            {
                _text.Length = Math.Max(0, _text.Length - 2);
                return;
            }
            brackets = c == ']' ? brackets + 1 : 0;
            AppendText((char)c);
        }
    }

    private string ReadName()
    {
        // The name is nearly always completely in the buffer.
        var rest = _buffer.AsSpan(_next, _filled - _next);
        var length = 0;
        while (length < rest.Length && IsNameChar(rest[length], length == 0))
            length++;
        if (length == rest.Length || length > LongestName)
            return ReadLongName();
        _next += length;
        return GetName(rest[..length]);
    }

    private string ReadLongName()
    {
        Span<char> name = stackalloc char[LongestName];
        var length = 0;
        while (PeekChar() is var c && c >= 0 && IsNameChar((char)c, length == 0))
        {
            if (length == LongestName)
                throw CreateError("an element or attribute name is too long");
            name[length++] = (char)ReadChar();
        }
        return GetName(name[..length]);
    }

    private static bool IsNameChar(char c, bool isFirst) =>
        char.IsAsciiLetterOrDigit(c) || c is '_' or ':' || (!isFirst && c is '-' or '.');

    private string GetName(ReadOnlySpan<char> name)
    {
        var hash = 17;
        foreach (var c in name)
            hash = hash * 31 + c;
        // DiskSpd has only some hundred names, so reuse their strings.
        if (_names.TryGetValue(hash, out var known) && name.SequenceEqual(known))
            return known;
        var text = name.ToString();
        if (_names.Count < 512)
            _names[hash] = text;
        return text;
    }

    private string GetTrimmedText() => _text.Length == 0 ? "" : DecodeEntities(_text.ToString().Trim());

    /// <summary>Resolves entities and numeric characters. An ampersand that starts neither is text.</summary>
    private static string DecodeEntities(string text)
    {
        if (!text.Contains('&', StringComparison.Ordinal))
            return text;
        var result = new StringBuilder(text.Length);
        for (var i = 0; i < text.Length; i++)
        {
            var end = text[i] == '&' ? text.IndexOf(';', i, Math.Min(12, text.Length - i)) : -1;
            if (end > 0 && ResolveEntity(text.AsSpan(i + 1, end - i - 1)) is { } resolved)
            {
                result.Append(resolved);
                i = end;
            }
            else
            {
                result.Append(text[i]);
            }
        }
        return result.ToString();
    }

    private static string? ResolveEntity(ReadOnlySpan<char> name)
    {
        switch (name)
        {
            case "amp":
                return "&";
            case "lt":
                return "<";
            case "gt":
                return ">";
            case "quot":
                return "\"";
            case "apos":
                return "'";
        }
        if (name.Length < 2 || name[0] != '#')
            return null;
        var isHex = name[1] is 'x' or 'X';
        var style = isHex ? NumberStyles.AllowHexSpecifier : NumberStyles.None;
        return
            int.TryParse(isHex ? name[2..] : name[1..], style, CultureInfo.InvariantCulture, out var code) && Rune.IsValid(code) && code > 0
            ? new Rune(code).ToString()
            : null;
    }

    private void AppendText(char c)
    {
        HasText |= !char.IsWhiteSpace(c);
        if (_text.Length < LongestText)
            _text.Append(c);
    }

    private void SkipWhitespace()
    {
        while (PeekChar() is var c && c >= 0 && char.IsWhiteSpace((char)c))
            ReadChar();
    }

    private void SkipTo(char end)
    {
        for (var c = ReadChar(); c >= 0 && c != end; c = ReadChar()) { }
    }

    private void SkipTo(string end)
    {
        var matched = 0;
        for (var c = ReadChar(); c >= 0; c = ReadChar())
        {
            if (c == end[matched])
                matched++;
            else if (c != '-' || matched != 2)
                matched = c == end[0] ? 1 : 0;
            if (matched == end.Length)
                return;
        }
    }

    private int PeekChar()
    {
        if (_next < _filled)
            return _buffer[_next];
        _filled = reader.Read(_buffer, 0, _buffer.Length);
        _next = 0;
        return _filled > 0 ? _buffer[0] : -1;
    }

    private int ReadChar()
    {
        var c = PeekChar();
        if (c >= 0)
            _next++;
        if (c == '\n')
            Line++;
        else if (c == '<')
            HasText = true;
        return c;
    }

    private IoBenchException CreateError(string what) =>
        IoBenchException.InvalidData(
            "IoBench.InvalidXml",
            $"{(sourceFile is null ? "The XML" : $"'{sourceFile}'")} line {Line}: {what}.",
            sourceFile
        );
}
