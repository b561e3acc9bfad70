using static IoBench.Formats.SqlioRun;

namespace IoBench.Formats;

/// <summary>The lines SQLIO prints after it measured, and those that others print around a run.</summary>
internal sealed partial class SqlioTextParser
{
    private readonly byte[] _columns = new byte[SqlioHistogram.BucketCount];

    private bool TakeFigure(ReadOnlySpan<byte> line, int number, ReadOnlySpan<byte> name, Parts part)
    {
        if (!SqlioLine.Take(ref line, name))
            return false;
        var text = line;
        var isNumber = SqlioLine.TakeNumber(ref line, out var value) && line.IsEmpty;
        if (isNumber && (_lineIsWhole || MayBeWhole(text, part)))
        {
            PutFigure(part, value, number);
            _memory?.FollowFigures(part, name);
            return true;
        }
        Begin(part, number);
        _run.Seen &= ~part;
        Pend(number, isNumber ? $"the text ends within this figure, which was left out: {SqlioLine.Quote(text)}" : $"not a number as SQLIO prints it: {SqlioLine.Quote(text)}");
        return true;
    }

    private void PutFigure(Parts part, double value, int number)
    {
        Begin(part, number);
        _run.Figure(part) = value;
    }

    /// <summary>
    /// A figure at the very end of a text, without a line end: rates are whole with their two decimals; behind the greatest latency a copy
    /// may end; of the others more would follow.
    /// </summary>
    private static bool MayBeWhole(ReadOnlySpan<byte> text, Parts part) => part switch
    {
        Parts.Iops or Parts.MBps => text.Length > 3 && text[^3] == '.',
        Parts.MaxLatency or Parts.MaxInit => true,
        _ => false,
    };

    private bool TakeTable(ReadOnlySpan<byte> line, int number)
    {
        if (!_run.Processors.TryTake(line, out var problem))
            return false;
        Repeatable(Parts.Processors, number);
        if (problem is not null)
            Pend(number, $"{problem}: {SqlioLine.Quote(line)}");
        return true;
    }

    private bool TakePercents(ReadOnlySpan<byte> line, int number)
    {
        var rest = line;
        if (!SqlioLine.Take(ref rest, "%"u8) || rest.IsEmpty || rest[0] != ':')
            return false;
        rest = rest[1..];
        if (SqlioPercents.TakeColumns(rest, _columns))
        {
            PutPercents(number);
            _memory?.FollowFigures(Parts.Percents, "%:"u8);
            return true;
        }
        Begin(Parts.Percents, number);
        if (!SqlioPercents.TakeWords(rest, _run.Percents, ref _run.PercentCount))
            BreakHistogram(number, line);
        return true;
    }

    /// <summary>The percentages that were found in their columns.</summary>
    private void PutPercents(int number)
    {
        Begin(Parts.Percents, number);
        _columns.CopyTo(_run.Percents, 0);
        _run.PercentCount = SqlioHistogram.BucketCount;
    }

    /// <summary>A histogram that was wrapped: the rest of the milliseconds or of the percentages.</summary>
    private bool TakeMorePercents(ReadOnlySpan<byte> line)
    {
        if (!_run.Has(Parts.Percents) || _run.HistogramIsBroken)
            return SqlioPercents.AreMilliseconds(line);
        return SqlioPercents.TakeWords(line, _run.Percents, ref _run.PercentCount);
    }

    private void BreakHistogram(int number, ReadOnlySpan<byte> line)
    {
        _run.HistogramIsBroken = true;
        Pend(number, $"the histogram cannot be read: {SqlioLine.Quote(line)}");
    }

    private bool TakeWrapper(ReadOnlySpan<byte> line, int number)
    {
        var name = SqlioLine.Take(ref line, "ComputerName:"u8);
        if (!name && !SqlioLine.Take(ref line, "Date:"u8))
            return SqlioLine.Take(ref line, "Command Line:"u8) && TakeEcho(line, number);
        BeginBefore(Parts.Wrapper, number);
        if (name)
            _computerName = SqlioLine.Text(line);
        else
            _run.Date = SqlioLine.Text(line);
        return true;
    }

    /// <summary>The command line, echoed by a command prompt or by a script that starts SQLIO.</summary>
    private bool TakeEcho(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioChatter.TryTakeCommandLine(line, out var commandLine))
            return false;
        BeginBefore(Parts.CommandLine, number);
        _run.CommandLine = commandLine;
        _run.CommandLineNumber = number;
        return true;
    }
}
