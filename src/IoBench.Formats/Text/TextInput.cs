using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class TextInput
{
    /// <summary>Bytes that are read to detect the encoding and the format.</summary>
    public const int HeadLength = 64 * 1024;

    /// <summary>Opens a file for reading, even if another program is still writing to it.</summary>
    public static FileStream OpenFile(string path) => InputFiles.Open(path);

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
            throw CreateReadError(path, e);
        }
    }

    public static IoBenchException CreateReadError(string path, Exception e) => InputFiles.CreateReadError(path, e);

    public static IoBenchException CreateOutOfMemoryError(string path, OutOfMemoryException e) =>
        IoBenchException.Failure(
            ErrorIds.NotEnoughMemory,
            $"IoBench cannot read {path}, because there is not enough memory.",
            path,
            e,
            advice: "Close other programs, or use a computer with more memory."
        );

    /// <summary>For a small file in memory, its length and one more byte, to detect its end.</summary>
    public static int GetBufferLength(Stream stream) =>
        stream is MemoryStream { Length: < HeadLength } small ? (int)small.Length + 1 : HeadLength;

    /// <summary>Reads the first bytes of a stream and returns to its start; the stream must support seeking.</summary>
    public static byte[] ReadHead(Stream stream, int length = HeadLength)
    {
        length = (int)Math.Clamp(stream.Length, Math.Min(4096, length), length);
        var head = new byte[length];
        var read = stream.ReadAtLeast(head, length, throwOnEndOfStream: false);
        stream.Position = 0;
        return head[..read];
    }

    public static string DecodeHead(ReadOnlySpan<byte> head)
    {
        var (encoding, preamble) = TextEncodings.DetectEncoding(head);
        return encoding.GetString(head[preamble..]);
    }

    public static StreamReader OpenText(Stream stream)
    {
        var (encoding, _) = TextEncodings.DetectEncoding(ReadHead(stream, 4096));
        // The reader allocates four characters per byte, because an invalid byte can become that many. A larger buffer would be in the
        // large object heap, which is expensive for small texts.
        return new StreamReader(stream, encoding, detectEncodingFromByteOrderMarks: true, bufferSize: 8 * 1024);
    }

    /// <summary>Returns the text of a stream as UTF-8 bytes (or Windows-1252, decided per line), without byte order mark.</summary>
    public static Stream OpenUtf8(Stream stream)
    {
        var head = stream is MemoryStream memory && memory.TryGetBuffer(out var bytes) ? bytes : ReadHead(stream, 4096);
        var (encoding, preamble) = TextEncodings.DetectEncoding(head);
        stream.Position = preamble;
        return encoding == TextEncodings.Utf8Or1252 ? stream : Encoding.CreateTranscodingStream(stream, encoding, Encoding.UTF8);
    }

    /// <summary>Truncates a long line, so that an endless line does not use memory; null at the end of the text.</summary>
    public static string? ReadLine(TextReader reader, int maxLength)
    {
        var line = new StringBuilder();
        var read = false;
        while (true)
        {
            var c = reader.Read();
            if (c < 0)
                return read ? line.ToString() : null;
            read = true;
            if (c == '\n')
                return line.ToString();
            if (c == '\r')
            {
                if (reader.Peek() == '\n')
                    reader.Read();
                return line.ToString();
            }
            if (line.Length < maxLength)
                line.Append((char)c);
        }
    }

    /// <summary>With the invariant culture, .NET's own search compares character by character, which is too slow for 64 KB.</summary>
    /// <param name="rarest">Rarest character of the word, in the word's case. The word is compared only at this character.</param>
    public static int IndexOfIgnoreCase(ReadOnlySpan<char> text, ReadOnlySpan<char> word, char rarest)
    {
        var before = word.IndexOf(rarest);
        var lower = char.ToLowerInvariant(rarest);
        var upper = char.ToUpperInvariant(rarest);
        var last = text.Length - word.Length;
        for (var start = 0; start <= last; start++)
        {
            var at = text[(start + before)..(last + before + 1)].IndexOfAny(lower, upper);
            if (at < 0)
                return -1;
            start += at;
            if (text.Slice(start, word.Length).Equals(word, StringComparison.OrdinalIgnoreCase))
                return start;
        }
        return -1;
    }
}
