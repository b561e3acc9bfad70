using System.Buffers;
using System.Text;
using System.Text.Json;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>
/// Reads what a member printed, line by line, from bytes: a line with a result is a hundred thousand characters long, and as text and as a tree of JSON it would be three times
/// in memory before the result is.
/// </summary>
internal sealed class FleetFileReader : IDisposable
{
    private readonly string _path;
    private readonly FileStream _stream;
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(1 << 18);
    private int _begin;
    private int _end;

    private FleetFileReader(string path) => (_path, _stream) = (path, InputFile.Open(path));

    /// <summary>The messages of a file, each with its result where it has one; what is no message is passed over.</summary>
    /// <exception cref="IoBenchException">The file cannot be read, or a result in it.</exception>
    public static IEnumerable<(FleetMessage Message, IoTestResult? Result)> Read(string path)
    {
        using var reader = new FleetFileReader(path);
        if (reader.IsUtf16())
        {
            // Windows PowerShell's > writes this.
            foreach (var message in InputFile.ReadLines(path).Select(FleetLines.ReadMessage).OfType<FleetMessage>())
                yield return (message with { Result = null }, message.Result is { } json ? JsonResultText.Result(json) : null);
            yield break;
        }
        while (reader.NextLine() is { } line)
            if (Parse(line.Span) is { } found)
                yield return found;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _stream.Dispose();
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
    }

    private static (FleetMessage, IoTestResult?)? Parse(ReadOnlySpan<byte> line)
    {
        // A quotation mark within a text has a backslash before it: this can only be the property.
        var at = line.IndexOf("\"result\":"u8);
        if (at < 0)
            return FleetLines.ReadMessage(line) is { } plain ? (plain, null) : null;
        var start = at + "\"result\":"u8.Length;
        if (LengthOfValue(line[start..]) is not { } length)
            return null;
        var rest = line[(start + length)..];
        // The message is the line without its result.
        var head = line[..at].TrimEnd(", "u8);
        var text = new byte[head.Length + rest.Length];
        head.CopyTo(text);
        rest.CopyTo(text.AsSpan(head.Length));
        return FleetLines.ReadMessage(text) is not { } message ? null : (message, line.Slice(start, length).SequenceEqual("null"u8) ? null : JsonResultText.Result(line.Slice(start, length)));
    }

    private static int? LengthOfValue(ReadOnlySpan<byte> json)
    {
        try
        {
            var reader = new Utf8JsonReader(json, isFinalBlock: true, default);
            reader.Read();
            reader.Skip();
            return (int)reader.BytesConsumed;
        }
        catch (JsonException)
        {
            // A line that was cut off.
            return null;
        }
    }

    private bool IsUtf16()
    {
        Fill();
        var begin = _buffer.AsSpan(0, Math.Min(_end, 2));
        if (_buffer.AsSpan(0, _end).StartsWith(Encoding.UTF8.Preamble))
            _begin = Encoding.UTF8.Preamble.Length;
        return begin.SequenceEqual(Encoding.Unicode.Preamble) || begin.SequenceEqual(Encoding.BigEndianUnicode.Preamble);
    }

    /// <summary>The next line, without its end; null behind the last. It is gone with the call after it.</summary>
    private ReadOnlyMemory<byte>? NextLine()
    {
        var looked = 0;
        while (true)
        {
            var found = _buffer.AsSpan(_begin + looked, _end - _begin - looked).IndexOf((byte)'\n');
            if (found >= 0)
            {
                var line = _buffer.AsMemory(_begin, looked + found);
                _begin += looked + found + 1;
                return line;
            }
            looked = _end - _begin;
            if (!Fill())
            {
                var last = _buffer.AsMemory(_begin, looked);
                _begin = _end;
                // No conditional expression: its null would be an empty line, and there would be no end.
                if (looked == 0)
                    return null;
                return last;
            }
        }
    }

    private bool Fill()
    {
        if (_begin > 0)
            _buffer.AsSpan(_begin, _end - _begin).CopyTo(_buffer);
        (_begin, _end) = (0, _end - _begin);
        if (_end == _buffer.Length)
        {
            var larger = ArrayPool<byte>.Shared.Rent(_buffer.Length * 2);
            _buffer.AsSpan(0, _end).CopyTo(larger);
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = larger;
        }
        try
        {
            var count = _stream.Read(_buffer, _end, _buffer.Length - _end);
            _end += count;
            return count > 0;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw InputFile.CannotRead(_path, e);
        }
    }
}
