using System.Text;

namespace IoBench.Cli;

/// <summary>Writes UTF-8 to a text writer in parts, so that a long text is not in memory as a whole.</summary>
internal sealed class TextWriterStream(TextWriter writer) : WriteOnlyStream
{
    private readonly Decoder _decoder = Encoding.UTF8.GetDecoder();

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        // A part can end within a character.
        var text = new char[_decoder.GetCharCount(buffer, flush: false)];
        writer.Write(text, 0, _decoder.GetChars(buffer, text, flush: false));
    }

    public override void Flush() => writer.Flush();
}
