using System.Text;

namespace IoBench.Formats;

internal enum FioToken
{
    /// <summary>The text has ended, or a new document starts within one that was cut off.</summary>
    End,

    ObjectStart,

    ObjectEnd,

    ArrayStart,

    ArrayEnd,

    Name,

    Text,

    /// <summary>A number, true, false, null, or text that C prints instead of a number (<c>nan</c>, <c>inf</c>).</summary>
    Value,

    Bad,
}

/// <summary>Reads lines or JSON tokens in constant memory. Tolerates <c>nan</c>, duplicate names, and lines of stderr in JSON.</summary>
internal sealed class FioTokenizer(Stream stream)
{
    /// <summary>Longest line or token in bytes that is read; lists of files are the longest.</summary>
    internal const int MaxTokenLength = 256 * 1024;

    private byte[] _buffer = GC.AllocateUninitializedArray<byte>(TextInput.GetBufferLength(stream));
    private int _start;
    private int _end;
    private bool _ended;

    // Start of the bytes that must stay in the buffer while more is read: a token, or the brace before it.
    private int _keep = -1;
    private int _brace = -1;
    private int _valueStart;
    private int _valueLength;
    private int _braceLine;
    private long _depth;

    // True after a document that was cut off has ended. Then all further reads of this document return End.
    private bool _documentEnded;

    internal int LineNumber { get; private set; } = 1;

    internal ReadOnlySpan<byte> Value => _buffer.AsSpan(_valueStart, _valueLength);

    internal string Text => FioTokenizer.Unescape(Value);

    internal bool IsAtDocumentStart()
    {
        SkipByteOrderMark();
        while (true)
        {
            if (!TrySkipSpaces(out var at))
                return false;
            if (_buffer[at] == '{')
            {
                _start = at;
                _depth = 0;
                _documentEnded = false;
                return true;
            }
            // A single ">" before the brace is the rest of a prompt.
            var isPrompt = _buffer[at] == '>';
            if (!isPrompt && _buffer[at] is not ((byte)'[' or (byte)',' or (byte)']'))
                return false;
            var next = at + 1;
            if (next == _end && !ReadMore(ref next))
                return false;
            if (isPrompt ? _buffer[next] != '{' : _buffer[next] is not ((byte)' ' or (byte)'\r' or (byte)'\n' or (byte)'{'))
                return false;
            _start = next;
        }
    }

    /// <summary>Skips a byte order mark at the start of a line. Concatenated files contain one per file.</summary>
    private void SkipByteOrderMark()
    {
        ReadOnlySpan<byte> mark = [0xEF, 0xBB, 0xBF];
        for (var at = _start; at - _start < mark.Length; at++)
        {
            if ((at == _end && !ReadMore(ref at)) || _buffer[at] != mark[at - _start])
                return;
        }
        _start += mark.Length;
    }

    /// <summary>Lines end with LF, CR LF, or CR. The line is valid until the next read.</summary>
    internal bool TryReadLine(out ReadOnlySpan<byte> line, out int number)
    {
        number = LineNumber;
        var at = _start;
        while (true)
        {
            var found = _buffer.AsSpan(at, _end - at).IndexOfAny((byte)'\n', (byte)'\r');
            if (found >= 0)
            {
                at += found;
                break;
            }
            at = _end;
            if (at - _start > MaxTokenLength || !ReadMore(ref at))
                break;
        }
        var begin = _start;
        var length = at - _start;
        _start = at;
        if (length > MaxTokenLength && at == _end)
        {
            line = _buffer.AsSpan(begin, MaxTokenLength).ToArray();
            SkipLine();
            return true;
        }
        line = _buffer.AsSpan(begin, length);
        if (at == _end)
            return length > 0;
        RemoveLineEnd(ref line);
        return true;
    }

    private void RemoveLineEnd(ref ReadOnlySpan<byte> line)
    {
        var isReturn = _buffer[_start++] == '\r';
        if (isReturn)
        {
            // Reading more data can move the line in the buffer.
            if (_start == _end)
                line = line.ToArray();
            var at = _start;
            if ((at < _end || ReadMore(ref at)) && _buffer[at] == '\n')
                _start = at + 1;
            else
                // A single CR ends a progress line that the next one overwrote; it does not start a new line of the file.
                return;
        }
        LineNumber++;
    }

    internal void SkipLine()
    {
        while (_start < _end || ReadMore())
        {
            var found = _buffer.AsSpan(_start, _end - _start).IndexOf((byte)'\n');
            if (found >= 0)
            {
                _start += found + 1;
                LineNumber++;
                return;
            }
            _start = _end;
        }
    }

    internal FioToken ReadToken()
    {
        _keep = _brace;
        if (_documentEnded || !SkipWhiteSpace())
            return FioToken.End;
        var c = _buffer[_start];
        _valueStart = _start;
        _valueLength = 1;
        if (c == '"')
            return ReadString();
        var brace = _start++;
        _brace = -1;
        _keep = -1;
        switch (c)
        {
            case (byte)'{':
                _brace = brace;
                _braceLine = LineNumber;
                _depth++;
                return FioToken.ObjectStart;
            case (byte)'}':
                _depth--;
                return FioToken.ObjectEnd;
            case (byte)'[':
                return FioToken.ArrayStart;
            case (byte)']':
                return FioToken.ArrayEnd;
            default:
                _start--;
                return ReadLiteral();
        }
    }

    internal void SkipValue()
    {
        var token = ReadToken();
        if (token is FioToken.ObjectStart or FioToken.ArrayStart)
            SkipContainer();
    }

    internal void SkipContainer()
    {
        var open = 1;
        while (open > 0)
        {
            switch (ReadToken())
            {
                case FioToken.ObjectStart or FioToken.ArrayStart:
                    open++;
                    break;
                case FioToken.ObjectEnd or FioToken.ArrayEnd:
                    open--;
                    break;
                case FioToken.Bad:
                    SkipLine();
                    break;
                case FioToken.End:
                    return;
            }
        }
    }

    private bool SkipWhiteSpace()
    {
        while (true)
        {
            while (_start < _end)
            {
                var c = _buffer[_start];
                if (c == '\n')
                    LineNumber++;
                else if (c is not ((byte)' ' or (byte)',' or (byte)'\t' or (byte)'\r'))
                    return true;
                _start++;
            }
            if (!ReadMore())
                return false;
        }
    }

    private FioToken ReadString()
    {
        if (_brace < 0)
            _keep = _start;
        var at = _start + 1;
        while (true)
        {
            var found = _buffer.AsSpan(at, _end - at).IndexOfAny((byte)'"', (byte)'\\', (byte)'\n');
            if (found < 0)
            {
                at = _end;
                if (at - _start > MaxTokenLength || !ReadMore(ref at))
                    return ReadInvalidToken(at);
                continue;
            }
            at += found;
            if (_buffer[at] == '\n')
                return ReadInvalidToken(at);
            if (_buffer[at] == '"')
                break;
            at++;
            if (at == _end && !ReadMore(ref at))
                return ReadInvalidToken(at);
            at++;
        }
        _valueStart = _start + 1;
        _valueLength = at - _start - 1;
        _start = at + 1;
        return IsPropertyName() ? ReadNameToken() : ReadTextToken();
    }

    private bool IsPropertyName()
    {
        if (!TrySkipSpaces(out var at) || _buffer[at] != ':')
            return false;
        _start = at + 1;
        return true;
    }

    private bool TrySkipSpaces(out int at)
    {
        for (at = _start; at < _end || ReadMore(ref at); at++)
            if (_buffer[at] is not ((byte)' ' or (byte)'\t'))
                return true;
        return false;
    }

    private FioToken ReadNameToken()
    {
        var brace = _brace;
        _brace = -1;
        _keep = -1;
        if (brace < 0 || _depth < 2 || !Value.SequenceEqual("fio version"u8))
            return FioToken.Name;
        // The previous document was cut off, and this one follows it.
        _start = brace;
        LineNumber = _braceLine;
        _documentEnded = true;
        return FioToken.End;
    }

    private FioToken ReadTextToken()
    {
        _brace = -1;
        _keep = -1;
        return FioToken.Text;
    }

    private FioToken ReadInvalidToken(int end)
    {
        _valueStart = _start;
        _valueLength = Math.Min(end - _start, 200);
        _start = end;
        _brace = -1;
        _keep = -1;
        return FioToken.Bad;
    }

    private FioToken ReadLiteral()
    {
        _keep = _start;
        var at = _start;
        while (at < _end || ReadMore(ref at))
        {
            var c = _buffer[at];
            if (!IsLiteralCharacter(c) || at - _start > 100)
                break;
            at++;
        }
        _keep = -1;
        if (at == _start)
            return ReadInvalidToken(at + 1);
        _valueStart = _start;
        _valueLength = at - _start;
        _start = at;
        return FioToken.Value;
    }

    private static bool IsLiteralCharacter(byte c) =>
        c
            is (>= (byte)'0' and <= (byte)'9')
                or (>= (byte)'a' and <= (byte)'z')
                or (>= (byte)'A' and <= (byte)'Z')
                or (byte)'.'
                or (byte)'-'
                or (byte)'+';

    private bool ReadMore()
    {
        var at = _start;
        return ReadMore(ref at);
    }

    private bool ReadMore(ref int at)
    {
        if (_ended)
            return false;
        var keep = _keep >= 0 ? Math.Min(_keep, _start) : _start;
        if (keep > 0)
        {
            _buffer.AsSpan(keep, _end - keep).CopyTo(_buffer);
            _end -= keep;
            _start -= keep;
            _valueStart -= keep;
            at -= keep;
            _keep = _keep >= 0 ? _keep - keep : -1;
            _brace = _brace >= 0 ? _brace - keep : -1;
        }
        if (_end == _buffer.Length)
            Array.Resize(ref _buffer, _buffer.Length * 2);
        var read = stream.Read(_buffer, _end, _buffer.Length - _end);
        _end += read;
        _ended = read == 0;
        return read > 0;
    }

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
            {
                result.Append((char)code);
                i += 4;
            }
            else
                result.Append('\\').Append(escaped[i]);
        }
        return result.ToString();
    }
}
