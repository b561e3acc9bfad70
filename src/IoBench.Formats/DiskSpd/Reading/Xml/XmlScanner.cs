using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

internal enum XmlPiece
{
    Start,

    /// <summary>An end tag, also of an empty element.</summary>
    End,
    EndOfText,
}

/// <summary>
/// Reads XML as DiskSpd writes it. DiskSpd does not escape values, so a path with <c>&amp;</c> or a power scheme named
/// <c>&lt;unknown&gt;</c> makes its XML
/// malformed, and XML parsers refuse it. The scanner only searches for tags and quoted attributes. It refuses a document type declaration,
/// and resolves only the
/// five predefined entities and numeric characters. Depth, names, and texts are limited.
/// </summary>
internal sealed class XmlScanner(TextReader reader, string? sourceFile)
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

    internal bool SawText { get; private set; }

    internal string Name { get; private set; } = "";

    /// <summary>At an end tag: the text since the last tag, without surrounding whitespace.</summary>
    internal string Text { get; private set; } = "";

    /// <summary>Number of open elements. At a start tag it includes the element, at an end tag it does not.</summary>
    internal int Depth => _open.Count;

    internal List<(string Name, string Value)> Attributes { get; } = [];

    internal XmlPiece Read()
    {
        if (_pendingEnd)
            return Close(Name, "", _open.LastIndexOf(Name));
        _text.Clear();
        while (TakeTextToTag())
        {
            var first = Peek();
            if (first == '/')
            {
                Take();
                var name = TakeName();
                SkipTo('>');
                if (_open.LastIndexOf(name) is >= 0 and var at)
                    return Close(name, TrimmedText(), at);
            }
            else if (first is '!' or '?')
            {
                TakeDeclaration();
            }
            else if (first >= 0 && (char.IsAsciiLetter((char)first) || first == '_'))
            {
                return Open();
            }
            else
            {
                AddText('<');
            }
        }
        return XmlPiece.EndOfText;
    }

    private bool TakeTextToTag()
    {
        while (Peek() >= 0)
        {
            var rest = _buffer.AsSpan(_next, _filled - _next);
            var end = rest.IndexOf('<');
            AddText(end < 0 ? rest : rest[..end]);
            _next += end < 0 ? rest.Length : end + 1;
            if (end < 0)
                continue;
            SawText = true;
            return true;
        }
        return false;
    }

    /// <summary>Appends text between tags, without leading whitespace.</summary>
    private void AddText(ReadOnlySpan<char> text)
    {
        Line += text.Count('\n');
        if (_text.Length == 0)
            text = text.TrimStart();
        if (text.IsEmpty)
            return;
        SawText = true;
        _text.Append(text[..Math.Min(text.Length, LongestText - _text.Length)]);
    }

    private XmlPiece Open()
    {
        Name = TakeName();
        if (_open.Count >= MaxDepth)
            throw Invalid($"elements are nested deeper than {MaxDepth}");
        _open.Add(Name);
        Attributes.Clear();
        Text = "";
        while (true)
        {
            SkipBlanks();
            var c = Peek();
            if (c < 0)
                return XmlPiece.EndOfText;
            if (c == '>')
            {
                Take();
                return XmlPiece.Start;
            }
            if (c == '/')
            {
                Take();
                if (Peek() == '>')
                    Take();
                _pendingEnd = true;
                return XmlPiece.Start;
            }
            TakeAttribute();
        }
    }

    private void TakeAttribute()
    {
        var name = TakeName();
        if (name.Length == 0)
        {
            Take();
            return;
        }
        SkipBlanks();
        var value = "";
        if (Peek() == '=')
        {
            Take();
            SkipBlanks();
            if (Peek() is '"' or '\'')
                value = TakeQuoted();
        }
        if (Attributes.Count < MaxAttributes)
            Attributes.Add((name, value));
    }

    private string TakeQuoted()
    {
        var quote = Take();
        _text.Clear();
        while (Peek() is var c && c >= 0 && c != quote)
            AddText((char)Take());
        Take();
        var value = Decode(_text.ToString());
        _text.Clear();
        return value;
    }

    private XmlPiece Close(string name, string text, int depth)
    {
        _pendingEnd = false;
        // An element without an end tag ends with the element around it.
        _open.RemoveRange(depth, _open.Count - depth);
        Name = name;
        Text = text;
        return XmlPiece.End;
    }

    private void TakeDeclaration()
    {
        if (Take() == '?')
        {
            SkipTo('>');
            return;
        }
        var name = TakeName();
        if (name.Equals("DOCTYPE", StringComparison.OrdinalIgnoreCase))
            throw Invalid("it has a document type (DTD), which DiskSpd never writes and which is refused");
        if (Peek() == '-')
        {
            SkipTo("-->");
        }
        else if (Peek() == '[')
        {
            // <![CDATA[ text ]]>
            Take();
            TakeName();
            Take();
            TakeCharacterData();
        }
        else
        {
            SkipTo('>');
        }
    }

    private void TakeCharacterData()
    {
        var brackets = 0;
        for (var c = Take(); c >= 0; c = Take())
        {
            if (c == '>' && brackets >= 2)
            {
                _text.Length = Math.Max(0, _text.Length - 2);
                return;
            }
            brackets = c == ']' ? brackets + 1 : 0;
            AddText((char)c);
        }
    }

    private string TakeName()
    {
        // The name is nearly always completely in the buffer.
        var rest = _buffer.AsSpan(_next, _filled - _next);
        var length = 0;
        while (length < rest.Length && IsOfName(rest[length], length == 0))
            length++;
        if (length == rest.Length || length > LongestName)
            return TakeLongName();
        _next += length;
        return NameOf(rest[..length]);
    }

    private string TakeLongName()
    {
        Span<char> name = stackalloc char[LongestName];
        var length = 0;
        while (Peek() is var c && c >= 0 && IsOfName((char)c, length == 0))
        {
            if (length == LongestName)
                throw Invalid("a name in it is too long");
            name[length++] = (char)Take();
        }
        return NameOf(name[..length]);
    }

    private static bool IsOfName(char c, bool isFirst) => char.IsAsciiLetterOrDigit(c) || c is '_' or ':' || (!isFirst && c is '-' or '.');

    private string NameOf(ReadOnlySpan<char> name)
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

    private string TrimmedText() => _text.Length == 0 ? "" : Decode(_text.ToString().Trim());

    /// <summary>Resolves entities and numeric characters. An ampersand that starts neither is text.</summary>
    private static string Decode(string text)
    {
        if (!text.Contains('&', StringComparison.Ordinal))
            return text;
        var result = new StringBuilder(text.Length);
        for (var i = 0; i < text.Length; i++)
        {
            var end = text[i] == '&' ? text.IndexOf(';', i, Math.Min(12, text.Length - i)) : -1;
            if (end > 0 && Entity(text.AsSpan(i + 1, end - i - 1)) is { } resolved)
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

    private static string? Entity(ReadOnlySpan<char> name)
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

    private void AddText(char c)
    {
        SawText |= !char.IsWhiteSpace(c);
        if (_text.Length < LongestText)
            _text.Append(c);
    }

    private void SkipBlanks()
    {
        while (Peek() is var c && c >= 0 && char.IsWhiteSpace((char)c))
            Take();
    }

    private void SkipTo(char end)
    {
        for (var c = Take(); c >= 0 && c != end; c = Take()) { }
    }

    private void SkipTo(string end)
    {
        var matched = 0;
        for (var c = Take(); c >= 0; c = Take())
        {
            matched =
                c == end[matched] ? matched + 1
                : c == '-' && matched == 2 ? 2
                : c == end[0] ? 1
                : 0;
            if (matched == end.Length)
                return;
        }
    }

    private int Peek()
    {
        if (_next < _filled)
            return _buffer[_next];
        _filled = reader.Read(_buffer, 0, _buffer.Length);
        _next = 0;
        return _filled > 0 ? _buffer[0] : -1;
    }

    private int Take()
    {
        var c = Peek();
        if (c >= 0)
            _next++;
        if (c == '\n')
            Line++;
        else if (c == '<')
            SawText = true;
        return c;
    }

    private IoBenchException Invalid(string what) =>
        IoBenchException.InvalidData(
            "IoBench.InvalidXml",
            $"{(sourceFile is null ? "The XML" : $"'{sourceFile}'")} line {Line}: {what}.",
            sourceFile
        );
}
