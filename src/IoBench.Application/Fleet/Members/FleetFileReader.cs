using System.Text;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

internal static class FleetFileReader
{
    private const int Room = 1 << 18;

    /// <summary>
    /// Reads the messages of a file with their results; other lines are skipped. Lines stay bytes, because as text and as a JSON tree a
    /// line with a result would take
    /// three times the memory.
    /// </summary>
    /// <exception cref="IoBenchException">The file, or a result in it, cannot be read.</exception>
    public static IEnumerable<(FleetMessage Message, IoTestResult? Result)> Read(string path)
    {
        using var stream = InputFile.Open(path);
        using var lines = new LineBytes(stream, Room);
        if (Try(path, () => IsUtf16(lines)))
        {
            // Redirection (>) in Windows PowerShell writes UTF-16.
            foreach (var line in InputFile.ReadLines(path))
                if (Parse(Encoding.UTF8.GetBytes(line)) is { } message)
                    yield return message;
            yield break;
        }
        while (Try(path, lines.Next) is { } line)
            if (Parse(line.Span) is { } found)
                yield return found;
    }

    private static (FleetMessage, IoTestResult?)? Parse(ReadOnlySpan<byte> line) =>
        FleetLines.Split(line) is not { } found
            ? null
            : (found.Message, found.Result is { } place ? JsonResultText.Result(line[place]) : null);

    private static bool IsUtf16(LineBytes lines)
    {
        lines.Fill();
        var begin = lines.Ahead[..Math.Min(lines.Ahead.Length, 2)];
        if (lines.Ahead.StartsWith(Encoding.UTF8.Preamble))
            lines.Pass(Encoding.UTF8.Preamble.Length);
        return begin.SequenceEqual(Encoding.Unicode.Preamble) || begin.SequenceEqual(Encoding.BigEndianUnicode.Preamble);
    }

    private static T Try<T>(string path, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw InputFile.CannotRead(path, e);
        }
    }
}
