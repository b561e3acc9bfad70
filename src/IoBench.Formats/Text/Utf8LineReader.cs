namespace IoBench.Formats.Text;

/// <summary>
/// Reads lines of bytes without making a string of each, in constant memory. A line ends with LF, CR LF or a lone CR;
/// of a line longer than the limit the rest is skipped and <see cref="WasCut"/> says so.
/// </summary>
internal sealed class Utf8LineReader(Stream stream, int maxLineLength = Utf8LineReader.DefaultMaxLineLength)
{
    /// <summary>Longest line that is kept, in bytes. SQLIO's longest names a few hundred files.</summary>
    public const int DefaultMaxLineLength = 256 * 1024;

    // Not cleared: of many small files, clearing would cost as much as reading.
    private byte[] _buffer = GC.AllocateUninitializedArray<byte>(TextInput.BufferLength(stream));
    private int _start;
    private int _end;
    private bool _ended;
    private bool _skipLineFeed;

    /// <summary>Number of the line that was read last, from 1.</summary>
    public int LineNumber { get; private set; }

    /// <summary>True when the line that was read last is longer than what was given.</summary>
    public bool WasCut { get; private set; }

    /// <summary>True when the line that was read last had a line end: only the last of a text may have none.</summary>
    public bool HadEnd { get; private set; }

    /// <summary>
    /// What is in memory of the text behind the line that was read last, to see whether it begins with a line that is expected: may end anywhere,
    /// and is empty where that cannot be told yet. What is found there is taken with <see cref="Take(int)"/>; else <see cref="TryRead"/> reads on.
    /// </summary>
    public ReadOnlySpan<byte> Ahead => _skipLineFeed ? default : _buffer.AsSpan(_start, _end - _start);

    /// <summary>Takes a line that was found in <see cref="Ahead"/>.</summary>
    /// <param name="length">Its length with its end, which is CR LF or LF.</param>
    public void Take(int length)
    {
        _start += length;
        LineNumber++;
        WasCut = false;
        HadEnd = true;
    }

    /// <summary>The next line without its end; false at the end. The bytes hold until the next call.</summary>
    public bool TryRead(out ReadOnlySpan<byte> line)
    {
        WasCut = false;
        HadEnd = true;
        if (_skipLineFeed && Fill() && _buffer[_start] == (byte)'\n')
            _start++;
        _skipLineFeed = false;
        var searched = 0;
        while (true)
        {
            var pending = _buffer.AsSpan(_start, _end - _start);
            var found = pending[searched..].IndexOfAny((byte)'\n', (byte)'\r');
            if (found >= 0 && searched + found <= maxLineLength)
            {
                line = Take(searched + found, pending);
                return true;
            }
            if (found >= 0 || pending.Length > maxLineLength)
            {
                line = CutAndSkip(maxLineLength);
                return true;
            }
            searched = pending.Length;
            if (_ended || !ReadMore())
            {
                // ReadMore may have moved what is pending.
                line = _buffer.AsSpan(_start, _end - _start);
                _start = _end;
                if (line.IsEmpty)
                    return false;
                LineNumber++;
                HadEnd = false;
                return true;
            }
        }
    }

    private ReadOnlySpan<byte> Take(int length, ReadOnlySpan<byte> pending)
    {
        _skipLineFeed = pending[length] == (byte)'\r';
        if (_skipLineFeed && length + 1 < pending.Length)
        {
            // The usual case decided here: no second look at the buffer.
            _skipLineFeed = false;
            _start += pending[length + 1] == (byte)'\n' ? length + 2 : length + 1;
        }
        else
        {
            _start += length + 1;
        }
        LineNumber++;
        return pending[..length];
    }

    /// <summary>Gives the beginning of a line that is too long and passes over the rest of it.</summary>
    private ReadOnlySpan<byte> CutAndSkip(int length)
    {
        var kept = _buffer.AsSpan(_start, length).ToArray();
        WasCut = true;
        LineNumber++;
        _start += length;
        while (Fill())
        {
            var pending = _buffer.AsSpan(_start, _end - _start);
            var found = pending.IndexOfAny((byte)'\n', (byte)'\r');
            if (found >= 0)
            {
                _skipLineFeed = pending[found] == (byte)'\r';
                _start += found + 1;
                break;
            }
            _start = _end;
        }
        return kept;
    }

    private bool Fill() => _start < _end || (!_ended && ReadMore());

    private bool ReadMore()
    {
        if (_start > 0)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            _end -= _start;
            _start = 0;
        }
        // Lines are rarely that long; only then the buffer grows, up to twice the longest line that is kept.
        if (_end == _buffer.Length)
            Array.Resize(ref _buffer, Math.Min(_buffer.Length * 2, Math.Max(maxLineLength * 2, TextInput.HeadLength * 2)));
        var read = stream.Read(_buffer, _end, _buffer.Length - _end);
        _end += read;
        _ended = read == 0;
        return read > 0;
    }
}
