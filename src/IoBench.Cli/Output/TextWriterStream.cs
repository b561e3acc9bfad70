using System.Text;

namespace IoBench.Cli;

/// <summary>Writes UTF-8 to a text writer in parts, so that a long text is not in memory as a whole.</summary>
internal sealed class TextWriterStream(TextWriter writer) : Stream
{
    private readonly Decoder _decoder = Encoding.UTF8.GetDecoder();

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        // A part can end within a character.
        var text = new char[_decoder.GetCharCount(buffer, flush: false)];
        writer.Write(text, 0, _decoder.GetChars(buffer, text, flush: false));
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Flush() => writer.Flush();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
