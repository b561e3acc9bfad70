using System.Buffers;

namespace IoBench.Application;

/// <summary>Reads lines as bytes, because a line with a result would take twice the memory as text. A line is valid only until the next
/// call. The buffer shrinks after a long line, so that a thousand streams do not each keep a buffer of that length.</summary>
/// <param name="room">Initial buffer size in bytes.</param>
internal sealed class ByteLineReader(Stream stream, int room) : IDisposable
{
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(room);
    private int _begin;
    private int _end;

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
        _begin = 0;
        _end = 0;
    }

    /// <summary>Returns the next line without its line break; null at the end.</summary>
    public ReadOnlyMemory<byte>? ReadLine()
    {
        for (var looked = 0; ; )
        {
            if (FindLine(ref looked) is { } line)
                return line;
            EnsureSpace();
            if (!AddBytes(stream.Read(_buffer, _end, _buffer.Length - _end)))
                return GetLastLine();
        }
    }

    public async ValueTask<ReadOnlyMemory<byte>?> ReadLineAsync()
    {
        for (var looked = 0; ; )
        {
            if (FindLine(ref looked) is { } line)
                return line;
            EnsureSpace();
            if (!AddBytes(await stream.ReadAsync(_buffer.AsMemory(_end)).ConfigureAwait(false)))
                return GetLastLine();
        }
    }

    private ReadOnlyMemory<byte>? FindLine(ref int looked)
    {
        var found = _buffer.AsSpan(_begin + looked, _end - _begin - looked).IndexOf((byte)'\n');
        if (found < 0)
        {
            looked = _end - _begin;
            return null;
        }
        var line = _buffer.AsMemory(_begin, looked + found);
        _begin += looked + found + 1;
        return line;
    }

    private ReadOnlyMemory<byte>? GetLastLine()
    {
        var last = _buffer.AsMemory(_begin, _end - _begin);
        _begin = _end;
        // In a conditional expression, null would convert to an empty line, and reading would never end.
        if (last.Length == 0)
            return null;
        return last;
    }

    private bool AddBytes(int count)
    {
        _end += count;
        return count > 0;
    }

    private void EnsureSpace()
    {
        var left = _end - _begin;
        if (left == _buffer.Length)
            ResizeBuffer(_buffer.Length * 2);
        else if (_buffer.Length > 2 * room && left < room)
            ResizeBuffer(room);
        else if (_begin > 0)
            _buffer.AsSpan(_begin, left).CopyTo(_buffer);
        _begin = 0;
        _end = left;
    }

    private void ResizeBuffer(int size)
    {
        var other = ArrayPool<byte>.Shared.Rent(size);
        _buffer.AsSpan(_begin, _end - _begin).CopyTo(other);
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = other;
    }
}
