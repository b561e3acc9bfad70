using System.Globalization;
using IoBench.Engine;
using static IoBench.Formats.SqlioRun;

namespace IoBench.Formats;

/// <summary>The lines SQLIO prints before it measures.</summary>
internal sealed partial class SqlioTextParser
{
    private bool TakeVersion(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioLine.Take(ref line, "sqlio v"u8) || line.IsEmpty || !SqlioLine.IsDigit(line[0]))
            return false;
        Begin(Parts.Header, number);
        _run.ToolVersion = _strings.Get(line);
        return true;
    }

    private bool TakeUsing(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioLine.Take(ref line, "using "u8))
            return false;
        if (SqlioLine.Take(ref line, "specified size:"u8) || SqlioLine.Take(ref line, "current size:"u8))
            return TakeSize(line, number);
        if (!line.IsEmpty && SqlioLine.IsDigit(line[0]))
            return TakePattern(line, number);
        var timer = SqlioLine.TakeWord(ref line);
        if (!SqlioLine.Take(ref line, "counter for latency timings"u8))
            return false;
        Begin(Parts.Timer, number);
        _run.Timer = _strings.Get(timer);
        if (SqlioLine.Take(ref line, ","u8) && !line.IsEmpty && SqlioLine.IsDigit(line[0]))
            _run.TimerFrequency = _strings.Get(SqlioLine.TakeWord(ref line));
        return true;
    }

    private bool TakePattern(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioLine.TakeInteger(ref line, out var block) || !SqlioLine.Take(ref line, "KB "u8))
            return false;
        IoAccessPattern access;
        var stripe = 0;
        var rows = 0;
        if (SqlioLine.Take(ref line, "random "u8))
            access = IoAccessPattern.Random;
        else if (SqlioLine.Take(ref line, "sequential "u8))
            access = IoAccessPattern.Interlocked;
        else if (SqlioLine.Take(ref line, "IOs over "u8) && SqlioLine.TakeInteger(ref line, out stripe) && SqlioLine.Take(ref line, "KB stripes with "u8)
            && SqlioLine.TakeInteger(ref line, out rows))
            access = IoAccessPattern.Stride;
        else
            return false;
        Begin(Parts.Pattern, number);
        _run.BlockKB = block;
        _run.Access = access;
        if (access == IoAccessPattern.Stride)
            (_run.StripeKB, _run.StripeRows) = (stripe, rows);
        return true;
    }

    private bool TakeSize(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioLine.TakeNumber(ref line, out var megabytes) || !SqlioLine.Take(ref line, "MB for file:"u8))
            return false;
        Repeatable(Parts.Size, number);
        AddSize(new FileSize(_strings.Get(line), megabytes, true));
        return true;
    }

    private bool TakeNeededSize(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioLine.Take(ref line, "size of file "u8))
            return false;
        var end = line.LastIndexOf(" needs to be"u8);
        if (end <= 0)
            return false;
        var path = SqlioLine.Trim(line[..end]);
        var rest = line[end..];
        if (!SqlioLine.Take(ref rest, " needs to be:"u8) || !SqlioLine.TakeNumber(ref rest, out var bytes))
            return false;
        Repeatable(Parts.Size, number);
        AddSize(new FileSize(_strings.Get(path), bytes / 1048576, false));
        return true;
    }

    private void AddSize(FileSize size)
    {
        if (_run.Sizes.Count > 0 && !_run.Sizes[^1].IsFinal && _run.Sizes[^1].Path == size.Path)
            _run.Sizes[^1] = size;
        else if (_run.Sizes.Count < SqlioLimits.MaxFiles)
            _run.Sizes.Add(size);
    }

    private bool TakeExpanding(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioLine.Take(ref line, "current file size:"u8) && !SqlioLine.Take(ref line, "need to expand by:"u8) && !SqlioLine.Take(ref line, "expanding "u8))
            return false;
        Repeatable(Parts.Size, number);
        return true;
    }

    private bool TakeParameterFile(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioLine.Take(ref line, "parameter file used:"u8))
            return false;
        Begin(Parts.ParameterFile, number);
        _run.ParameterFile = _strings.Get(line);
        return true;
    }

    private bool TakePool(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioLine.Take(ref line, "file "u8))
            return false;
        var end = line.LastIndexOf(" with "u8);
        if (end <= 0)
            return false;
        var path = SqlioLine.Trim(line[..end]);
        var rest = line[end..];
        if (!SqlioLine.Take(ref rest, " with "u8) || !SqlioLine.TakeInteger(ref rest, out var threads) || !SqlioLine.Take(ref rest, "thread"u8))
            return false;
        Repeatable(Parts.Pools, number);
        ulong mask = 0;
        var at = rest.IndexOf("0x"u8);
        if (at >= 0)
        {
            var behind = rest[(at + 2)..];
            var digits = SqlioLine.TakeWord(ref behind);
            if (!ulong.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out mask))
                Pend(number, $"the mask cannot be read: {SqlioLine.Quote(rest)}");
        }
        if (_run.Pools.Count < SqlioLimits.MaxFiles)
            _run.Pools.Add(new Pool(_strings.Get(path), threads, mask, number));
        else
            Pend(number, $"more than the {SqlioLimits.MaxFiles} files SQLIO takes");
        return true;
    }

    private bool TakeThreads(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioLine.TakeInteger(ref line, out var threads) || !(SqlioLine.Take(ref line, "threads "u8) || SqlioLine.Take(ref line, "thread "u8)))
            return false;
        bool write;
        if (SqlioLine.Take(ref line, "reading "u8))
            write = false;
        else if (SqlioLine.Take(ref line, "writing "u8))
            write = true;
        else
            return false;
        Begin(Parts.Threads, number);
        _run.Threads = threads;
        _run.IsWrite = write;
        if (!SqlioLine.Take(ref line, "for "u8) || !SqlioLine.TakeInteger(ref line, out var seconds)
            || !(SqlioLine.Take(ref line, "secs "u8) || SqlioLine.Take(ref line, "sec "u8))
            || !(SqlioLine.Take(ref line, "from "u8) || SqlioLine.Take(ref line, "to "u8)))
        {
            Pend(number, $"duration and file cannot be read: {SqlioLine.Quote(line)}");
            return true;
        }
        _run.Seconds = seconds;
        _run.SeveralFiles = SqlioLine.Take(ref line, "files "u8);
        if (!_run.SeveralFiles)
            SqlioLine.Take(ref line, "file "u8);
        if (!line.IsEmpty)
            _run.Files = _strings.Get(line);
        return true;
    }

    private bool TakeOutstanding(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioLine.Take(ref line, "enabling multiple I/Os per thread with "u8) || !SqlioLine.TakeInteger(ref line, out var outstanding))
            return false;
        Begin(Parts.Outstanding, number);
        _run.Outstanding = outstanding;
        return true;
    }

    private bool TakeBuffering(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioLine.Take(ref line, "buffering set to "u8))
            return false;
        Begin(Parts.Buffering, number);
        _run.Buffering = SqlioBuffering.FromWords(_strings.Get(line));
        if (_run.Buffering is null)
            Pend(number, $"this kind of buffering is not known: {SqlioLine.Quote(line)}");
        return true;
    }
}
