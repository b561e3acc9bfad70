using System.Buffers;

namespace IoBench.Formats;

/// <summary>The current line is a window of a reused buffer. A line longer than <see cref="MaxLineLength"/> is truncated.</summary>
internal sealed class TextLineReader(TextReader reader)
{
    /// <summary>Maximum length of a line in characters; the rest is skipped.</summary>
    internal const int MaxLineLength = 32 * 1024;

    // Rent the buffer: for many small files, allocating this size would cost more than reading them.
    private readonly char[] _buffer = ArrayPool<char>.Shared.Rent(64 * 1024);
    private int _start;
    private int _filled;
    private int _lineStart;
    private int _lineLength;
    private bool _ended;
    private bool _skipLineFeed;

    internal int LineNumber { get; private set; }

    internal bool WasCut { get; private set; }

    /// <summary>Current line without its end; valid until the next call of <see cref="MoveNext"/>.</summary>
    internal ReadOnlySpan<char> CurrentLine => _buffer.AsSpan(_lineStart, _lineLength);

    /// <summary>Returns the buffer to the pool. The reader cannot be used after that.</summary>
    internal void ReturnBuffer() => ArrayPool<char>.Shared.Return(_buffer);

    internal bool MoveNext()
    {
        WasCut = false;
        var searched = 0;
        while (true)
        {
            if (_skipLineFeed && _start < _filled)
            {
                if (_buffer[_start] == '\n')
                    _start++;
                _skipLineFeed = false;
            }
            var end = _buffer.AsSpan(_start + searched, _filled - _start - searched).IndexOfAny('\r', '\n');
            if (end >= 0)
            {
                end += searched;
                _skipLineFeed = _buffer[_start + end] == '\r';
                return SetLine(end, end + 1);
            }
            searched = _filled - _start;
            if (searched >= MaxLineLength)
            {
                SkipRestOfLine();
                return SetLine(MaxLineLength, MaxLineLength);
            }
            if (_ended)
                return searched > 0 && SetLine(searched, searched);
            FillBuffer();
        }
    }

    private bool SetLine(int length, int consumed)
    {
        _lineStart = _start;
        _lineLength = Math.Min(length, MaxLineLength);
        WasCut |= length > MaxLineLength;
        _start += consumed;
        LineNumber++;
        return true;
    }

    private void FillBuffer()
    {
        if (_start > 0)
        {
            Array.Copy(_buffer, _start, _buffer, 0, _filled - _start);
            _filled -= _start;
            _start = 0;
        }
        var count = reader.Read(_buffer, _filled, _buffer.Length - _filled);
        _filled += count;
        _ended = count == 0;
    }

    private void SkipRestOfLine()
    {
        WasCut = true;
        while (true)
        {
            var from = _start + MaxLineLength;
            var end = _buffer.AsSpan(from, _filled - from).IndexOfAny('\r', '\n');
            if (end >= 0)
            {
                _skipLineFeed = _buffer[from + end] == '\r';
                Array.Copy(_buffer, from + end + 1, _buffer, from, _filled - from - end - 1);
                _filled -= end + 1;
                return;
            }
            _filled = from;
            if (_ended)
                return;
            FillBuffer();
        }
    }
}
