using System.Globalization;
using IoBench.Engine;
using static IoBench.Formats.SqlioRun;

namespace IoBench.Formats;

internal sealed class SqlioStatementReader
{
    private static readonly SqlioHeading s_initialized = new(SqlioLineKind.Initialized);
    private static readonly SqlioHeading s_cumulative = new(SqlioLineKind.Cumulative);
    private static readonly SqlioHeading s_throughput = new(SqlioLineKind.ThroughputHeading);
    private static readonly SqlioHeading s_latency = new(SqlioLineKind.LatencyHeading);
    private static readonly SqlioHeading s_histogram = new(SqlioLineKind.HistogramHeading);
    private static readonly SqlioHeading s_milliseconds = new(SqlioLineKind.Milliseconds);
    private static readonly SqlioExpanding s_expanding = new();
    private readonly SqlioStringCache _strings = new();

    /// <summary>Parses a line; null if it is not one of these lines.</summary>
    /// <param name="line">Line without leading and trailing spaces; not empty.</param>
    // The first letter selects the line.
    public SqlioStatement? Read(ReadOnlySpan<byte> line) =>
        (char)(line[0] | 0x20) switch
        {
            's' => Version(line) ?? NeededSize(line),
            'u' => Using(line),
            'p' => ParameterFile(line),
            'f' => Pool(line),
            'e' => Outstanding(line) ?? Expanding(line),
            'b' => Buffering(line),
            'c' => Heading(line, "CUMULATIVE DATA"u8, s_cumulative) ?? Expanding(line),
            'n' => Expanding(line),
            'i' => Heading(line, "initialization done"u8, s_initialized),
            'm' => Heading(line, "ms:"u8, s_milliseconds),
            't' => Heading(line, "throughput metrics"u8, s_throughput),
            'l' => Heading(line, "latency metrics"u8, s_latency),
            'h' => Heading(line, "histogram"u8, s_histogram),
            _ => SqlioLine.IsDigit(line[0]) ? Threads(line) : null,
        };

    private static SqlioStatement? Heading(ReadOnlySpan<byte> line, ReadOnlySpan<byte> words, SqlioHeading heading) =>
        SqlioLine.Take(ref line, words) ? heading : null;

    private static SqlioStatement? Expanding(ReadOnlySpan<byte> line) =>
        SqlioLine.Take(ref line, "current file size:"u8)
        || SqlioLine.Take(ref line, "need to expand by:"u8)
        || SqlioLine.Take(ref line, "expanding "u8)
            ? s_expanding
            : null;

    private SqlioStatement? Version(ReadOnlySpan<byte> line) =>
        SqlioLine.Take(ref line, "sqlio v"u8) && !line.IsEmpty && SqlioLine.IsDigit(line[0]) ? new SqlioVersion(_strings.Get(line)) : null;

    private SqlioStatement? Using(ReadOnlySpan<byte> line)
    {
        if (!SqlioLine.Take(ref line, "using "u8))
            return null;
        if (SqlioLine.Take(ref line, "specified size:"u8) || SqlioLine.Take(ref line, "current size:"u8))
            return Size(line);
        if (!line.IsEmpty && SqlioLine.IsDigit(line[0]))
            return Pattern(line);
        var timer = SqlioLine.TakeWord(ref line);
        if (!SqlioLine.Take(ref line, "counter for latency timings"u8))
            return null;
        var hasFrequency = SqlioLine.Take(ref line, ","u8) && !line.IsEmpty && SqlioLine.IsDigit(line[0]);
        return new SqlioTimer(_strings.Get(timer), hasFrequency ? _strings.Get(SqlioLine.TakeWord(ref line)) : null);
    }

    private static SqlioPattern? Pattern(ReadOnlySpan<byte> line)
    {
        if (!SqlioLine.TakeInteger(ref line, out var block) || !SqlioLine.Take(ref line, "KB "u8))
            return null;
        if (SqlioLine.Take(ref line, "random "u8))
            return new SqlioPattern(block, IoAccessPattern.Random, 0, 0);
        if (SqlioLine.Take(ref line, "sequential "u8))
            return new SqlioPattern(block, IoAccessPattern.Interlocked, 0, 0);
        return
            SqlioLine.Take(ref line, "IOs over "u8)
            && SqlioLine.TakeInteger(ref line, out var stripe)
            && SqlioLine.Take(ref line, "KB stripes with "u8)
            && SqlioLine.TakeInteger(ref line, out var rows)
            ? new SqlioPattern(block, IoAccessPattern.Stride, stripe, rows)
            : null;
    }

    private SqlioSize? Size(ReadOnlySpan<byte> line) =>
        SqlioLine.TakeNumber(ref line, out var megabytes) && SqlioLine.Take(ref line, "MB for file:"u8)
            ? new SqlioSize(new FileSize(_strings.Get(line), megabytes, true))
            : null;

    private SqlioStatement? NeededSize(ReadOnlySpan<byte> line)
    {
        if (!SqlioLine.Take(ref line, "size of file "u8))
            return null;
        var end = line.LastIndexOf(" needs to be"u8);
        if (end <= 0)
            return null;
        var path = SqlioLine.Trim(line[..end]);
        var rest = line[end..];
        return SqlioLine.Take(ref rest, " needs to be:"u8) && SqlioLine.TakeNumber(ref rest, out var bytes)
            ? new SqlioSize(new FileSize(_strings.Get(path), bytes / 1048576, false))
            : null;
    }

    private SqlioParameterFileName? ParameterFile(ReadOnlySpan<byte> line) =>
        SqlioLine.Take(ref line, "parameter file used:"u8) ? new SqlioParameterFileName(_strings.Get(line)) : null;

    private SqlioStatement? Pool(ReadOnlySpan<byte> line)
    {
        if (!SqlioLine.Take(ref line, "file "u8))
            return null;
        var end = line.LastIndexOf(" with "u8);
        if (end <= 0)
            return null;
        var path = SqlioLine.Trim(line[..end]);
        var rest = line[end..];
        if (
            !SqlioLine.Take(ref rest, " with "u8)
            || !SqlioLine.TakeInteger(ref rest, out var threads)
            || !SqlioLine.Take(ref rest, "thread"u8)
        )
            return null;
        ulong mask = 0;
        string? problem = null;
        var at = rest.IndexOf("0x"u8);
        if (at >= 0)
        {
            var behind = rest[(at + 2)..];
            var digits = SqlioLine.TakeWord(ref behind);
            if (!ulong.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out mask))
                problem = $"the mask cannot be read: {SqlioLine.Quote(rest)}";
        }
        return new SqlioPool(_strings.Get(path), threads, mask) { Problem = problem };
    }

    private SqlioThreads? Threads(ReadOnlySpan<byte> line)
    {
        if (
            !SqlioLine.TakeInteger(ref line, out var threads)
            || !(SqlioLine.Take(ref line, "threads "u8) || SqlioLine.Take(ref line, "thread "u8))
        )
            return null;
        bool write;
        if (SqlioLine.Take(ref line, "reading "u8))
            write = false;
        else if (SqlioLine.Take(ref line, "writing "u8))
            write = true;
        else
            return null;
        if (
            !SqlioLine.Take(ref line, "for "u8)
            || !SqlioLine.TakeInteger(ref line, out var seconds)
            || !(SqlioLine.Take(ref line, "secs "u8) || SqlioLine.Take(ref line, "sec "u8))
            || !(SqlioLine.Take(ref line, "from "u8) || SqlioLine.Take(ref line, "to "u8))
        )
            return new SqlioThreads(threads, write) { Problem = $"duration and file cannot be read: {SqlioLine.Quote(line)}" };
        var several = SqlioLine.Take(ref line, "files "u8);
        if (!several)
            SqlioLine.Take(ref line, "file "u8);
        return new SqlioThreads(threads, write)
        {
            Seconds = seconds,
            SeveralFiles = several,
            Files = line.IsEmpty ? null : _strings.Get(line),
        };
    }

    private static SqlioStatement? Outstanding(ReadOnlySpan<byte> line) =>
        SqlioLine.Take(ref line, "enabling multiple I/Os per thread with "u8) && SqlioLine.TakeInteger(ref line, out var outstanding)
            ? new SqlioOutstanding(outstanding)
            : null;

    private SqlioCaches? Buffering(ReadOnlySpan<byte> line)
    {
        if (!SqlioLine.Take(ref line, "buffering set to "u8))
            return null;
        var buffering = SqlioBuffering.FromWords(_strings.Get(line));
        return new SqlioCaches(buffering)
        {
            Problem = buffering is null ? $"this kind of buffering is not known: {SqlioLine.Quote(line)}" : null,
        };
    }
}
