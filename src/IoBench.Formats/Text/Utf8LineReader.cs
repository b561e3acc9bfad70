namespace IoBench.Formats;

/// <summary>Reads lines of bytes in constant memory. The rest of a line that is too long is skipped (<see cref="WasCut"/>).</summary>
internal sealed class Utf8LineReader
{
    /// <summary>Longest line in bytes. SQLIO's longest line names a few hundred files.</summary>
    public const int DefaultMaxLineLength = 256 * 1024;

    private readonly Stream _stream;
    private readonly int _maxLineLength;
    private byte[] _buffer;
    private int _start;
    private int _end;
    private bool _ended;
    private bool _skipLineFeed;

    public Utf8LineReader(Stream stream, int maxLineLength = DefaultMaxLineLength)
    {
        _stream = stream;
        _maxLineLength = maxLineLength;
        if (stream is MemoryStream memory && memory.TryGetBuffer(out var bytes))
        {
            // A small file is in memory already, and many small files would need many copies.
            _buffer = bytes.Array!;
            _start = bytes.Offset + (int)memory.Position;
            _end = bytes.Offset + bytes.Count;
            _ended = true;
        }
        else
        {
            // The buffer is not cleared, because for many small files, clearing would cost as much as reading.
            _buffer = GC.AllocateUninitializedArray<byte>(TextInput.GetBufferLength(stream));
        }
    }

    public int LineNumber { get; private set; }

    public bool WasCut { get; private set; }

    /// <summary>True if the last line had a line end. Only the last line of a text can lack one.</summary>
    public bool HadEnd { get; private set; }

    /// <summary>Reads the next line without its end; false at the end of the text. The bytes are valid until the next call.</summary>
    public bool TryRead(out ReadOnlySpan<byte> line)
    {
        WasCut = false;
        HadEnd = true;
        if (_skipLineFeed && FillBuffer() && _buffer[_start] == (byte)'\n')
            _start++;
        _skipLineFeed = false;
        var searched = 0;
        while (true)
        {
            var pending = _buffer.AsSpan(_start, _end - _start);
            var found = pending[searched..].IndexOfAny((byte)'\n', (byte)'\r');
            if (found >= 0 && searched + found <= _maxLineLength)
            {
                line = ConsumeLine(searched + found, pending);
                return true;
            }
            if (found >= 0 || pending.Length > _maxLineLength)
            {
                line = TruncateLine(_maxLineLength);
                return true;
            }
            searched = pending.Length;
            if (_ended || !ReadMore())
            {
                // ReadMore can move the pending bytes.
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

    private ReadOnlySpan<byte> ConsumeLine(int length, ReadOnlySpan<byte> pending)
    {
        var isReturn = pending[length] == (byte)'\r';
        var next = length + 1;
        if (isReturn && next < pending.Length)
        {
            // Handle the usual case first, without searching the buffer again.
            isReturn = false;
            if (pending[next] == (byte)'\n')
                next++;
        }
        _skipLineFeed = isReturn;
        _start += next;
        LineNumber++;
        return pending[..length];
    }

    private ReadOnlySpan<byte> TruncateLine(int length)
    {
        var lineStart = _buffer.AsSpan(_start, length).ToArray();
        WasCut = true;
        LineNumber++;
        _start += length;
        while (FillBuffer())
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
        return lineStart;
    }

    private bool FillBuffer() => _start < _end || (!_ended && ReadMore());

    private bool ReadMore()
    {
        if (_start > 0)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            _end -= _start;
            _start = 0;
        }
        // Lines are rarely this long. Only then does the buffer grow, up to twice the maximum line length.
        if (_end == _buffer.Length)
            Array.Resize(ref _buffer, Math.Min(_buffer.Length * 2, Math.Max(_maxLineLength * 2, TextInput.HeadLength * 2)));
        var read = _stream.Read(_buffer, _end, _buffer.Length - _end);
        _end += read;
        _ended = read == 0;
        return read > 0;
    }
}
