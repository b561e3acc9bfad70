namespace IoBench.Formats;

internal sealed partial class SqlioTextParser
{
    private readonly byte[] _columns = new byte[SqlioHistogram.BucketCount];

    private bool TryParseValue(ReadOnlySpan<byte> line, int number, ReadOnlySpan<byte> name, SqlioLineKind kind)
    {
        if (!SqlioLineScanner.TryConsume(ref line, name))
            return false;
        var text = line;
        var isNumber = SqlioLineScanner.TryReadNumber(ref line, out var value) && line.IsEmpty;
        if (isNumber && (_lineIsWhole || CanBeComplete(text, kind)))
        {
            SetValue(kind, value, number);
            _lineCache?.MoveToValues(kind, name);
            return true;
        }
        BeginPart(kind, number);
        _run.Seen &= ~kind;
        AddPendingWarning(
            number,
            isNumber
                ? $"the text ends within this figure, which was left out: {SqlioLineScanner.Quote(text)}"
                : $"not a number as SQLIO prints it: {SqlioLineScanner.Quote(text)}"
        );
        return true;
    }

    private void SetValue(SqlioLineKind kind, double value, int number)
    {
        BeginPart(kind, number);
        _run.GetValue(kind) = value;
    }

    /// <summary>
    /// Returns whether a value at the end of the text, without a line end, is complete: rates have two decimals, and the maximum latency
    /// can be the last line of a copy. Other values are followed by more lines.
    /// </summary>
    private static bool CanBeComplete(ReadOnlySpan<byte> text, SqlioLineKind kind) =>
        kind switch
        {
            SqlioLineKind.Iops or SqlioLineKind.MBps => text.Length > 3 && text[^3] == '.',
            SqlioLineKind.MaxLatency or SqlioLineKind.MaxInit => true,
            _ => false,
        };

    private bool TryParseTableRow(ReadOnlySpan<byte> line, int number)
    {
        if (!_run.Processors.TryParseRow(line, out var problem))
            return false;
        BeginRepeatablePart(SqlioLineKind.Processors, number);
        if (problem is not null)
            AddPendingWarning(number, $"{problem}: {SqlioLineScanner.Quote(line)}");
        return true;
    }

    private bool TryParsePercents(ReadOnlySpan<byte> line, int number)
    {
        var rest = line;
        if (!SqlioLineScanner.TryConsume(ref rest, "%"u8) || rest.IsEmpty || rest[0] != ':')
            return false;
        rest = rest[1..];
        if (SqlioHistogram.TryParseColumns(rest, _columns))
        {
            SetPercents(number);
            _lineCache?.MoveToValues(SqlioLineKind.Percents, "%:"u8);
            return true;
        }
        BeginPart(SqlioLineKind.Percents, number);
        if (!SqlioHistogram.TryParseWords(rest, _run.Percents, ref _run.PercentCount))
            MarkHistogramAsBroken(number, line);
        return true;
    }

    private void SetPercents(int number)
    {
        BeginPart(SqlioLineKind.Percents, number);
        _columns.CopyTo(_run.Percents, 0);
        _run.PercentCount = SqlioHistogram.BucketCount;
    }

    private bool TryParseMorePercents(ReadOnlySpan<byte> line)
    {
        if (!_run.Has(SqlioLineKind.Percents) || _run.HistogramIsBroken)
            return SqlioHistogram.IsMillisecondsLine(line);
        return SqlioHistogram.TryParseWords(line, _run.Percents, ref _run.PercentCount);
    }

    private void MarkHistogramAsBroken(int number, ReadOnlySpan<byte> line)
    {
        _run.HistogramIsBroken = true;
        AddPendingWarning(number, $"the histogram cannot be read: {SqlioLineScanner.Quote(line)}");
    }

    private bool TryParseWrapperLine(ReadOnlySpan<byte> line, int number)
    {
        var name = SqlioLineScanner.TryConsume(ref line, "ComputerName:"u8);
        if (!name && !SqlioLineScanner.TryConsume(ref line, "Date:"u8))
            return SqlioLineScanner.TryConsume(ref line, "Command Line:"u8) && TryParseEchoedCommandLine(line, number);
        BeginLeadingPart(SqlioLineKind.Wrapper, number);
        if (name)
            _computerName = SqlioLineScanner.Decode(line);
        else
            _run.Date = SqlioLineScanner.Decode(line);
        return true;
    }

    private bool TryParseEchoedCommandLine(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioSurroundingLines.TryGetCommandLine(line, out var commandLine))
            return false;
        BeginLeadingPart(SqlioLineKind.CommandLine, number);
        _run.CommandLine = commandLine;
        _run.CommandLineNumber = number;
        return true;
    }
}
