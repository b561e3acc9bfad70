using System.Text;

namespace IoBench.Formats.Text;

/// <summary>Opens files and streams of text in whatever encoding they have.</summary>
internal static class TextInput
{
    /// <summary>Bytes looked at to recognise encoding and format.</summary>
    public const int HeadLength = 64 * 1024;

    /// <summary>Opens a file for reading, also while another program still writes to it.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.NotAFile</c> or <c>IoBench.CannotRead</c>.</exception>
    public static FileStream OpenFile(string path) => InputFile.Open(path);

    /// <summary>What is read from a file's text.</summary>
    /// <exception cref="IoBenchException">As <see cref="OpenFile"/>, also where the reading fails, and what <paramref name="read"/> throws.</exception>
    public static T ReadText<T>(string path, Func<TextReader, T> read)
    {
        using var stream = OpenFile(path);
        try
        {
            using var reader = OpenText(stream);
            return read(reader);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw CannotRead(path, e);
        }
    }

    /// <summary>The error of a file that cannot be read.</summary>
    public static IoBenchException CannotRead(string path, Exception e) => InputFile.CannotRead(path, e);

    /// <summary>The error of a file whose reading takes more memory than there is.</summary>
    public static IoBenchException NotEnoughMemory(string path, OutOfMemoryException e) =>
        IoBenchException.Failure(
            ErrorIds.NotEnoughMemory,
            $"{path} cannot be read: there is not enough memory.",
            path,
            e,
            advice: "End other programs, or read it on a computer with more."
        );

    /// <summary>Bytes of a buffer to begin with: of a small file, which is in memory as a whole, what it needs and a byte more, to see its end.</summary>
    public static int BufferLength(Stream stream) =>
        stream is MemoryStream { Length: < HeadLength } small ? (int)small.Length + 1 : HeadLength;

    /// <summary>The first bytes of a stream; the stream must be able to seek and is put back to its beginning.</summary>
    public static byte[] ReadHead(Stream stream, int length = HeadLength)
    {
        length = (int)Math.Clamp(stream.Length, Math.Min(4096, length), length);
        var head = new byte[length];
        var read = stream.ReadAtLeast(head, length, throwOnEndOfStream: false);
        stream.Position = 0;
        return head[..read];
    }

    /// <summary>The first bytes as text.</summary>
    public static string DecodeHead(ReadOnlySpan<byte> head)
    {
        var (encoding, preamble) = TextEncodings.Detect(head);
        return encoding.GetString(head[preamble..]);
    }

    /// <summary>A reader of a stream's text in the encoding that its first bytes show.</summary>
    public static StreamReader OpenText(Stream stream)
    {
        var (encoding, _) = TextEncodings.Detect(ReadHead(stream, 4096));
        // A reader keeps four characters per byte, as an unknown byte may become that many: of more bytes they were a large object, which is expensive for small texts.
        return new StreamReader(stream, encoding, detectEncodingFromByteOrderMarks: true, bufferSize: 8 * 1024);
    }

    /// <summary>A stream's text as bytes of UTF-8 (or Windows-1252, told apart by line), without byte order mark.</summary>
    public static Stream OpenUtf8(Stream stream)
    {
        var (encoding, preamble) = TextEncodings.Detect(ReadHead(stream, 4096));
        stream.Position = preamble;
        return encoding == TextEncodings.Utf8Or1252 ? stream : Encoding.CreateTranscodingStream(stream, encoding, Encoding.UTF8);
    }
}
