using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Parses SQLIO's output line by line and creates a result at the end of each run. A run ends where the next one starts: at SQLIO's first
/// line, at an echoed command line, or, in fragments, where a part occurs a second time.
/// </summary>
internal sealed partial class SqlioTextParser(string? sourceFile)
{
    private const int MaxWarnings = 25;

    private static readonly SqlioHeading s_blank = new(SqlioLineKind.None);

    private readonly SqlioRun _run = new();
    private readonly SqlioResultBuilder _builder = new(sourceFile);
    private readonly Queue<IoTestResult> _ready = new();
    private readonly List<string> _pending = [];
    private readonly SqlioStatementReader _statements = new();
    private int _warningsLeftOut;
    private int _pendingLeftOut;
    private string? _computerName;
    private bool _inPercents;
    private bool _lineIsWhole;
    private SqlioStatement? _said;

    public bool TryTake(out IoTestResult? result) => _ready.TryDequeue(out result);

    public void End()
    {
        MovePending();
        Finish();
    }

    /// <summary>Parses the next line.</summary>
    /// <param name="rawLine">Bytes without the line end.</param>
    /// <param name="number">Line number, from 1.</param>
    /// <param name="wasCut">True if the line is longer than <paramref name="rawLine"/>.</param>
    /// <param name="isWhole">True if the line had a line end; false if the program was stopped within it.</param>
    public void Feed(ReadOnlySpan<byte> rawLine, int number, bool wasCut, bool isWhole)
    {
        var isKeepable = isWhole && !wasCut;
        if (isKeepable && _memory?.Find(rawLine) is { } known)
        {
            _memory.Follow(known);
            Say(known.Statement!, number);
            return;
        }
        var line = SqlioLine.Trim(BlankNormalizer.Normalize(rawLine));
        if (line.IsEmpty)
        {
            if (isKeepable)
                _memory?.Keep(rawLine, s_blank);
            return;
        }
        if (wasCut)
            Pend(number, "the line is longer than any of SQLIO's, its end was left out");
        var next = SqlioNoise.FindHeaderWithin(line);
        if (next > 0)
        {
            // A run was stopped within a line, and the next run follows directly.
            FeedLine(SqlioLine.Trim(line[..next]), number, isWhole: false);
            line = line[next..];
            isKeepable = false;
        }
        FeedLine(line, number, isWhole);
        if (isKeepable && _said is { } statement)
            _memory?.Keep(rawLine, statement);
    }

    private void FeedLine(ReadOnlySpan<byte> line, int number, bool isWhole)
    {
        _lineIsWhole = isWhole;
        _said = null;
        if (Understand(line, number))
            return;
        if (line.Contains((byte)0))
        {
            // Text in UTF-16 was appended to a file in another encoding, so the same characters have zeros between them.
            FeedWithoutZeros(line, number);
            return;
        }
        if (SqlioNoise.IsPrompt(line))
            PromptCameBack();
        else if (!SqlioNoise.IsKnown(line))
            Pend(number, $"not understood: {SqlioLine.Quote(line)}");
    }

    private void FeedWithoutZeros(ReadOnlySpan<byte> line, int number)
    {
        var kept = new byte[line.Length];
        var length = 0;
        foreach (var b in line)
            if (b != 0)
                kept[length++] = b;
        if (length > 0)
            Feed(kept.AsSpan(0, length), number, wasCut: false, _lineIsWhole);
        _said = null;
    }

    private void PromptCameBack()
    {
        if (!_run.Has(~SqlioLineKind.Before))
            return;
        MovePending();
        Finish();
    }

    private bool Understand(ReadOnlySpan<byte> line, int number)
    {
        if (_inPercents && SqlioLine.IsDigit(line[0]) && TakeMorePercents(line))
        {
            _run.LastLine = number;
            return true;
        }
        if (_statements.Read(line) is { } statement)
        {
            Say(statement, number);
            _said = statement;
            return true;
        }
        // The first letter selects the line. A command line can start with any letter.
        var taken = (char)(line[0] | 0x20) switch
        {
            'u' or 'p' => TakeTable(line, number),
            'c' => TakeWrapper(line, number),
            'i' => TakeFigure(line, number, "IOs/sec:"u8, SqlioLineKind.Iops) || TakeTable(line, number),
            'm' => TakeFigure(line, number, "MBs/sec:"u8, SqlioLineKind.MBps)
                || TakeFigure(line, number, "Min_Latency(ms):"u8, SqlioLineKind.MinLatency)
                || TakeFigure(line, number, "Max_Latency(ms):"u8, SqlioLineKind.MaxLatency)
                || TakeFigure(line, number, "Min_Init_Latency(us):"u8, SqlioLineKind.MinInit)
                || TakeFigure(line, number, "Max_Init_Latency(us):"u8, SqlioLineKind.MaxInit),
            'a' => TakeFigure(line, number, "Avg_Latency(ms):"u8, SqlioLineKind.AvgLatency)
                || TakeFigure(line, number, "Avg_Init_Latency(us):"u8, SqlioLineKind.AvgInit),
            'd' => TakeTable(line, number) || TakeWrapper(line, number),
            '%' => TakePercents(line, number),
            _ => false,
        };
        return taken || TakeEcho(line, number);
    }

    private void Say(SqlioStatement statement, int number)
    {
        if (statement.Kind == SqlioLineKind.None)
            return;
        if (statement.MayRepeat)
            Repeatable(statement.Kind, number);
        else
            Begin(statement.Kind, number);
        if (statement.Problem is { } problem)
            Pend(number, problem);
        if (statement.Put(_run, number) is { } left)
            Pend(number, left);
    }

    private void BeginBefore(SqlioLineKind kind, int number)
    {
        if (_run.Has(~SqlioLineKind.Before) || (_run.Seen & kind & SqlioLineKind.CommandLine) != 0)
            Finish();
        Note(kind, number);
    }

    /// <summary>Starts a part that a run has once. A second occurrence starts the next run, as do parameters after results.</summary>
    private void Begin(SqlioLineKind kind, int number)
    {
        if (
            _run.Has(kind)
            || (kind == SqlioLineKind.Header && _run.Has(~SqlioLineKind.Before))
            || ((kind & SqlioLineKind.Parameters) != 0 && _run.Has(SqlioLineKind.Figures))
        )
            Finish();
        Note(kind, number);
    }

    /// <summary>Starts a part that a run can have several times (once per file), but not after its results.</summary>
    private void Repeatable(SqlioLineKind kind, int number)
    {
        if ((kind & SqlioLineKind.Parameters) != 0 && _run.Has(SqlioLineKind.Figures))
            Finish();
        Note(kind, number);
    }

    private void Note(SqlioLineKind kind, int number)
    {
        if (_run.IsEmpty)
            _run.FirstLine = number;
        _run.LastLine = number;
        _run.Seen |= kind;
        _inPercents = kind is SqlioLineKind.Percents or SqlioLineKind.Milliseconds;
        if (_pending.Count > 0)
            MovePending();
    }

    private void Pend(int number, string message)
    {
        if (_pending.Count < MaxWarnings)
            _pending.Add($"line {Figures.Whole(number)}: {message}");
        else
            _pendingLeftOut++;
    }

    /// <summary>
    /// Moves the pending warnings to the run. Lines that were not understood belong to the run of the next line that is understood.
    /// </summary>
    private void MovePending()
    {
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

    private void Finish()
    {
        _inPercents = false;
        if (!_run.IsEmpty)
        {
            if (_warningsLeftOut > 0)
                _run.Warnings.Add(
                    $"{Figures.Counted(_warningsLeftOut, "more line")} {(_warningsLeftOut == 1 ? "was" : "were")} not understood."
                );
            _run.ComputerName = _computerName;
            if (_builder.Build(_run) is { } result)
            {
                _ready.Enqueue(result);
                _memory ??= new SqlioLineMemory();
            }
            else if (_pending.Count < MaxWarnings)
                _pending.InsertRange(0, _run.Warnings);
        }
        _warningsLeftOut = 0;
        _run.Clear();
    }
}
