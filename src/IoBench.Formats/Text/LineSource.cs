using System.Buffers;

namespace IoBench.Formats.Text;

/// <summary>
/// Lines of a text without a string for each: the current line is a window on a reused buffer. CR LF, LF and a lone CR end a line.
/// A line longer than <see cref="LongestLine"/> is cut there, so that a file without line ends takes no memory.
/// </summary>
internal sealed class LineSource(TextReader reader)
{
    /// <summary>Characters that are kept of a line.</summary>
    internal const int LongestLine = 32 * 1024;

    // Rented: for many small files, making a buffer of this size would cost more than reading them.
    private readonly char[] _buffer = ArrayPool<char>.Shared.Rent(64 * 1024);
    private int _start;
    private int _filled;
    private int _lineStart;
    private int _lineLength;
    private bool _ended;
    private bool _skipLineFeed;

    /// <summary>Number of the current line, from 1.</summary>
    internal int Number { get; private set; }

    /// <summary>The current line was longer than is kept.</summary>
    internal bool WasCut { get; private set; }

    /// <summary>The current line without its end; valid until the next call of <see cref="Next"/>.</summary>
    internal ReadOnlySpan<char> Line => _buffer.AsSpan(_lineStart, _lineLength);

    /// <summary>Gives the buffer back; nothing may be read after it.</summary>
    internal void Release() => ArrayPool<char>.Shared.Return(_buffer);

    /// <summary>Goes to the next line; false at the end of the text.</summary>
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

    /// <summary>Drops what lies beyond the longest line up to the line's end, keeping the line itself in the buffer.</summary>
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
