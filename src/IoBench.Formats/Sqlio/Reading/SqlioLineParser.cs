using System.Globalization;
using IoBench.Engine;
using static IoBench.Formats.SqlioRun;

namespace IoBench.Formats;

internal sealed class SqlioLineParser
{
    private static readonly SqlioParsedLine s_initialized = new(SqlioLineKind.Initialized);
    private static readonly SqlioParsedLine s_cumulative = new(SqlioLineKind.Cumulative);
    private static readonly SqlioParsedLine s_throughput = new(SqlioLineKind.ThroughputHeading);
    private static readonly SqlioParsedLine s_latency = new(SqlioLineKind.LatencyHeading);
    private static readonly SqlioParsedLine s_histogram = new(SqlioLineKind.HistogramHeading);
    private static readonly SqlioParsedLine s_milliseconds = new(SqlioLineKind.Milliseconds);
    private static readonly SqlioParsedLine s_expanding = new(SqlioLineKind.Size, CanRepeat: true);
    private readonly SqlioStringCache _strings = new();

    /// <param name="line">Line without leading and trailing spaces; not empty.</param>
    // The first letter selects the line.
    public SqlioParsedLine? ParseLine(ReadOnlySpan<byte> line) =>
        (char)(line[0] | 0x20) switch
        {
            's' => ParseVersion(line) ?? ParseNeededSize(line),
            'u' => ParseUsing(line),
            'p' => ParseParameterFile(line),
            'f' => ParsePool(line),
            'e' => ParseOutstanding(line) ?? ParseExpanding(line),
            'b' => ParseBuffering(line),
            'c' => ParseHeading(line, "CUMULATIVE DATA"u8, s_cumulative) ?? ParseExpanding(line),
            'n' => ParseExpanding(line),
            'i' => ParseHeading(line, "initialization done"u8, s_initialized),
            'm' => ParseHeading(line, "ms:"u8, s_milliseconds),
            't' => ParseHeading(line, "throughput metrics"u8, s_throughput),
            'l' => ParseHeading(line, "latency metrics"u8, s_latency),
            'h' => ParseHeading(line, "histogram"u8, s_histogram),
            _ => SqlioLineScanner.IsDigit(line[0]) ? ParseThreads(line) : null,
        };

    private static SqlioParsedLine? ParseHeading(ReadOnlySpan<byte> line, ReadOnlySpan<byte> words, SqlioParsedLine heading) =>
        SqlioLineScanner.TryConsume(ref line, words) ? heading : null;

    private static SqlioParsedLine? ParseExpanding(ReadOnlySpan<byte> line) =>
        SqlioLineScanner.TryConsume(ref line, "current file size:"u8)
        || SqlioLineScanner.TryConsume(ref line, "need to expand by:"u8)
        || (SqlioLineScanner.TryConsume(ref line, "expanding "u8) && !SqlioSurroundingLines.IsErrorLine(line))
            ? s_expanding
            : null;

    private SqlioParsedLine? ParseVersion(ReadOnlySpan<byte> line) =>
        SqlioLineScanner.TryConsume(ref line, "sqlio v"u8) && !line.IsEmpty && SqlioLineScanner.IsDigit(line[0])
            ? SqlioParsedLine.Version(_strings.GetString(line))
            : null;

    private SqlioParsedLine? ParseUsing(ReadOnlySpan<byte> line)
    {
        if (!SqlioLineScanner.TryConsume(ref line, "using "u8))
            return null;
        if (SqlioLineScanner.TryConsume(ref line, "specified size:"u8) || SqlioLineScanner.TryConsume(ref line, "current size:"u8))
            return ParseSize(line);
        if (!line.IsEmpty && SqlioLineScanner.IsDigit(line[0]))
            return ParsePattern(line);
        var timer = SqlioLineScanner.ReadWord(ref line);
        if (!SqlioLineScanner.TryConsume(ref line, "counter for latency timings"u8))
            return null;
        var hasFrequency = SqlioLineScanner.TryConsume(ref line, ","u8) && !line.IsEmpty && SqlioLineScanner.IsDigit(line[0]);
        return SqlioParsedLine.Timer(
            _strings.GetString(timer),
            hasFrequency ? _strings.GetString(SqlioLineScanner.ReadWord(ref line)) : null
        );
    }

    private static SqlioParsedLine? ParsePattern(ReadOnlySpan<byte> line)
    {
        if (!SqlioLineScanner.TryReadInteger(ref line, out var block) || !SqlioLineScanner.TryConsume(ref line, "KB "u8))
            return null;
        if (SqlioLineScanner.TryConsume(ref line, "random "u8))
            return SqlioParsedLine.Pattern(block, IoAccessPattern.Random);
        if (SqlioLineScanner.TryConsume(ref line, "sequential "u8))
            return SqlioParsedLine.Pattern(block, IoAccessPattern.Interlocked);
        return
            SqlioLineScanner.TryConsume(ref line, "IOs over "u8)
            && SqlioLineScanner.TryReadInteger(ref line, out var stripe)
            && SqlioLineScanner.TryConsume(ref line, "KB stripes with "u8)
            && SqlioLineScanner.TryReadInteger(ref line, out var rows)
            ? SqlioParsedLine.Stride(block, stripe, rows)
            : null;
    }

    private SqlioParsedLine? ParseSize(ReadOnlySpan<byte> line) =>
        SqlioLineScanner.TryReadNumber(ref line, out var megabytes) && SqlioLineScanner.TryConsume(ref line, "MB for file:"u8)
            ? SqlioParsedLine.Size(new ReportedFileSize(_strings.GetString(line), megabytes, true))
            : null;

    private SqlioParsedLine? ParseNeededSize(ReadOnlySpan<byte> line)
    {
        if (!SqlioLineScanner.TryConsume(ref line, "size of file "u8))
            return null;
        var end = line.LastIndexOf(" needs to be"u8);
        if (end <= 0)
            return null;
        var path = SqlioLineScanner.TrimSpaces(line[..end]);
        var rest = line[end..];
        return SqlioLineScanner.TryConsume(ref rest, " needs to be:"u8) && SqlioLineScanner.TryReadNumber(ref rest, out var bytes)
            ? SqlioParsedLine.Size(new ReportedFileSize(_strings.GetString(path), bytes / 1048576, false))
            : null;
    }

    private SqlioParsedLine? ParseParameterFile(ReadOnlySpan<byte> line) =>
        SqlioLineScanner.TryConsume(ref line, "parameter file used:"u8) ? SqlioParsedLine.ParameterFile(_strings.GetString(line)) : null;

    private SqlioParsedLine? ParsePool(ReadOnlySpan<byte> line)
    {
        if (!SqlioLineScanner.TryConsume(ref line, "file "u8))
            return null;
        var end = line.LastIndexOf(" with "u8);
        if (end <= 0)
            return null;
        var path = SqlioLineScanner.TrimSpaces(line[..end]);
        var rest = line[end..];
        if (
            !SqlioLineScanner.TryConsume(ref rest, " with "u8)
            || !SqlioLineScanner.TryReadInteger(ref rest, out var threads)
            || !SqlioLineScanner.TryConsume(ref rest, "thread"u8)
        )
            return null;
        ulong mask = 0;
        string? problem = null;
        var at = rest.IndexOf("0x"u8);
        if (at >= 0)
        {
            var afterPrefix = rest[(at + 2)..];
            var digits = SqlioLineScanner.ReadWord(ref afterPrefix);
            if (!ulong.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out mask))
                problem = $"IoBench cannot read the mask: {SqlioLineScanner.Quote(rest)}";
        }
        return SqlioParsedLine.Pool(_strings.GetString(path), threads, mask, problem);
    }

    private SqlioParsedLine? ParseThreads(ReadOnlySpan<byte> line)
    {
        if (
            !SqlioLineScanner.TryReadInteger(ref line, out var threads)
            || !(SqlioLineScanner.TryConsume(ref line, "threads "u8) || SqlioLineScanner.TryConsume(ref line, "thread "u8))
        )
            return null;
        bool write;
        if (SqlioLineScanner.TryConsume(ref line, "reading "u8))
            write = false;
        else if (SqlioLineScanner.TryConsume(ref line, "writing "u8))
            write = true;
        else
            return null;
        if (
            !SqlioLineScanner.TryConsume(ref line, "for "u8)
            || !SqlioLineScanner.TryReadInteger(ref line, out var seconds)
            || !(SqlioLineScanner.TryConsume(ref line, "secs "u8) || SqlioLineScanner.TryConsume(ref line, "sec "u8))
            || !(SqlioLineScanner.TryConsume(ref line, "from "u8) || SqlioLineScanner.TryConsume(ref line, "to "u8))
        )
            return SqlioParsedLine.Threads(threads, write, $"IoBench cannot read duration and file: {SqlioLineScanner.Quote(line)}");
        var several = SqlioLineScanner.TryConsume(ref line, "files "u8);
        if (!several)
            SqlioLineScanner.TryConsume(ref line, "file "u8);
        return SqlioParsedLine.Threads(threads, write, seconds, several, line.IsEmpty ? null : _strings.GetString(line));
    }

    private static SqlioParsedLine? ParseOutstanding(ReadOnlySpan<byte> line) =>
        SqlioLineScanner.TryConsume(ref line, "enabling multiple I/Os per thread with "u8)
        && SqlioLineScanner.TryReadInteger(ref line, out var outstanding)
            ? SqlioParsedLine.Outstanding(outstanding)
            : null;

    private SqlioParsedLine? ParseBuffering(ReadOnlySpan<byte> line)
    {
        if (!SqlioLineScanner.TryConsume(ref line, "buffering set to "u8))
            return null;
        var buffering = SqlioBuffering.ParseDescription(_strings.GetString(line));
        return SqlioParsedLine.Buffering(
            buffering,
            buffering is null ? $"this type of buffering is unknown: {SqlioLineScanner.Quote(line)}" : null
        );
    }
}
