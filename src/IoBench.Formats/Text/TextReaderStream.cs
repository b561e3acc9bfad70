using System.Text;

namespace IoBench.Formats;

internal sealed class TextReaderStream(TextReader reader) : Stream
{
    private readonly char[] _chars = new char[4096];
    private readonly Encoder _encoder = Encoding.UTF8.GetEncoder();
    private byte[] _bytes = [];
    private int _start;
    private int _end;
    private bool _ended;

    public override bool CanRead => true;
    public override bool CanSeek => false;
    public override bool CanWrite => false;
    public override long Length => throw new NotSupportedException();
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        while (_start == _end)
        {
            if (_ended)
                return 0;
            var read = reader.Read(_chars, 0, _chars.Length);
            _ended = read == 0;
            if (_bytes.Length == 0)
                _bytes = new byte[Encoding.UTF8.GetMaxByteCount(_chars.Length)];
            _start = 0;
            _end = _encoder.GetBytes(_chars.AsSpan(0, read), _bytes, flush: _ended);
        }
        var length = Math.Min(buffer.Length, _end - _start);
        _bytes.AsSpan(_start, length).CopyTo(buffer);
        _start += length;
        return length;
    }

    public override void Flush()
    {
        // The stream is read-only, so there is nothing to flush.
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
