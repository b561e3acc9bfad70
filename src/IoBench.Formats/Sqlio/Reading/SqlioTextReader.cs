using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads any number of SQLIO runs, complete or in parts, in constant memory. Grammar: readme of 1999, real outputs.</summary>
public static class SqlioTextReader
{
    /// <summary>Part is searched once per text, by its rarest character; one of the words in Before must precede it.</summary>
    private static readonly (string Part, char Rarest, string[] Before)[] s_signatures =
    [
        ("s/sec:", '/', ["IO", "MB"]),
        ("_Latency", '_', ["Min", "Avg", "Max", "Min_Init"]),
        ("ing for", 'g', ["threads read", "threads writ", "thread read", "thread writ"]),
        ("counter for latency timings", 'y', [""]),
        ("ProcessorNumber:", 'P', [""]),
    ];

    private const int BeginningLength = 1024;

    /// <summary>A text that also contains DiskSpd's output belongs to the tool that it starts with.</summary>
    internal static bool IsSqlioBeforeDiskSpd(string head)
    {
        // Most texts start with the banner, so the rest need not be searched.
        if (
            FindFirstBanner(head.AsSpan(0, Math.Min(head.Length, BeginningLength))) is >= 0 and var at
            && DiskSpdTextReader.FindFirstHeading(head.AsSpan(0, at)) > at
        )
            return true;
        // Search for DiskSpd's signatures first. Most of its texts have one near the start, and SQLIO's output after it does not matter
        // here.
        var text = head.AsSpan(0, Math.Min(head.Length, DiskSpdTextReader.FindFirstHeading(head)));
        return FindFirstBanner(text) >= 0 || ContainsSignature(text);
    }

    private static int FindFirstBanner(ReadOnlySpan<char> head)
    {
        const string banner = "sqlio v";
        for (var start = 0; AsciiSearch.IndexOfIgnoreCase(head[start..], banner, 'q') is >= 0 and var at; )
        {
            start += at + banner.Length;
            if (start < head.Length && char.IsAsciiDigit(head[start]))
                return start - banner.Length;
        }
        return -1;
    }

    private static bool ContainsSignature(ReadOnlySpan<char> head)
    {
        foreach (var (part, rarest, before) in s_signatures)
        {
            for (
                var start = 0;
                AsciiSearch.IndexOfIgnoreCase(head[start..], part, rarest) is >= 0 and var found;
                start += found + part.Length
            )
            {
                var text = head[..(start + found)];
                foreach (var word in before)
                {
                    if (text.EndsWith(word, StringComparison.OrdinalIgnoreCase))
                        return true;
                }
            }
        }
        return false;
    }

    /// <summary>Reads runs from a stream in any encoding; the stream must support seeking.</summary>
    public static IEnumerable<IoTestResult> Read(Stream stream, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return MixedTextReader.Read(TextInput.OpenUtf8(stream), sourceFile, startsWithSqlio: true);
    }

    public static IEnumerable<IoTestResult> Read(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return MixedTextReader.Read(new TextReaderStream(reader), sourceFile, startsWithSqlio: true);
    }
}
