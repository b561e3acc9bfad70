using static IoBench.Formats.SqlioRun;

namespace IoBench.Formats;

/// <summary>The lines SQLIO prints after it measured, and those that others print around a run.</summary>
internal sealed partial class SqlioTextParser
{
    private bool TakeMs(ReadOnlySpan<byte> line, int number)
        => TakeFigure(line, number, "MBs/sec:"u8, Parts.MBps, ref _run.MBps)
            || TakeFigure(line, number, "Min_Latency(ms):"u8, Parts.MinLatency, ref _run.MinMs)
            || TakeFigure(line, number, "Max_Latency(ms):"u8, Parts.MaxLatency, ref _run.MaxMs)
            || TakeHeading(line, number, "ms:"u8, Parts.Milliseconds)
            || TakeFigure(line, number, "Min_Init_Latency(us):"u8, Parts.MinInit, ref _run.MinInitUs)
            || TakeFigure(line, number, "Max_Init_Latency(us):"u8, Parts.MaxInit, ref _run.MaxInitUs);

    private bool TakeHeading(ReadOnlySpan<byte> line, int number, ReadOnlySpan<byte> words, Parts part)
    {
        if (!SqlioLine.Take(ref line, words))
            return false;
        Begin(part, number);
        return true;
    }

    private bool TakeFigure(ReadOnlySpan<byte> line, int number, ReadOnlySpan<byte> name, Parts part, ref double? figure)
    {
        if (!SqlioLine.Take(ref line, name))
            return false;
        Begin(part, number);
        var text = line;
        var isNumber = SqlioLine.TakeNumber(ref line, out var value) && line.IsEmpty;
        if (isNumber && (_lineIsWhole || MayBeWhole(text, part)))
        {
            figure = value;
            return true;
        }
        _run.Seen &= ~part;
        Pend(number, isNumber ? $"the text ends within this figure, which was left out: {SqlioLine.Quote(text)}" : $"not a number as SQLIO prints it: {SqlioLine.Quote(text)}");
        return true;
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
        Begin(Parts.Percents, number);
        rest = rest[1..];
        _inPercents = true;
        if (SqlioPercents.TakeColumns(rest, _run.Percents))
            _run.PercentCount = SqlioHistogram.BucketCount;
        else if (!SqlioPercents.TakeWords(rest, _run.Percents, ref _run.PercentCount))
            BreakHistogram(number, line);
        return true;
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
