using System.Globalization;
using System.Text;
using IoBench.Engine;
using static IoBench.Formats.SqlioLineScanner;

namespace IoBench.Formats;

/// <summary>A run ends where the next one starts: at SQLIO's first line, at a command line, or where a part repeats.</summary>
internal sealed class SqlioTextParser(string? sourceFile, Queue<IoTestResult> results)
{
    private const int MaxWarnings = 25;
    private const int MaxErrors = 10;

    /// <returns>False if the rest of the line shows that it is another line.</returns>
    private delegate bool LineParser(SqlioTextParser parser, ReadOnlySpan<byte> rest, int number);

    /// <summary>Starts of lines and the parsers of their rest, by first letter.</summary>
    private static readonly (byte[] Start, LineParser Parse)[][] s_lines = GroupLines(
        ("sqlio v", (p, rest, n) => p.ParseVersion(rest, n)),
        ("size of file ", (p, rest, n) => p.ParseNeededSize(rest, n)),
        ("using specified size:", (p, rest, n) => p.ParseSize(rest, n)),
        ("using current size:", (p, rest, n) => p.ParseSize(rest, n)),
        ("using ", (p, rest, n) => p.ParsePattern(rest, n) || p.ParseTimer(rest, n)),
        ("parameter file used:", (p, rest, n) => p.ParseParameterFile(rest, n)),
        ("file ", (p, rest, n) => p.ParsePool(rest, n)),
        ("enabling multiple I/Os per thread with ", (p, rest, n) => p.ParseOutstanding(rest, n)),
        ("buffering set to ", (p, rest, n) => p.ParseBuffering(rest, n)),
        ("current file size:", (p, _, n) => p.BeginRepeatablePart(SqlioLineKind.Size, n)),
        ("need to expand by:", (p, _, n) => p.BeginRepeatablePart(SqlioLineKind.Size, n)),
        ("expanding ", (p, rest, n) => !SqlioSurroundingLines.IsErrorLine(rest) && p.BeginRepeatablePart(SqlioLineKind.Size, n)),
        ("initialization done", (p, _, n) => p.BeginPart(SqlioLineKind.Initialized, n)),
        ("CUMULATIVE DATA", (p, _, n) => p.BeginPart(SqlioLineKind.Cumulative, n)),
        ("throughput metrics", (p, _, n) => p.BeginPart(SqlioLineKind.ThroughputHeading, n)),
        ("latency metrics", (p, _, n) => p.BeginPart(SqlioLineKind.LatencyHeading, n)),
        ("histogram", (p, _, n) => p.BeginPart(SqlioLineKind.HistogramHeading, n)),
        ("ms:", (p, _, n) => p.BeginPart(SqlioLineKind.Milliseconds, n)),
        ("IOs/sec:", (p, rest, n) => p.ParseValue(rest, n, SqlioLineKind.Iops, (run, value) => run.Iops = value)),
        ("MBs/sec:", (p, rest, n) => p.ParseValue(rest, n, SqlioLineKind.MBps, (run, value) => run.MBps = value)),
        ("Min_Latency(ms):", (p, rest, n) => p.ParseValue(rest, n, SqlioLineKind.MinLatency, (run, value) => run.MinMs = value)),
        ("Avg_Latency(ms):", (p, rest, n) => p.ParseValue(rest, n, SqlioLineKind.AvgLatency, (run, value) => run.AvgMs = value)),
        ("Max_Latency(ms):", (p, rest, n) => p.ParseValue(rest, n, SqlioLineKind.MaxLatency, (run, value) => run.MaxMs = value)),
        ("Min_Init_Latency(us):", (p, rest, n) => p.ParseValue(rest, n, SqlioLineKind.MinInit, (run, value) => run.MinInitUs = value)),
        ("Avg_Init_Latency(us):", (p, rest, n) => p.ParseValue(rest, n, SqlioLineKind.AvgInit, (run, value) => run.AvgInitUs = value)),
        ("Max_Init_Latency(us):", (p, rest, n) => p.ParseValue(rest, n, SqlioLineKind.MaxInit, (run, value) => run.MaxInitUs = value)),
        ("ComputerName:", (p, rest, n) => p.ParseComputerName(rest, n)),
        ("Date:", (p, rest, n) => p.ParseDate(rest, n)),
        ("Command Line:", (p, rest, n) => p.ParseEchoedCommandLine(rest, n))
    );

    private readonly SqlioStringCache _strings = new();
    private readonly SqlioRun _run = new();
    private readonly SqlioResultBuilder _builder = new(sourceFile);
    private readonly List<string> _pending = [];
    private readonly List<string> _pendingErrors = [];
    private int _warningsLeftOut;
    private int _pendingLeftOut;
    private string? _computerName;

    // Most runs of a log have the same text.
    private string? _bufferingText;
    private IoBuffering? _buffering;
    private bool _inPercents;
    private bool _lineIsWhole;

    /// <summary>The text has Markdown's escape characters, also in paths, which are not different without them.</summary>
    private bool _isEscaped;

    private static (byte[], LineParser)[][] GroupLines(params (string Start, LineParser Parse)[] lines)
    {
        var byLetter = lines.ToLookup(line => line.Start[0] | 0x20, line => (Encoding.ASCII.GetBytes(line.Start), line.Parse));
        return [.. Enumerable.Range(0, 256).Select(letter => byLetter[letter].ToArray())];
    }

    public void EndText()
    {
        MovePendingWarnings();
        FinishRun();
    }

    /// <param name="wasCut">True if the line is longer than <paramref name="rawLine"/>.</param>
    /// <param name="isWhole">True if the line had a line end; false if the program was stopped within it.</param>
    public void ParseLine(ReadOnlySpan<byte> rawLine, int number, bool wasCut, bool isWhole)
    {
        var line = PastedText.RemoveQuoteMarks(TrimSpaces(PastedText.NormalizeSpaces(rawLine)));
        if (line.IsEmpty)
            return;
        if (wasCut)
            AddPendingWarning(number, "the line is longer than any line that SQLIO writes, so IoBench ignores the end of the line");
        var next = SqlioSurroundingLines.FindHeader(line);
        if (next > 0)
        {
            // A run was stopped within a line, and the next run follows directly.
            ParseTrimmedLine(TrimSpaces(line[..next]), number, isWhole: false);
            line = line[next..];
        }
        ParseTrimmedLine(line, number, isWhole);
    }

    private void ParseTrimmedLine(ReadOnlySpan<byte> line, int number, bool isWhole)
    {
        _lineIsWhole = isWhole;
        if (!TryParseKnownLine(line, number))
            ParseOtherLine(line, number, isWhole);
    }

    private void ParseOtherLine(ReadOnlySpan<byte> line, int number, bool isWhole)
    {
        if (PastedText.TryUnescapeMarkdown(line, out var unescaped) && TryParseKnownLine(unescaped, number))
        {
            _isEscaped = true;
            return;
        }
        if (line.StartsWith("**"u8) && line.Trim((byte)'*') is { IsEmpty: false } bold && TryParseKnownLine(bold, number))
            return;
        if (line.Contains((byte)0))
        {
            // Text in UTF-16 was appended to a file in another encoding, so the same characters have zeros between them.
            byte[] nonZero = [.. line.ToArray().Where(b => b != 0)];
            if (nonZero.Length > 0)
                ParseLine(nonZero, number, wasCut: false, isWhole);
            return;
        }
        if (SqlioSurroundingLines.IsPrompt(line))
            EndRunAtPrompt();
        else if (SqlioSurroundingLines.IsErrorLine(line) && _pendingErrors.Count < MaxErrors)
            _pendingErrors.Add(Quote(line));
        else if (!SqlioSurroundingLines.IsKnownLine(line))
            AddPendingWarning(number, $"IoBench cannot read this line: {Quote(line)}");
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
        if (IsDigit(line[0]))
        {
            if (_inPercents && TryParseMorePercents(line))
            {
                _run.LastLine = number;
                return true;
            }
            if (ParseThreads(line, number))
                return true;
        }
        if (line[0] == '%' && TryParsePercents(line, number))
            return true;
        // Nearly every line has SQLIO's own spelling, so compare bytes with all starts first.
        var lines = s_lines[line[0] | 0x20];
        foreach (var (start, parse) in lines)
            if (line.StartsWith(start) && parse(this, TrimStart(line[start.Length..]), number))
                return true;
        foreach (var (start, parse) in lines)
        {
            var rest = line;
            if (TryConsume(ref rest, start) && parse(this, rest, number))
                return true;
        }
        return TryParseTableRow(line, number) || ParseEchoedCommandLine(line, number);
    }

    private void BeginLeadingPart(SqlioLineKind kind, int number)
    {
        if (_run.Has(~SqlioLineKind.Before) || (_run.Seen & kind & SqlioLineKind.CommandLine) != 0)
            FinishRun();
        RecordPart(kind, number);
    }

    /// <summary>Starts a part that a run has once. A second occurrence starts the next run, as do parameters after results.</summary>
    private bool BeginPart(SqlioLineKind kind, int number)
    {
        if (
            _run.Has(kind)
            || (kind == SqlioLineKind.Header && _run.Has(~SqlioLineKind.Before))
            || ((kind & SqlioLineKind.Parameters) != 0 && _run.Has(SqlioLineKind.Figures))
        )
            FinishRun();
        return RecordPart(kind, number);
    }

    /// <summary>Starts a part that a run can have several times (once per file), but not after its results.</summary>
    private bool BeginRepeatablePart(SqlioLineKind kind, int number)
    {
        if ((kind & SqlioLineKind.Parameters) != 0 && _run.Has(SqlioLineKind.Figures))
            FinishRun();
        return RecordPart(kind, number);
    }

    private bool RecordPart(SqlioLineKind kind, int number)
    {
        if (_run.IsEmpty)
            _run.FirstLine = number;
        _run.LastLine = number;
        _run.Seen |= kind;
        _inPercents = kind is SqlioLineKind.Percents or SqlioLineKind.Milliseconds;
        if (_pending.Count > 0 || _pendingErrors.Count > 0)
            MovePendingWarnings();
        return true;
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
                _run.Warnings.Add($"IoBench could not read {NumberFormat.Pluralize(_warningsLeftOut, "more line")}.");
            _run.ComputerName = _computerName;
            if (_isEscaped)
                _run.UnescapePaths();
            if (_builder.Build(_run) is { } result)
                results.Enqueue(result);
            else if (_pending.Count < MaxWarnings)
                _pending.InsertRange(0, _run.Warnings);
        }
        _warningsLeftOut = 0;
        _run.Clear();
    }

    private bool ParseVersion(ReadOnlySpan<byte> rest, int number)
    {
        if (rest.IsEmpty || !IsDigit(rest[0]))
            return false;
        BeginPart(SqlioLineKind.Header, number);
        _run.ToolVersion = _strings.GetString(rest);
        return true;
    }

    private bool ParseTimer(ReadOnlySpan<byte> rest, int number)
    {
        var timer = ReadWord(ref rest);
        if (!TryConsume(ref rest, "counter for latency timings"u8))
            return false;
        BeginPart(SqlioLineKind.Timer, number);
        _run.Timer = _strings.GetString(timer);
        if (TryConsume(ref rest, ","u8) && !rest.IsEmpty && IsDigit(rest[0]))
            _run.TimerFrequency = _strings.GetString(ReadWord(ref rest));
        return true;
    }

    private bool ParsePattern(ReadOnlySpan<byte> rest, int number)
    {
        if (!TryReadInteger(ref rest, out var block) || !TryConsume(ref rest, "KB "u8))
            return false;
        int? stripe = null;
        int? rows = null;
        IoAccessPattern access;
        if (TryConsume(ref rest, "random "u8))
        {
            access = IoAccessPattern.Random;
        }
        else if (TryConsume(ref rest, "sequential "u8))
        {
            access = IoAccessPattern.Interlocked;
        }
        else if (
            TryConsume(ref rest, "IOs over "u8)
            && TryReadInteger(ref rest, out var stripeKB)
            && TryConsume(ref rest, "KB stripes with "u8)
            && TryReadInteger(ref rest, out var stripeRows)
        )
        {
            access = IoAccessPattern.Stride;
            stripe = stripeKB;
            rows = stripeRows;
        }
        else
        {
            return false;
        }
        BeginPart(SqlioLineKind.Pattern, number);
        _run.BlockKB = block;
        _run.Access = access;
        _run.StripeKB = stripe;
        _run.StripeRows = rows;
        return true;
    }

    private bool ParseSize(ReadOnlySpan<byte> rest, int number)
    {
        if (!TryReadNumber(ref rest, out var megabytes) || !TryConsume(ref rest, "MB for file:"u8))
            return false;
        AddSize(_strings.GetString(rest), megabytes, isFinal: true, number);
        return true;
    }

    private bool ParseNeededSize(ReadOnlySpan<byte> rest, int number)
    {
        var end = rest.LastIndexOf(" needs to be"u8);
        if (end <= 0)
            return false;
        var path = TrimSpaces(rest[..end]);
        rest = rest[end..];
        if (!TryConsume(ref rest, " needs to be:"u8) || !TryReadNumber(ref rest, out var bytes))
            return false;
        AddSize(_strings.GetString(path), bytes / 1048576, isFinal: false, number);
        return true;
    }

    private void AddSize(string path, double megabytes, bool isFinal, int number)
    {
        BeginRepeatablePart(SqlioLineKind.Size, number);
        var sizes = _run.Sizes;
        if (sizes.Count > 0 && !sizes[^1].IsFinal && sizes[^1].Path == path)
            sizes[^1] = (path, megabytes, isFinal);
        else if (sizes.Count < SqlioCommandLine.MaxFiles)
            sizes.Add((path, megabytes, isFinal));
    }

    private bool ParseParameterFile(ReadOnlySpan<byte> rest, int number)
    {
        BeginPart(SqlioLineKind.ParameterFile, number);
        _run.ParameterFile = _strings.GetString(rest);
        return true;
    }

    private bool ParsePool(ReadOnlySpan<byte> rest, int number)
    {
        var end = rest.LastIndexOf(" with "u8);
        if (end <= 0)
            return false;
        var path = _strings.GetString(TrimSpaces(rest[..end]));
        rest = rest[end..];
        if (!TryConsume(ref rest, " with "u8) || !TryReadInteger(ref rest, out var threads) || !TryConsume(ref rest, "thread"u8))
            return false;
        BeginRepeatablePart(SqlioLineKind.Pools, number);
        ulong mask = 0;
        if (rest.IndexOf("0x"u8) is >= 0 and var at)
        {
            var digits = rest[(at + 2)..];
            if (!ulong.TryParse(ReadWord(ref digits), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out mask))
                AddPendingWarning(number, $"IoBench cannot read the mask: {Quote(rest)}");
        }
        if (_run.Pools.Count < SqlioCommandLine.MaxFiles)
            _run.Pools.Add(new SqlioParameterLine(path, threads, mask, null, number));
        else
            AddPendingWarning(number, $"the parameter file lists more files than the SQLIO maximum of {SqlioCommandLine.MaxFiles}");
        return true;
    }

    private bool ParseThreads(ReadOnlySpan<byte> line, int number)
    {
        if (!TryReadInteger(ref line, out var threads) || !(TryConsume(ref line, "threads "u8) || TryConsume(ref line, "thread "u8)))
            return false;
        var isWrite = TryConsume(ref line, "writing "u8);
        if (!isWrite && !TryConsume(ref line, "reading "u8))
            return false;
        BeginPart(SqlioLineKind.Threads, number);
        _run.Threads = threads;
        _run.IsWrite = isWrite;
        if (
            !TryConsume(ref line, "for "u8)
            || !TryReadInteger(ref line, out var seconds)
            || !(TryConsume(ref line, "secs "u8) || TryConsume(ref line, "sec "u8))
            || !(TryConsume(ref line, "from "u8) || TryConsume(ref line, "to "u8))
        )
        {
            AddPendingWarning(number, $"IoBench cannot read the duration and the file: {Quote(line)}");
            return true;
        }
        _run.Seconds = seconds;
        _run.SeveralFiles = TryConsume(ref line, "files "u8);
        if (!_run.SeveralFiles)
            TryConsume(ref line, "file "u8);
        if (!line.IsEmpty)
            _run.Files = _strings.GetString(line);
        return true;
    }

    private bool ParseOutstanding(ReadOnlySpan<byte> rest, int number)
    {
        if (!TryReadInteger(ref rest, out var outstanding))
            return false;
        BeginPart(SqlioLineKind.Outstanding, number);
        _run.Outstanding = outstanding;
        return true;
    }

    private bool ParseBuffering(ReadOnlySpan<byte> rest, int number)
    {
        BeginPart(SqlioLineKind.Buffering, number);
        var text = _strings.GetString(rest);
        if (!ReferenceEquals(text, _bufferingText))
            (_bufferingText, _buffering) = (text, ParseBufferingDescription(text));
        _run.Buffering = _buffering;
        if (_run.Buffering is null)
            AddPendingWarning(number, $"this type of buffering is unknown: {Quote(rest)}");
        return true;
    }

    /// <summary>
    /// Null if unknown. The texts of <c>-BN</c> and <c>-BH</c> are known from real outputs. For other texts, the caches that are named
    /// before "but not" decide.
    /// </summary>
    private static IoBuffering? ParseBufferingDescription(string words)
    {
        var used = words.ToLowerInvariant();
        if (used.Contains("not use", StringComparison.Ordinal))
            return MentionsFileCache(used) && MentionsDeviceCache(used) ? IoBuffering.None : null;
        var not = used.IndexOf("not ", StringComparison.Ordinal);
        if (not >= 0)
            used = used[..not];
        return (MentionsFileCache(used), MentionsDeviceCache(used)) switch
        {
            (true, true) => IoBuffering.Both,
            (true, false) => IoBuffering.Software,
            (false, true) => IoBuffering.Hardware,
            _ => used.Contains("both", StringComparison.Ordinal) || used.Contains("all ", StringComparison.Ordinal)
                ? IoBuffering.Both
                : null,
        };
    }

    private static bool MentionsFileCache(string words) =>
        words.Contains("file", StringComparison.Ordinal) || words.Contains("software", StringComparison.Ordinal);

    private static bool MentionsDeviceCache(string words) =>
        words.Contains("disk", StringComparison.Ordinal) || words.Contains("hardware", StringComparison.Ordinal);

    private bool ParseValue(ReadOnlySpan<byte> text, int number, SqlioLineKind kind, Action<SqlioRun, double> set)
    {
        var rest = text;
        var isNumber = TryReadNumber(ref rest, out var value) && rest.IsEmpty;
        BeginPart(kind, number);
        if (isNumber && (_lineIsWhole || CanBeComplete(text, kind)))
        {
            set(_run, value);
            return true;
        }
        _run.Seen &= ~kind;
        AddPendingWarning(
            number,
            isNumber
                ? $"the text ends within this value, which IoBench ignores: {Quote(text)}"
                : $"not a number in SQLIO format: {Quote(text)}"
        );
        return true;
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
        if (!(_run.Processors ??= new()).TryParseRow(line, out var problem))
            return false;
        BeginRepeatablePart(SqlioLineKind.Processors, number);
        if (problem is not null)
            AddPendingWarning(number, $"{problem}: {Quote(line)}");
        return true;
    }

    private bool TryParsePercents(ReadOnlySpan<byte> line, int number)
    {
        var rest = line;
        if (!TryConsume(ref rest, "%"u8) || rest.IsEmpty || rest[0] != ':')
            return false;
        BeginPart(SqlioLineKind.Percents, number);
        if (SqlioHistogram.TryParseColumns(rest[1..], _run.Percents))
        {
            _run.PercentCount = SqlioHistogram.BucketCount;
        }
        else if (!SqlioHistogram.TryParseWords(rest[1..], _run.Percents, ref _run.PercentCount))
        {
            _run.HistogramIsBroken = true;
            AddPendingWarning(number, $"IoBench cannot read the histogram: {Quote(line)}");
        }
        return true;
    }

    private bool TryParseMorePercents(ReadOnlySpan<byte> line)
    {
        if (!_run.Has(SqlioLineKind.Percents) || _run.HistogramIsBroken)
            return SqlioHistogram.IsMillisecondsLine(line);
        return SqlioHistogram.TryParseWords(line, _run.Percents, ref _run.PercentCount);
    }

    private bool ParseComputerName(ReadOnlySpan<byte> rest, int number)
    {
        BeginLeadingPart(SqlioLineKind.Wrapper, number);
        _computerName = Decode(rest);
        return true;
    }

    private bool ParseDate(ReadOnlySpan<byte> rest, int number)
    {
        BeginLeadingPart(SqlioLineKind.Wrapper, number);
        _run.Date = Decode(rest);
        return true;
    }

    private bool ParseEchoedCommandLine(ReadOnlySpan<byte> line, int number)
    {
        if (!SqlioSurroundingLines.TryGetCommandLine(line, out var commandLine))
            return false;
        BeginLeadingPart(SqlioLineKind.CommandLine, number);
        _run.CommandLine = commandLine;
        _run.CommandLineNumber = number;
        return true;
    }
}
