using System.Text;

namespace IoBench.Formats;

/// <summary>The start of a file, which is read once. Most outputs are small, and then it is the whole file.</summary>
/// <param name="Length">Length of the file in bytes; 0 if the system reports none.</param>
internal readonly record struct FileHead(byte[] Bytes, string Text, long Length, bool IsWhole, bool IsBinary)
{
    public FormatDescriptor? Format { get; } = TextEncodings.IsExecutable(Bytes) ? null : ResultFormats.DetectFormat(Text);

    public static FileHead Read(string path)
    {
        var head = Read(path, out var rest);
        rest?.Dispose();
        return head;
    }

    /// <param name="rest">The open file at its start if <see cref="IsWhole"/> is false; the caller owns it. Otherwise null.</param>
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
                rest = stream;
                isTaken = true;
            }
            return head;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw TextInput.CreateReadError(path, e);
        }
        catch (OutOfMemoryException e)
        {
            throw TextInput.CreateOutOfMemoryError(path, e);
        }
        finally
        {
            if (!isTaken)
                stream.Dispose();
        }
    }

    public static FileHead Read(FileStream stream)
    {
        var length = stream.Length;
        var bytes = new byte[(int)Math.Clamp(length, 0, TextInput.HeadLength)];
        var read = stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
        if (read < bytes.Length)
            bytes = bytes[..read];
        // The reader must read to the end of a file that is still being written, and of a file without a length (/proc).
        var isWhole = length is > 0 and <= TextInput.HeadLength && read == length;
        if (length == 0)
            bytes = TextInput.ReadHead(stream);
        var text = TextInput.DecodeHead(bytes);
        if (!isWhole && ContainsProgressDots(bytes))
            text += ReadAfterDots(stream);
        if (isWhole && PastedText.TryUnquote(text, out var plain))
            return new FileHead(Encoding.UTF8.GetBytes(plain), plain, length, isWhole, IsBinary: false);
        return new FileHead(bytes, text, length, isWhole, TextEncodings.LooksBinary(bytes));
    }

    /// <summary>DiskSpd's progress dots (-P) precede its output, possibly between verbose lines, and can be many.</summary>
    private static bool ContainsProgressDots(ReadOnlySpan<byte> bytes) => bytes.IndexOf(s_dots) >= 0;

    private static readonly byte[] s_dots = [.. Enumerable.Repeat((byte)'.', 256)];

    private static string ReadAfterDots(FileStream stream)
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
