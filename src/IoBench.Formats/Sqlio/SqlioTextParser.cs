using System.Globalization;
using IoBench.Engine;
using static IoBench.Formats.SqlioRun;

namespace IoBench.Formats;

/// <summary>
/// Takes the lines of SQLIO's output one by one and gives a result whenever a run has ended. A run ends where the next one
/// begins: at SQLIO's first line, at an echoed command line, or, in fragments, where a part comes a second time.
/// </summary>
internal sealed class SqlioTextParser(string? sourceFile)
{
    /// <summary>More warnings than that are only counted.</summary>
    private const int MaxWarnings = 25;

    private readonly SqlioRun _run = new();
    private readonly SqlioResultBuilder _builder = new(sourceFile);
    private readonly Queue<IoTestResult> _ready = new();
    private readonly List<string> _pending = [];
    private readonly SqlioStringCache _strings = new();
    private int _warningsLeftOut;
    private int _pendingLeftOut;
    private string? _computerName;
    private bool _inPercents;

    /// <summary>A result that is ready; false when there is none yet.</summary>
    public bool TryTake(out IoTestResult? result) => _ready.TryDequeue(out result);

    /// <summary>The text has ended: what is there of the last run is its result.</summary>
    public void End()
    {
        MovePending();
        Finish();
    }

    /// <summary>Takes the next line.</summary>
    public void Feed(ReadOnlySpan<byte> rawLine, int number, bool wasCut)
    {
        var line = SqlioLine.Trim(BlankNormalizer.Normalize(rawLine));
        if (line.IsEmpty)
            return;
        if (wasCut)
            Pend(number, "the line is longer than any of SQLIO's, its end was left out");
        if (Understand(line, number))
            return;
        if (line.Contains((byte)0))
        {
            // Text appended in UTF-16 to a file of another encoding: the same characters with zeros between.
            FeedWithoutZeros(line, number);
            return;
        }
        if (SqlioChatter.IsPrompt(line))
            PromptCameBack();
        else if (!SqlioChatter.IsKnown(line))
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
            Feed(kept.AsSpan(0, length), number, false);
    }

    /// <summary>Another command's prompt: whatever run there was is over.</summary>
    private void PromptCameBack()
    {
        if (!_run.Has(~Parts.Before))
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
        // Most lines are told apart by their first letter; a command line may begin with any.
        var taken = (char)(line[0] | 0x20) switch
        {
            's' => TakeVersion(line, number) || TakeNeededSize(line, number),
            'u' => TakeUsing(line, number) || TakeTable(line, number),
            'p' => TakeParameterFile(line, number) || TakeTable(line, number),
            'f' => TakePool(line, number),
            'e' => TakeOutstanding(line, number) || TakeExpanding(line, number),
            'b' => TakeBuffering(line, number),
            'c' => TakeHeading(line, number, "CUMULATIVE DATA"u8, Parts.Cumulative) || TakeExpanding(line, number) || TakeWrapper(line, number),
            'n' => TakeExpanding(line, number),
            'i' => TakeFigure(line, number, "IOs/sec :"u8, Parts.Iops, ref _run.Iops)
                || TakeHeading(line, number, "initialization done"u8, Parts.Initialized) || TakeTable(line, number),
            'm' => TakeMs(line, number),
            'a' => TakeFigure(line, number, "Avg_Latency (ms) :"u8, Parts.AvgLatency, ref _run.AvgMs)
                || TakeFigure(line, number, "Avg_Init_Latency (us) :"u8, Parts.AvgInit, ref _run.AvgInitUs),
            't' => TakeHeading(line, number, "throughput metrics"u8, Parts.ThroughputHeading),
            'l' => TakeHeading(line, number, "latency metrics"u8, Parts.LatencyHeading),
            'h' => TakeHeading(line, number, "histogram"u8, Parts.HistogramHeading),
            'd' => TakeTable(line, number) || TakeWrapper(line, number),
            _ => line[0] == (byte)'%' ? TakePercents(line, number) : SqlioLine.IsDigit(line[0]) && TakeThreads(line, number),
        };
        return taken || TakeEcho(line, number);
    }

    private bool TakeMs(ReadOnlySpan<byte> line, int number)
        => TakeFigure(line, number, "MBs/sec :"u8, Parts.MBps, ref _run.MBps)
            || TakeFigure(line, number, "Min_Latency (ms) :"u8, Parts.MinLatency, ref _run.MinMs)
            || TakeFigure(line, number, "Max_Latency (ms) :"u8, Parts.MaxLatency, ref _run.MaxMs)
            || TakeHeading(line, number, "ms :"u8, Parts.Milliseconds)
            || TakeFigure(line, number, "Min_Init_Latency (us) :"u8, Parts.MinInit, ref _run.MinInitUs)
            || TakeFigure(line, number, "Max_Init_Latency (us) :"u8, Parts.MaxInit, ref _run.MaxInitUs);

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
        if (SqlioLine.Take(ref line, "specified size :"u8) || SqlioLine.Take(ref line, "current size :"u8))
            return TakeSize(line, number);
        if (SqlioLine.IsDigit(line[0]))
            return TakePattern(line, number);
        var timer = SqlioLine.TakeWord(ref line);
        if (!SqlioLine.Take(ref line, "counter for latency timings"u8))
            return false;
        Begin(Parts.Timer, number);
        _run.Timer = _strings.Get(timer);
        if (SqlioLine.Take(ref line, ","u8) && SqlioLine.TakeNumber(ref line, out var frequency))
            _run.TimerFrequency = frequency;
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
        if (!SqlioLine.TakeNumber(ref line, out var megabytes) || !SqlioLine.Take(ref line, "MB for file :"u8))
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
        if (!SqlioLine.Take(ref rest, " needs to be :"u8) || !SqlioLine.TakeNumber(ref rest, out var bytes))
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
        if (!SqlioLine.Take(ref line, "current file size :"u8) && !SqlioLine.Take(ref line, "need to expand by :"u8) && !SqlioLine.Take(ref line, "expanding "u8))
            return false;
        Repeatable(Parts.Size, number);
        return true;
    }

    private bool TakeParameterFile(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioLine.Take(ref line, "parameter file used :"u8))
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
        _run.Buffering = SqlioBuffering.FromWords(SqlioLine.Text(line));
        if (_run.Buffering is null)
            Pend(number, $"this kind of buffering is not known: {SqlioLine.Quote(line)}");
        return true;
    }

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
        if (SqlioLine.TakeNumber(ref line, out var value) && line.IsEmpty)
        {
            figure = value;
        }
        else
        {
            _run.Seen &= ~part;
            Pend(number, $"no number SQLIO prints: {SqlioLine.Quote(line)}");
        }
        return true;
    }

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
        var name = SqlioLine.Take(ref line, "ComputerName :"u8);
        if (!name && !SqlioLine.Take(ref line, "Date :"u8))
            return SqlioLine.Take(ref line, "Command Line :"u8) && TakeEcho(line, number);
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

    /// <summary>A part that comes before SQLIO's first line: what follows is another run.</summary>
    private void BeginBefore(Parts part, int number)
    {
        if (_run.Has(~Parts.Before) || (_run.Seen & part & Parts.CommandLine) != 0)
            Finish();
        Note(part, number);
    }

    /// <summary>A part that a run has once: the second one belongs to the next run, as do parameters after figures.</summary>
    private void Begin(Parts part, int number)
    {
        if (_run.Has(part) || (part == Parts.Header && _run.Has(~Parts.Before)) || ((part & Parts.Parameters) != 0 && _run.Has(Parts.Figures)))
            Finish();
        Note(part, number);
    }

    /// <summary>A part that a run may have several times (a file each), but not after its figures.</summary>
    private void Repeatable(Parts part, int number)
    {
        if ((part & Parts.Parameters) != 0 && _run.Has(Parts.Figures))
            Finish();
        Note(part, number);
    }

    private void Note(Parts part, int number)
    {
        if (_run.IsEmpty)
            _run.FirstLine = number;
        _run.LastLine = number;
        _run.Seen |= part;
        _inPercents = part is Parts.Percents or Parts.Milliseconds;
        if (_pending.Count > 0)
            MovePending();
    }

    private void Pend(int number, string message)
    {
        if (_pending.Count < MaxWarnings)
            _pending.Add($"line {number.ToString(CultureInfo.InvariantCulture)}: {message}");
        else
            _pendingLeftOut++;
    }

    /// <summary>Lines that were not understood belong to the run that the next line which is understood belongs to.</summary>
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
                _run.Warnings.Add($"{_warningsLeftOut.ToString(CultureInfo.InvariantCulture)} more lines were not understood.");
            _run.ComputerName = _computerName;
            if (_builder.Build(_run) is { } result)
                _ready.Enqueue(result);
        }
        _warningsLeftOut = 0;
        _run.Clear();
    }
}
