namespace IoBench.Formats;

internal sealed partial class SqlioTextParser
{
    private readonly byte[] _columns = new byte[SqlioHistogram.BucketCount];

    private bool TakeFigure(ReadOnlySpan<byte> line, int number, ReadOnlySpan<byte> name, SqlioLineKind kind)
    {
        if (!SqlioLine.Take(ref line, name))
            return false;
        var text = line;
        var isNumber = SqlioLine.TakeNumber(ref line, out var value) && line.IsEmpty;
        if (isNumber && (_lineIsWhole || MayBeWhole(text, kind)))
        {
            PutFigure(kind, value, number);
            _memory?.FollowFigures(kind, name);
            return true;
        }
        Begin(kind, number);
        _run.Seen &= ~kind;
        Pend(
            number,
            isNumber
                ? $"the text ends within this figure, which was left out: {SqlioLine.Quote(text)}"
                : $"not a number as SQLIO prints it: {SqlioLine.Quote(text)}"
        );
        return true;
    }

    private void PutFigure(SqlioLineKind kind, double value, int number)
    {
        Begin(kind, number);
        _run.Figure(kind) = value;
    }

    /// <summary>
    /// Returns whether a value at the end of the text, without a line end, is complete: rates have two decimals, and the maximum latency
    /// can be the last line of a copy. Other values are followed by more lines.
    /// </summary>
    private static bool MayBeWhole(ReadOnlySpan<byte> text, SqlioLineKind kind) =>
        kind switch
        {
            SqlioLineKind.Iops or SqlioLineKind.MBps => text.Length > 3 && text[^3] == '.',
            SqlioLineKind.MaxLatency or SqlioLineKind.MaxInit => true,
            _ => false,
        };

    private bool TakeTable(ReadOnlySpan<byte> line, int number)
    {
        if (!_run.Processors.TryTake(line, out var problem))
            return false;
        Repeatable(SqlioLineKind.Processors, number);
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
            _memory?.FollowFigures(SqlioLineKind.Percents, "%:"u8);
            return true;
        }
        Begin(SqlioLineKind.Percents, number);
        if (!SqlioPercents.TakeWords(rest, _run.Percents, ref _run.PercentCount))
            BreakHistogram(number, line);
        return true;
    }

    private void PutPercents(int number)
    {
        Begin(SqlioLineKind.Percents, number);
        _columns.CopyTo(_run.Percents, 0);
        _run.PercentCount = SqlioHistogram.BucketCount;
    }

    private bool TakeMorePercents(ReadOnlySpan<byte> line)
    {
        if (!_run.Has(SqlioLineKind.Percents) || _run.HistogramIsBroken)
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
        BeginBefore(SqlioLineKind.Wrapper, number);
        if (name)
            _computerName = SqlioLine.Text(line);
        else
            _run.Date = SqlioLine.Text(line);
        return true;
    }

    private bool TakeEcho(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioNoise.TryTakeCommandLine(line, out var commandLine))
            return false;
        BeginBefore(SqlioLineKind.CommandLine, number);
        _run.CommandLine = commandLine;
        _run.CommandLineNumber = number;
        return true;
    }
}
