using System.Text;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

internal static class MemberOutputReader
{
    private const int InitialBufferSize = 1 << 18;

    /// <summary>
    /// Reads the messages of a file with their results; other lines are skipped. Lines stay bytes, because as text and as a JSON tree a
    /// line with a result would take
    /// three times the memory.
    /// </summary>
    /// <exception cref="IoBenchException">The file, or a result in it, cannot be read.</exception>
    public static IEnumerable<(MemberMessage Message, IoTestResult? Result)> ReadMessages(string path)
    {
        using var stream = InputFiles.Open(path);
        using var lines = new ByteLineReader(stream, InitialBufferSize);
        if (ConvertReadErrors(path, () => IsUtf16(lines)))
        {
            // Redirection (>) in Windows PowerShell writes UTF-16.
            foreach (var line in InputFiles.ReadLines(path))
                if (ParseLine(Encoding.UTF8.GetBytes(line)) is { } message)
                    yield return message;
            yield break;
        }
        while (ConvertReadErrors(path, lines.ReadLine) is { } line)
            if (ParseLine(line.Span) is { } found)
                yield return found;
    }

    private static (MemberMessage, IoTestResult?)? ParseLine(ReadOnlySpan<byte> line) =>
        FleetMessageSerializer.SplitResult(line) is not { } found
            ? null
            : (found.Message, found.Result is { } place ? JsonResultSerializer.DeserializeResult(line[place]) : null);

    private static bool IsUtf16(ByteLineReader lines)
    {
        lines.ReadMore();
        var begin = lines.Buffered[..Math.Min(lines.Buffered.Length, 2)];
        if (lines.Buffered.StartsWith(Encoding.UTF8.Preamble))
            lines.SkipBytes(Encoding.UTF8.Preamble.Length);
        return begin.SequenceEqual(Encoding.Unicode.Preamble) || begin.SequenceEqual(Encoding.BigEndianUnicode.Preamble);
    }

    private static T ConvertReadErrors<T>(string path, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw InputFiles.CreateReadError(path, e);
        }
    }
}
