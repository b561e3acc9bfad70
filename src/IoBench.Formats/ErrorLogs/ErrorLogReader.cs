using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads the messages about I/O in an ERRORLOG of SQL Server, one at a time, so that a large log needs no memory.</summary>
public sealed class ErrorLogReader
{
    /// <summary>Number of characters of a message that are examined. Longer messages are stack dumps and query texts.</summary>
    private const int MaxMessageLength = 8 * 1024;

    /// <summary>Lines without a message after which a file is not an ERRORLOG, so that a large file of another kind ends soon.</summary>
    private const int MaxLinesWithoutMessage = 100_000;

    private const int MaxPending = 256;

    /// <summary>The parts of one event are separate messages of one process, written at almost the same time.</summary>
    private static readonly TimeSpan s_maxGap = TimeSpan.FromSeconds(2);

    private readonly List<ErrorLogEvent> _found = [];
    private readonly List<ErrorLogEvent> _pending = [];
    private readonly char[] _message = new char[MaxMessageLength];
    private ErrorLogLine _current;
    private int _currentLine;
    private int _textStart;
    private int _length;
    private int _lineLength;
    private int _wrapLength = -1;
    private bool _isErrorLog;

    public ErrorLogReader(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        Path = path;
    }

    public string Path { get; }

    /// <summary>Local time of the server, as written; null if no message was read.</summary>
    public DateTime? FirstTime { get; private set; }

    public DateTime? LastTime { get; private set; }

    public long MessageCount { get; private set; }

    /// <summary>Number of messages about I/O that are incomplete, such as a truncated line. IoBench creates no event from them.</summary>
    public int IncompleteCount { get; private set; }

    /// <summary>Line of the first incomplete message; 0 if there is none.</summary>
    public int FirstIncompleteLine { get; private set; }

    /// <summary>Reads the time of the first message; null if the file is not an ERRORLOG.</summary>
    /// <exception cref="IoBenchException">The file cannot be read.</exception>
    public static DateTime? ReadFirstTime(string path)
    {
        const int maxLines = 1000;
        using var stream = TextInput.OpenFile(path);
        using var text = OpenLog(path, stream);
        if (text is null)
            return null;
        var lines = new TextLineReader(text);
        try
        {
            while (lines.LineNumber < maxLines && MoveNext(path, lines))
                if (ErrorLogLine.TryParse(lines.CurrentLine, out var line))
                    return line.Time;
            return null;
        }
        finally
        {
            lines.ReturnBuffer();
        }
    }

    /// <exception cref="IoBenchException"><c>IoBench.NotAnErrorLog</c>, or the file cannot be read.</exception>
    public IEnumerable<ErrorLogEvent> ReadEvents(CancellationToken stop = default)
    {
        using var stream = TextInput.OpenFile(Path);
        using var text = OpenLog(Path, stream) ?? throw CreateWrongFileError();
        var lines = new TextLineReader(text);
        try
        {
            while (MoveNext(Path, lines))
            {
                if (lines.LineNumber % 1024 == 0)
                    stop.ThrowIfCancellationRequested();
                AddLine(lines);
                foreach (var item in _found)
                    yield return item;
                _found.Clear();
            }
            EndMessage();
            while (_pending.Count > 0)
                EndPending(0);
            foreach (var item in _found)
                yield return item;
            _found.Clear();
        }
        finally
        {
            lines.ReturnBuffer();
        }
        if (!_isErrorLog)
            throw CreateWrongFileError();
    }

    /// <summary>Returns null if the content is not a text.</summary>
    private static StreamReader? OpenLog(string path, FileStream stream)
    {
        byte[] head;
        try
        {
            head = TextInput.ReadHead(stream, 4096);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw TextInput.CreateReadError(path, e);
        }
        if (TextEncodings.LooksBinary(head) && TextEncodings.DetectEncoding(GetFirstTime(head)).Encoding == TextEncodings.Utf8Or1252)
            return null;
        var (encoding, _) = TextEncodings.DetectEncoding(GetFirstTime(head));
        if (encoding == TextEncodings.Utf8Or1252)
            (encoding, _) = TextEncodings.DetectEncoding(head);
        return new StreamReader(stream, encoding, detectEncodingFromByteOrderMarks: true, bufferSize: 16 * 1024);
    }

    /// <summary>The time at the start of the first message is ASCII in all languages, so it shows whether the log is UTF-16.</summary>
    private static ReadOnlySpan<byte> GetFirstTime(ReadOnlySpan<byte> head)
    {
        const int length = 2 * 19;
        return head[..Math.Min(head.Length, length)];
    }

    private static bool MoveNext(string path, TextLineReader lines)
    {
        try
        {
            return lines.MoveNext();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw TextInput.CreateReadError(path, e);
        }
    }

    private IoBenchException CreateWrongFileError() =>
        IoBenchException.InvalidData(
            "IoBench.NotAnErrorLog",
            MessageCount == 0
                ? $"{Path} is not a SQL Server ERRORLOG file, because no line starts with a date, a time, and a process."
                : $"{Path} is not a SQL Server ERRORLOG file, because no message is from a process such as spid5s.",
            Path,
            advice: "Specify the ERRORLOG file in the SQL Server Log folder, or the text output of xp_readerrorlog."
        );

    private void AddLine(TextLineReader lines)
    {
        var text = lines.CurrentLine;
        if (ErrorLogLine.TryParse(text, out var line))
        {
            EndMessage();
            _current = line;
            _currentLine = lines.LineNumber;
            _textStart = Math.Min(line.TextStart, MaxMessageLength);
            MessageCount++;
            FirstTime ??= line.Time;
            LastTime = line.Time;
            Append(text);
        }
        else if (MessageCount > 0)
        {
            // A line without a time continues the message.
            if (_lineLength != _wrapLength)
                Append("\n");
            Append(text);
        }
        else if (text.Contains('-') && text.Trim("- ").IsEmpty)
            // sqlcmd wraps all lines at the same length, also the line below the column names.
            _wrapLength = Math.Max(_wrapLength, text.Length);
        else if (lines.LineNumber >= MaxLinesWithoutMessage)
            throw CreateWrongFileError();
        _lineLength = text.Length;
    }

    private void Append(ReadOnlySpan<char> text)
    {
        var part = text[..Math.Min(text.Length, MaxMessageLength - _length)];
        part.CopyTo(_message.AsSpan(_length));
        _length += part.Length;
    }

    private void EndMessage()
    {
        if (_length == 0)
            return;
        var process = _current.GetProcess(_message);
        _isErrorLog |= process is ['s', 'p', 'i', 'd', >= '0' and <= '9', ..];
        var text = _message.AsSpan(_textStart, _length - _textStart).Trim();
        if (_pending.Count == 0 || !ContinuePending(process, text))
            ReadMessage(text);
        _length = 0;
    }

    private void ReadMessage(ReadOnlySpan<char> text)
    {
        if (text.StartsWith("FlushCache: cleaned up", StringComparison.Ordinal))
            AddPart(ErrorLogMessages.ReadFlush(text.ToString(), CreateEvent(ErrorLogEventKind.SlowFlush)));
        else if (ErrorLogMessages.IsBackupStart(text))
        {
            var backup = CreateEvent(ErrorLogEventKind.BackupBuffers);
            ErrorLogMessages.TryReadBackupLine(text.ToString(), ref backup);
            AddPart(backup);
        }
        else if (text.StartsWith("I/O ", StringComparison.Ordinal))
        {
            if (ErrorLogMessages.ReadFreeze(text.ToString(), CreateEvent(ErrorLogEventKind.IOFrozen)) is { } freeze)
                _found.Add(freeze);
        }
        else if (text.IndexOf(" misaligned log IOs ", StringComparison.Ordinal) >= 0)
        {
            if (ErrorLogMessages.ReadMisaligned(text.ToString(), CreateEvent(ErrorLogEventKind.MisalignedLogIO)) is { } misaligned)
                _found.Add(misaligned);
        }
        else if (ErrorLogMessages.FindErrorHeader(text) is { } error)
            AddPart(CreateEvent(GetKind(error)));
        else if (IsLongIOCandidate(text))
        {
            // The message has one line. The next line is of a tool, or an editor wrapped the message.
            var end = text.IndexOf('\n');
            var entry = CreateEvent(ErrorLogEventKind.LongIO);
            if (ErrorLogMessages.ReadLongIO(text[..(end < 0 ? text.Length : end)].ToString(), entry) is { } longIO)
                _found.Add(longIO);
            else if (IsEnglishLongIO(text) || (end >= 0 && ErrorLogMessages.ReadLongIO(text.ToString(), entry) is not null))
                CountIncomplete(_currentLine);
        }
    }

    private static bool IsLongIOCandidate(ReadOnlySpan<char> text) =>
        (text.Contains('[') && text.IndexOf("0x", StringComparison.Ordinal) >= 0) || IsEnglishLongIO(text);

    private static bool IsEnglishLongIO(ReadOnlySpan<char> text) =>
        text.StartsWith("SQL Server has encountered ", StringComparison.Ordinal)
        && text.IndexOf("I/O requests taking longer", StringComparison.Ordinal) >= 0;

    private static ErrorLogEventKind GetKind(int error) =>
        error switch
        {
            823 => ErrorLogEventKind.IOError,
            824 => ErrorLogEventKind.InvalidPage,
            _ => ErrorLogEventKind.ReadRetry,
        };

    private ErrorLogEvent CreateEvent(ErrorLogEventKind kind) =>
        new()
        {
            Kind = kind,
            Time = _current.Time,
            Process = _current.GetProcess(_message).ToString(),
            SourceFile = Path,
            SourceLine = _currentLine,
        };

    /// <summary>Adds the first message of an event that continues in other messages of its process.</summary>
    private void AddPart(ErrorLogEvent? first)
    {
        if (first is null)
        {
            CountIncomplete(_currentLine);
            return;
        }
        if (_pending.Count == MaxPending)
            EndPending(0);
        _pending.Add(first);
        if (first.LastTargetOutstanding is not null)
            EndPending(_pending.Count - 1);
    }

    /// <returns>True if the message belongs to an event that began before it.</returns>
    private bool ContinuePending(ReadOnlySpan<char> process, ReadOnlySpan<char> text)
    {
        for (var i = 0; i < _pending.Count; i++)
        {
            if ((_current.Time - _pending[i].Time).Duration() > s_maxGap)
            {
                EndPending(i--);
                continue;
            }
            if (!process.SequenceEqual(_pending[i].Process))
                continue;
            if (TryContinue(i, text))
                return true;
            EndPending(i);
            return false;
        }
        return false;
    }

    private bool TryContinue(int index, ReadOnlySpan<char> text)
    {
        var item = _pending[index];
        switch (item.Kind)
        {
            case ErrorLogEventKind.SlowFlush:
                if (!ErrorLogMessages.IsFlushDetail(text))
                    return false;
                _pending[index] = ErrorLogMessages.ReadFlushDetails(text.ToString(), item);
                if (_pending[index].LastTargetOutstanding is not null)
                    EndPending(index);
                return true;
            case ErrorLogEventKind.BackupBuffers:
                if (!ErrorLogMessages.TryReadBackupLine(text.ToString(), ref item))
                    return false;
                _pending[index] = item;
                return true;
            default:
                if (!ErrorLogMessages.TryReadError(text.ToString(), item, out var error))
                    return false;
                _pending[index] = error;
                EndPending(index);
                return true;
        }
    }

    private void EndPending(int index)
    {
        var item = _pending[index];
        _pending.RemoveAt(index);
        // The number of the error is certain, even if its text is missing. Buffers without a value say nothing.
        if (item is { Kind: ErrorLogEventKind.BackupBuffers, BufferCount: null, MaxTransferSizeKB: null })
        {
            CountIncomplete(item.SourceLine);
            return;
        }
        if (item is { Kind: ErrorLogEventKind.IOError or ErrorLogEventKind.InvalidPage or ErrorLogEventKind.ReadRetry, Path: null })
            CountIncomplete(item.SourceLine);
        _found.Add(item);
    }

    private void CountIncomplete(int line)
    {
        IncompleteCount++;
        FirstIncompleteLine = FirstIncompleteLine == 0 ? line : FirstIncompleteLine;
    }
}
