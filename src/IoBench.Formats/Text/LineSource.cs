using System.Buffers;

namespace IoBench.Formats;

/// <summary>
/// Reads lines without allocating a string for each: the current line is a window of a reused buffer. CR LF, LF, or a single CR ends a
/// line. A line longer than <see cref="LongestLine"/> is truncated, so that a file without line ends does not use memory.
/// </summary>
internal sealed class LineSource(TextReader reader)
{
    /// <summary>Maximum length of a line in characters; the rest is skipped.</summary>
    internal const int LongestLine = 32 * 1024;

    // Rent the buffer: for many small files, allocating this size would cost more than reading them.
    private readonly char[] _buffer = ArrayPool<char>.Shared.Rent(64 * 1024);
    private int _start;
    private int _filled;
    private int _lineStart;
    private int _lineLength;
    private bool _ended;
    private bool _skipLineFeed;

    internal int Number { get; private set; }

    internal bool WasCut { get; private set; }

    /// <summary>Current line without its end; valid until the next call of <see cref="Next"/>.</summary>
    internal ReadOnlySpan<char> Line => _buffer.AsSpan(_lineStart, _lineLength);

    /// <summary>Returns the buffer to the pool. The reader cannot be used after that.</summary>
    internal void Release() => ArrayPool<char>.Shared.Return(_buffer);

    internal bool Next()
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
                return Take(end, end + 1);
            }
            searched = _filled - _start;
            if (searched >= LongestLine)
            {
                SkipRest();
                return Take(LongestLine, LongestLine);
            }
            if (_ended)
                return searched > 0 && Take(searched, searched);
            Fill();
        }
    }

    private bool Take(int length, int consumed)
    {
        _lineStart = _start;
        _lineLength = Math.Min(length, LongestLine);
        WasCut |= length > LongestLine;
        _start += consumed;
        Number++;
        return true;
    }

    private void Fill()
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

    private void SkipRest()
    {
        WasCut = true;
        while (true)
        {
            var from = _start + LongestLine;
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
            Fill();
        }
    }
}
