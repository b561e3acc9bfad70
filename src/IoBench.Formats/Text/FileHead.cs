using System.Text;

namespace IoBench.Formats.Text;

/// <summary>The beginning of a file, read once: of a small file, which most outputs are, the whole.</summary>
/// <param name="Text">The same as text, without byte order mark.</param>
/// <param name="Length">Of the whole file, in bytes; 0 where the system reports none.</param>
/// <param name="IsWhole">Nothing follows.</param>
/// <param name="IsBinary">It is no text.</param>
internal readonly record struct FileHead(byte[] Bytes, string Text, long Length, bool IsWhole, bool IsBinary)
{
    /// <summary>The format that this is the beginning of; null when it is none of ours.</summary>
    public FormatDescriptor? Format { get; } = TextEncodings.IsProgram(Bytes) ? null : ResultFormats.Recognise(Text);

    /// <summary>Reads the beginning of a file.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.NotAFile</c>, <c>IoBench.CannotRead</c> or <c>IoBench.NotEnoughMemory</c>.</exception>
    public static FileHead Read(string path)
    {
        var head = Read(path, out var rest);
        rest?.Dispose();
        return head;
    }

    /// <summary>Reads the beginning of a file whose rest may be read, too.</summary>
    /// <param name="path">The file.</param>
    /// <param name="rest">The file from its beginning, open, where <see cref="IsWhole"/> is false: who takes it need not open it again. Else null.</param>
    /// <exception cref="IoBenchException">As above.</exception>
    public static FileHead Read(string path, out FileStream? rest)
    {
        rest = null;
        var stream = TextInput.OpenFile(path);
        var isTaken = false;
        try
        {
            var head = Read(stream);
            if (!head.IsWhole)
            {
                stream.Position = 0;
                (rest, isTaken) = (stream, true);
            }
            return head;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw TextInput.CannotRead(path, e);
        }
        catch (OutOfMemoryException e)
        {
            throw TextInput.NotEnoughMemory(path, e);
        }
        finally
        {
            if (!isTaken)
                stream.Dispose();
        }
    }

    private static FileHead Read(FileStream stream)
    {
        var length = stream.Length;
        var bytes = new byte[(int)Math.Clamp(length, 0, TextInput.HeadLength)];
        var read = stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
        if (read < bytes.Length)
            bytes = bytes[..read];
        // A file that another program still writes, or one of a system that reports no lengths (/proc), is read to its end by the reader.
        var isWhole = length is > 0 and <= TextInput.HeadLength && read == length;
        if (length == 0)
            bytes = TextInput.ReadHead(stream);
        var text = TextInput.DecodeHead(bytes);
        if (!isWhole && HoldsDots(bytes))
            text += BehindDots(stream);
        return new FileHead(bytes, text, length, isWhole, TextEncodings.LooksBinary(bytes));
    }

    /// <summary>DiskSpd's dots of progress (-P) stand before its output, between verbose lines perhaps, and may be many.</summary>
    private static bool HoldsDots(ReadOnlySpan<byte> bytes) => bytes.IndexOf(s_dots) >= 0;

    private static readonly byte[] s_dots = [.. Enumerable.Repeat((byte)'.', 256)];

    /// <summary>The first text that follows, without long runs of dots.</summary>
    private static string BehindDots(FileStream stream)
    {
        var text = new StringBuilder();
        var bytes = new byte[TextInput.HeadLength];
        while (text.Length < TextInput.HeadLength && stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false) is > 0 and var read)
        {
            var rest = bytes.AsSpan(0, read);
            while (!rest.IsEmpty)
            {
                var dots = rest.IndexOf(s_dots);
                text.Append(TextInput.DecodeHead(dots < 0 ? rest : rest[..dots]));
                rest = dots < 0 ? default : rest[dots..].TrimStart((byte)'.');
            }
        }
        return text.ToString();
    }
}
