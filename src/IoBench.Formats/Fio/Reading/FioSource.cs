namespace IoBench.Formats.Fio.Reading;

/// <summary>What stands next in a JSON text.</summary>
internal enum FioToken
{
    /// <summary>The text has ended, or a new document begins within one that was cut off.</summary>
    End,

    /// <summary>An opening brace.</summary>
    ObjectStart,

    /// <summary>A closing brace.</summary>
    ObjectEnd,

    /// <summary>An opening bracket.</summary>
    ArrayStart,

    /// <summary>A closing bracket.</summary>
    ArrayEnd,

    /// <summary>A name with its colon.</summary>
    Name,

    /// <summary>A text value.</summary>
    Text,

    /// <summary>A number, true, false, null, or what C prints for no number.</summary>
    Value,

    /// <summary>What is no JSON.</summary>
    Bad,
}

/// <summary>
/// fio's output as lines and as JSON tokens, whichever stands next, in constant memory: what fio and its wrappers print around and between documents is lines.
/// Tolerant where fio's JSON is not JSON (<c>nan</c>, names twice, lines of stderr within).
/// </summary>
internal sealed class FioSource(Stream stream)
{
    /// <summary>Longest line or token that is kept, in bytes: lists of files are the longest.</summary>
    internal const int LongestPiece = 256 * 1024;

    private byte[] _buffer = GC.AllocateUninitializedArray<byte>(TextInput.BufferLength(stream));
    private int _start;
    private int _end;
    private bool _ended;

    // What must stay in the buffer while more is read: the beginning of a token, or the brace before it.
    private int _keep = -1;
    private int _brace = -1;
    private int _valueStart;
    private int _valueLength;
    private int _braceLine;
    private long _depth;

    // A document that was cut off has ended, whatever of it is still asked for.
    private bool _documentEnded;

    /// <summary>Line that is read, from 1.</summary>
    internal int Line { get; private set; } = 1;

    /// <summary>The token's own text, without quotation marks; holds until the next is read.</summary>
    internal ReadOnlySpan<byte> Value => _buffer.AsSpan(_valueStart, _valueLength);

    /// <summary>The token's text decoded.</summary>
    internal string Text => FioStrings.Unescape(Value);

    /// <summary>True when a document begins here: a brace as the first sign of a line. Signs of a list around documents are passed over.</summary>
    internal bool BeginsDocument()
    {
        SkipMark();
        while (true)
        {
            if (!PassBlanks(out var at))
                return false;
            if (_buffer[at] == '{')
            {
                _start = at;
                _depth = 0;
                _documentEnded = false;
                return true;
            }
            // A lone sign before the brace is what is left of a prompt.
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

    /// <summary>A byte order mark at the beginning of a line: files that were joined have one each.</summary>
    private void SkipMark()
    {
        ReadOnlySpan<byte> mark = [0xEF, 0xBB, 0xBF];
        for (var at = _start; at - _start < mark.Length; at++)
        {
            if ((at == _end && !ReadMore(ref at)) || _buffer[at] != mark[at - _start])
                return;
        }
        _start += mark.Length;
    }

    /// <summary>The next line without its end, LF, CR LF or CR; false at the end of the text. Holds until the next read.</summary>
    internal bool TryReadLine(out ReadOnlySpan<byte> line, out int number)
    {
        number = Line;
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
            if (at - _start > LongestPiece || !ReadMore(ref at))
                break;
        }
        var (begin, length) = (_start, at - _start);
        _start = at;
        if (length > LongestPiece && at == _end)
        {
            line = _buffer.AsSpan(begin, LongestPiece).ToArray();
            SkipLine();
            return true;
        }
        line = _buffer.AsSpan(begin, length);
        if (at == _end)
            return length > 0;
        TakeLineEnd(ref line);
        return true;
    }

    private void TakeLineEnd(ref ReadOnlySpan<byte> line)
    {
        var isReturn = _buffer[_start++] == '\r';
        if (isReturn)
        {
            // Reading on may move the line.
            if (_start == _end)
                line = line.ToArray();
            var at = _start;
            if ((at < _end || ReadMore(ref at)) && _buffer[at] == '\n')
                _start = at + 1;
            else
                // A lone one is a progress line that the next was printed over: the same line of the file.
                return;
        }
        Line++;
    }

    /// <summary>Passes over the rest of the line.</summary>
    internal void SkipLine()
    {
        while (_start < _end || ReadMore())
        {
            var found = _buffer.AsSpan(_start, _end - _start).IndexOf((byte)'\n');
            if (found >= 0)
            {
                _start += found + 1;
                Line++;
                return;
            }
            _start = _end;
        }
    }

    /// <summary>The next token of a document.</summary>
    internal FioToken Next()
    {
        _keep = _brace;
        if (_documentEnded || !SkipBlanks())
            return FioToken.End;
        var c = _buffer[_start];
        (_valueStart, _valueLength) = (_start, 1);
        if (c == '"')
            return ReadString();
        var brace = _start++;
        (_brace, _keep) = (-1, -1);
        switch (c)
        {
            case (byte)'{':
                (_brace, _braceLine) = (brace, Line);
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
                return ReadWord();
        }
    }

    /// <summary>Passes over the value that follows a name.</summary>
    internal void Skip()
    {
        var token = Next();
        if (token is FioToken.ObjectStart or FioToken.ArrayStart)
            SkipRest();
    }

    /// <summary>Passes over what is left of an object or list whose opening sign was read.</summary>
    internal void SkipRest()
    {
        var open = 1;
        while (open > 0)
        {
            switch (Next())
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

    private bool SkipBlanks()
    {
        while (true)
        {
            while (_start < _end)
            {
                var c = _buffer[_start];
                if (c == '\n')
                    Line++;
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
                if (at - _start > LongestPiece || !ReadMore(ref at))
                    return TakeBad(at);
                continue;
            }
            at += found;
            if (_buffer[at] == '\n')
                return TakeBad(at);
            if (_buffer[at] == '"')
                break;
            at++;
            if (at == _end && !ReadMore(ref at))
                return TakeBad(at);
            at++;
        }
        (_valueStart, _valueLength) = (_start + 1, at - _start - 1);
        _start = at + 1;
        return IsName() ? TakeName() : TakeText();
    }

    private bool IsName()
    {
        if (!PassBlanks(out var at) || _buffer[at] != ':')
            return false;
        _start = at + 1;
        return true;
    }

    /// <summary>Where the next sign is that is neither blank nor tab; false where the text ends before one.</summary>
    private bool PassBlanks(out int at)
    {
        for (at = _start; at < _end || ReadMore(ref at); at++)
            if (_buffer[at] is not ((byte)' ' or (byte)'\t'))
                return true;
        return false;
    }

    private FioToken TakeName()
    {
        var brace = _brace;
        (_brace, _keep) = (-1, -1);
        if (brace < 0 || _depth < 2 || !Value.SequenceEqual("fio version"u8))
            return FioToken.Name;
        // The one before was cut off and this one written behind it.
        (_start, Line) = (brace, _braceLine);
        _documentEnded = true;
        return FioToken.End;
    }

    private FioToken TakeText()
    {
        (_brace, _keep) = (-1, -1);
        return FioToken.Text;
    }

    private FioToken TakeBad(int end)
    {
        (_valueStart, _valueLength) = (_start, Math.Min(end - _start, 200));
        _start = end;
        (_brace, _keep) = (-1, -1);
        return FioToken.Bad;
    }

    private FioToken ReadWord()
    {
        _keep = _start;
        var at = _start;
        while (at < _end || ReadMore(ref at))
        {
            var c = _buffer[at];
            if (!IsWordSign(c) || at - _start > 100)
                break;
            at++;
        }
        _keep = -1;
        if (at == _start)
            return TakeBad(at + 1);
        (_valueStart, _valueLength) = (_start, at - _start);
        _start = at;
        return FioToken.Value;
    }

    private static bool IsWordSign(byte c) =>
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

    /// <summary>Reads on; the place moves with the text.</summary>
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
}
