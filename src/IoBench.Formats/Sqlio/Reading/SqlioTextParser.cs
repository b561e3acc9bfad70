using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>A run ends where the next one starts: at SQLIO's first line, at a command line, or where a part repeats.</summary>
internal sealed partial class SqlioTextParser(string? sourceFile)
{
    private const int MaxWarnings = 25;
    private const int MaxErrors = 10;

    private static readonly SqlioParsedLine s_blank = new(SqlioLineKind.None);

    private readonly SqlioRun _run = new();
    private readonly SqlioResultBuilder _builder = new(sourceFile);
    private readonly Queue<IoTestResult> _ready = new();
    private readonly List<string> _pending = [];
    private readonly List<string> _pendingErrors = [];
    private readonly SqlioLineParser _lineParser = new();
    private int _warningsLeftOut;
    private int _pendingLeftOut;
    private string? _computerName;
    private bool _inPercents;
    private bool _lineIsWhole;
    private SqlioParsedLine? _lastParsedLine;

    /// <summary>The text has Markdown's escape characters, also in paths, which are not different without them.</summary>
    private bool _isEscaped;

    public bool TryDequeueResult(out IoTestResult? result) => _ready.TryDequeue(out result);

    public void EndText()
    {
        MovePendingWarnings();
        FinishRun();
    }

    /// <param name="wasCut">True if the line is longer than <paramref name="rawLine"/>.</param>
    /// <param name="isWhole">True if the line had a line end; false if the program was stopped within it.</param>
    public void ParseLine(ReadOnlySpan<byte> rawLine, int number, bool wasCut, bool isWhole)
    {
        var isKeepable = isWhole && !wasCut;
        if (isKeepable && _lineCache?.Find(rawLine) is { } known)
        {
            _lineCache.MoveTo(known);
            ApplyLine(known.Statement!, number);
            return;
        }
        var line = QuotedText.RemoveQuoteMarks(SqlioLineScanner.TrimSpaces(WhiteSpaceNormalizer.Normalize(rawLine)));
        if (line.IsEmpty)
        {
            if (isKeepable)
                _lineCache?.AddNext(rawLine, s_blank);
            return;
        }
        if (wasCut)
            AddPendingWarning(number, "the line is longer than any SQLIO line, so IoBench ignores its end");
        var next = SqlioSurroundingLines.FindHeader(line);
        if (next > 0)
        {
            // A run was stopped within a line, and the next run follows directly.
            ParseTrimmedLine(SqlioLineScanner.TrimSpaces(line[..next]), number, isWhole: false);
            line = line[next..];
            isKeepable = false;
        }
        ParseTrimmedLine(line, number, isWhole);
        if (isKeepable && _lastParsedLine is { } statement)
            _lineCache?.AddNext(rawLine, statement);
    }

    private void ParseTrimmedLine(ReadOnlySpan<byte> line, int number, bool isWhole)
    {
        _lineIsWhole = isWhole;
        _lastParsedLine = null;
        if (TryParseKnownLine(line, number))
            return;
        if (QuotedText.TryUnescapeMarkdown(line, out var unescaped) && TryParseKnownLine(unescaped, number))
        {
            _isEscaped = true;
            return;
        }
        if (line.StartsWith("**"u8) && line.Trim((byte)'*') is { IsEmpty: false } bold && TryParseKnownLine(bold, number))
            return;
        if (line.Contains((byte)0))
        {
            // Text in UTF-16 was appended to a file in another encoding, so the same characters have zeros between them.
            ParseWithoutZeros(line, number);
            return;
        }
        if (SqlioSurroundingLines.IsPrompt(line))
            EndRunAtPrompt();
        else if (SqlioSurroundingLines.IsErrorLine(line) && _pendingErrors.Count < MaxErrors)
            _pendingErrors.Add(SqlioLineScanner.Quote(line));
        else if (!SqlioSurroundingLines.IsKnownLine(line))
            AddPendingWarning(number, $"IoBench cannot read: {SqlioLineScanner.Quote(line)}");
    }

    private void ParseWithoutZeros(ReadOnlySpan<byte> line, int number)
    {
        var nonZero = new byte[line.Length];
        var length = 0;
        foreach (var b in line)
            if (b != 0)
                nonZero[length++] = b;
        if (length > 0)
            ParseLine(nonZero.AsSpan(0, length), number, wasCut: false, _lineIsWhole);
        _lastParsedLine = null;
    }

    private void EndRunAtPrompt()
    {
        if (!_run.Has(~SqlioLineKind.Before))
            return;
        MovePendingWarnings();
        FinishRun();
    }

    private bool TryParseKnownLine(ReadOnlySpan<byte> line, int number)
    {
        if (_inPercents && SqlioLineScanner.IsDigit(line[0]) && TryParseMorePercents(line))
        {
            _run.LastLine = number;
            return true;
        }
        if (_lineParser.ParseLine(line) is { } statement)
        {
            ApplyLine(statement, number);
            _lastParsedLine = statement;
            return true;
        }
        // The first letter selects the line. A command line can start with any letter.
        var taken = (char)(line[0] | 0x20) switch
        {
            'u' or 'p' => TryParseTableRow(line, number),
            'c' => TryParseWrapperLine(line, number),
            'i' => TryParseValue(line, number, "IOs/sec:"u8, SqlioLineKind.Iops) || TryParseTableRow(line, number),
            'm' => TryParseValue(line, number, "MBs/sec:"u8, SqlioLineKind.MBps)
                || TryParseValue(line, number, "Min_Latency(ms):"u8, SqlioLineKind.MinLatency)
                || TryParseValue(line, number, "Max_Latency(ms):"u8, SqlioLineKind.MaxLatency)
                || TryParseValue(line, number, "Min_Init_Latency(us):"u8, SqlioLineKind.MinInit)
                || TryParseValue(line, number, "Max_Init_Latency(us):"u8, SqlioLineKind.MaxInit),
            'a' => TryParseValue(line, number, "Avg_Latency(ms):"u8, SqlioLineKind.AvgLatency)
                || TryParseValue(line, number, "Avg_Init_Latency(us):"u8, SqlioLineKind.AvgInit),
            'd' => TryParseTableRow(line, number) || TryParseWrapperLine(line, number),
            '%' => TryParsePercents(line, number),
            _ => false,
        };
        return taken || TryParseEchoedCommandLine(line, number);
    }

    private void ApplyLine(SqlioParsedLine statement, int number)
    {
        if (statement.Kind == SqlioLineKind.None)
            return;
        if (statement.CanRepeat)
            BeginRepeatablePart(statement.Kind, number);
        else
            BeginPart(statement.Kind, number);
        if (statement.Problem is { } problem)
            AddPendingWarning(number, problem);
        if (statement.ApplyTo(_run, number) is { } left)
            AddPendingWarning(number, left);
    }

    private void BeginLeadingPart(SqlioLineKind kind, int number)
    {
        if (_run.Has(~SqlioLineKind.Before) || (_run.Seen & kind & SqlioLineKind.CommandLine) != 0)
            FinishRun();
        RecordPart(kind, number);
    }

    /// <summary>Starts a part that a run has once. A second occurrence starts the next run, as do parameters after results.</summary>
    private void BeginPart(SqlioLineKind kind, int number)
    {
        if (
            _run.Has(kind)
            || (kind == SqlioLineKind.Header && _run.Has(~SqlioLineKind.Before))
            || ((kind & SqlioLineKind.Parameters) != 0 && _run.Has(SqlioLineKind.Figures))
        )
            FinishRun();
        RecordPart(kind, number);
    }

    /// <summary>Starts a part that a run can have several times (once per file), but not after its results.</summary>
    private void BeginRepeatablePart(SqlioLineKind kind, int number)
    {
        if ((kind & SqlioLineKind.Parameters) != 0 && _run.Has(SqlioLineKind.Figures))
            FinishRun();
        RecordPart(kind, number);
    }

    private void RecordPart(SqlioLineKind kind, int number)
    {
        if (_run.IsEmpty)
            _run.FirstLine = number;
        _run.LastLine = number;
        _run.Seen |= kind;
        _inPercents = kind is SqlioLineKind.Percents or SqlioLineKind.Milliseconds;
        if (_pending.Count > 0 || _pendingErrors.Count > 0)
            MovePendingWarnings();
    }

    private void AddPendingWarning(int number, string message)
    {
        if (_pending.Count < MaxWarnings)
            _pending.Add($"line {NumberFormat.Integer(number)}: {message}");
        else
            _pendingLeftOut++;
    }

    /// <summary>Lines that were not understood belong to the run of the next line that is understood.</summary>
    private void MovePendingWarnings()
    {
        if (_run.Errors.Count < MaxErrors)
            _run.Errors.AddRange(_pendingErrors);
        _pendingErrors.Clear();
        foreach (var warning in _pending)
        {
            if (_run.Warnings.Count < MaxWarnings)
                _run.Warnings.Add(warning);
            else
                _warningsLeftOut++;
        }
        _warningsLeftOut += _pendingLeftOut;
        _pendingLeftOut = 0;
        _pending.Clear();
    }

    private void FinishRun()
    {
        _inPercents = false;
        if (!_run.IsEmpty)
        {
            if (_warningsLeftOut > 0)
                _run.Warnings.Add(
                    $"{NumberFormat.Pluralize(_warningsLeftOut, "more line")} {(_warningsLeftOut == 1 ? "was" : "were")} not understood."
                );
            _run.ComputerName = _computerName;
            if (_isEscaped)
                _run.UnescapePaths();
            if (_builder.Build(_run) is { } result)
            {
                _ready.Enqueue(result);
                _lineCache ??= new SqlioLineCache();
            }
            else if (_pending.Count < MaxWarnings)
                _pending.InsertRange(0, _run.Warnings);
        }
        _warningsLeftOut = 0;
        _run.Clear();
    }

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
                ? $"the text ends within this value, which IoBench ignores: {SqlioLineScanner.Quote(text)}"
                : $"not a number in SQLIO format: {SqlioLineScanner.Quote(text)}"
        );
        return true;
    }

    private void SetValue(SqlioLineKind kind, double value, int number)
    {
        BeginPart(kind, number);
        _run.GetValue(kind) = value;
    }

    /// <summary>
    /// A value without a line end can be cut. Rates have two decimals, and the maximum latency can be the last line of a copy. Other values
    /// are followed by more lines.
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
        AddPendingWarning(number, $"IoBench cannot read the histogram: {SqlioLineScanner.Quote(line)}");
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

    private SqlioLineCache? _lineCache;

    /// <summary>
    /// Stops when a result is ready, at an unexpected line, and at an incomplete line; then call <see cref="ParseLine"/>.
    /// </summary>
    public void ParseExpectedLines(Utf8LineReader lines)
    {
        while (_lineCache?.Expected is { } expected && _ready.Count == 0 && lines.BufferedText.StartsWith(expected.Line))
        {
            var rest = lines.BufferedText[expected.Line.Length..];
            double figure = 0;
            var length = expected.ValueKind switch
            {
                SqlioLineKind.None => 0,
                SqlioLineKind.Percents => SqlioHistogram.MatchColumns(rest, _columns),
                _ => SqlioLineScanner.MatchValue(rest, out figure),
            };
            var end = length < 0 ? 0 : GetLineEndLength(rest[length..]);
            if (end == 0)
                return;
            lines.ConsumeLine(expected.Line.Length + length + end);
            _lineCache.MoveTo(expected);
            if (expected.Statement is { } statement)
                ApplyLine(statement, lines.LineNumber);
            else if (expected.ValueKind == SqlioLineKind.Percents)
                SetPercents(lines.LineNumber);
            else
                SetValue(expected.ValueKind, figure, lines.LineNumber);
        }
    }

    /// <summary>Length of the line end at the start of a text; 0 if there is none or if it is incomplete.</summary>
    private static int GetLineEndLength(ReadOnlySpan<byte> text) =>
        text switch
        {
            [(byte)'\n', ..] => 1,
            [(byte)'\r', (byte)'\n', ..] => 2,
            _ => 0,
        };
}
