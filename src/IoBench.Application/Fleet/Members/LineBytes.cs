using System.Buffers;

namespace IoBench.Application.Fleet.Members;

/// <summary>
/// Lines of a stream as bytes: a line with a result is a hundred thousand characters long, and as text it would be twice that. A line is gone with the call after it, and the room of a long one too:
/// a thousand streams, each with room for its longest line, would be a hundred megabytes.
/// </summary>
/// <param name="room">Room to begin with, in bytes.</param>
internal sealed class LineBytes(Stream stream, int room) : IDisposable
{
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(room);
    private int _begin;
    private int _end;

    /// <summary>What was read and is not given out yet.</summary>
    public ReadOnlySpan<byte> Ahead => _buffer.AsSpan(_begin, _end - _begin);

    /// <inheritdoc/>
    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
        (_begin, _end) = (0, 0);
    }

    /// <summary>Passes over what was read.</summary>
    public void Pass(int bytes) => _begin += bytes;

    /// <summary>Reads more; false at the end.</summary>
    public bool Fill()
    {
        MakeRoom();
        return Took(stream.Read(_buffer, _end, _buffer.Length - _end));
    }

    /// <summary>The next line, without its end; null behind the last.</summary>
    public ReadOnlyMemory<byte>? Next()
    {
        for (var looked = 0; ; )
        {
            if (Find(ref looked) is { } line)
                return line;
            if (!Fill())
                return Last();
        }
    }

    /// <summary>The same without a thread that waits.</summary>
    public async ValueTask<ReadOnlyMemory<byte>?> NextAsync()
    {
        for (var looked = 0; ; )
        {
            if (Find(ref looked) is { } line)
                return line;
            MakeRoom();
            if (!Took(await stream.ReadAsync(_buffer.AsMemory(_end)).ConfigureAwait(false)))
                return Last();
        }
    }

    private ReadOnlyMemory<byte>? Find(ref int looked)
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

    private ReadOnlyMemory<byte>? Last()
    {
        var last = _buffer.AsMemory(_begin, _end - _begin);
        _begin = _end;
        // No conditional expression: its null would be an empty line, and there would be no end.
        if (last.Length == 0)
            return null;
        return last;
    }

    private bool Took(int count)
    {
        _end += count;
        return count > 0;
    }

    private void MakeRoom()
    {
        var left = _end - _begin;
        if (left == _buffer.Length)
            Move(_buffer.Length * 2);
        else if (_buffer.Length > 2 * room && left < room)
            Move(room);
        else if (_begin > 0)
            _buffer.AsSpan(_begin, left).CopyTo(_buffer);
        (_begin, _end) = (0, left);
    }

    private void Move(int size)
    {
        var other = ArrayPool<byte>.Shared.Rent(size);
        Ahead.CopyTo(other);
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = other;
    }
}
