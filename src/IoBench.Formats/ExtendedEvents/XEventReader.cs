using System.Globalization;
using System.Net;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Reads the events of an Extended Events session one at a time: XML of sys.fn_xe_file_target_read_file, as text or in CSV, or CSV with a
/// column for each field. Source of the fields: sys.dm_xe_object_columns of sqlserver.file_read_completed.
/// </summary>
public sealed class XEventReader(string path)
{
    private const string StartTag = "<event ";
    private const string EndTag = "</event>";

    private const int MaxElementLength = 4 << 20;

    /// <summary>SQL Server reads and writes at most 4 MB at a time.</summary>
    private const long MaxSize = 64 << 20;

    private bool? _dayFirst;

    public string Path { get; } = path;

    /// <summary>Number of reads and writes with a missing or invalid field, which <see cref="ReadEvents"/> skipped.</summary>
    public long InvalidCount { get; private set; }

    /// <summary>Error of the first of them; null if there was none.</summary>
    public IoBenchException? FirstInvalid { get; private set; }

    /// <summary>Whether the times can have the day or the month first, so that only their order within a day is certain.</summary>
    public bool IsDayOrderAssumed { get; private set; }

    /// <exception cref="IoBenchException"><c>IoBench.NoXEvents</c>, <c>IoBench.InvalidXEvents</c> (incomplete XML),
    /// <c>IoBench.InvalidCsv</c>, or the file cannot be read.</exception>
    public IEnumerable<XEvent> ReadEvents()
    {
        (InvalidCount, FirstInvalid) = (0, null);
        using var stream = TextInput.OpenFile(Path);
        var head = TextInput.ReadHead(stream);
        if (TextEncodings.LooksBinary(head))
            throw CreateWrongFileError();
        var isXml = TextInput.DecodeHead(head).Contains(StartTag, StringComparison.Ordinal);
        using var text = TextInput.OpenText(stream);
        foreach (var item in isXml ? ReadElements(text) : ReadRecords(text))
            yield return item;
    }

    /// <summary>Text between the elements, such as column names and separators, is ignored.</summary>
    private IEnumerable<XEvent> ReadElements(TextReader text)
    {
        var buffer = new char[64 * 1024];
        int start = 0,
            filled = 0;
        long number = 0;
        while (true)
        {
            var (at, length) = FindElement(buffer.AsSpan(start, filled - start));
            start += at;
            if (length > 0)
            {
                number++;
                if (ParseElement(new string(buffer, start, length), number) is { } item)
                    yield return item;
                start += length;
                continue;
            }
            Array.Copy(buffer, start, buffer, 0, filled - start);
            filled -= start;
            start = 0;
            if (filled == buffer.Length && filled < MaxElementLength)
                Array.Resize(ref buffer, filled * 2);
            var count = ReadText(() => text.ReadBlock(buffer, filled, buffer.Length - filled));
            filled += count;
            if (count > 0)
                continue;
            if (buffer.AsSpan(0, filled).StartsWith(StartTag))
                throw CreateIncompleteError(number + 1);
            yield break;
        }
    }

    /// <summary>Returns where the first element begins, or else can begin, and its length; 0 if it is not complete.</summary>
    private static (int At, int Length) FindElement(ReadOnlySpan<char> text)
    {
        var at = text.IndexOf(StartTag);
        if (at < 0)
            return (Math.Max(0, text.Length - StartTag.Length), 0);
        var tagEnd = text[at..].IndexOf('>');
        if (tagEnd > 0 && text[at + tagEnd - 1] == '/')
            return (at, tagEnd + 1);
        var end = text[at..].IndexOf(EndTag);
        return (at, end < 0 ? 0 : end + EndTag.Length);
    }

    private XEvent? ParseElement(string element, long number)
    {
        if (element.IndexOf(StartTag, StartTag.Length, StringComparison.Ordinal) > 0)
            throw CreateIncompleteError(number);
        // CSV doubles quotation marks.
        if (element.AsSpan(0, element.IndexOf('>', StringComparison.Ordinal)).Contains("=\"\"", StringComparison.Ordinal))
            element = element.Replace("\"\"", "\"", StringComparison.Ordinal);
        var tag = element[..(element.IndexOf('>', StringComparison.Ordinal) + 1)];
        return CreateEvent(
            GetBetween(tag, " name=\"", "\""),
            GetBetween(tag, " timestamp=\"", "\""),
            field => GetValue(element, $"<data name=\"{field}\"", "</data>") ?? GetValue(element, $"<action name=\"{field}\"", "</action>"),
            number
        );
    }

    private static string? GetValue(string element, string start, string end) =>
        GetBetween(element, start, end) is { } inner && GetBetween(inner, "<value>", "</value>") is { } value
            ? WebUtility.HtmlDecode(value)
            : null;

    private static string? GetBetween(string text, string start, string end)
    {
        var from = text.IndexOf(start, StringComparison.Ordinal) + start.Length;
        var to = from < start.Length ? -1 : text.IndexOf(end, from, StringComparison.Ordinal);
        return to < 0 ? null : text[from..to];
    }

    private IEnumerable<XEvent> ReadRecords(TextReader text)
    {
        foreach (var (getField, line) in ReadRows(text))
            if (CreateEvent(getField("name"), GetTime(getField), getField, line) is { } item)
                yield return item;
    }

    private static string? GetTime(Func<string, string?> getField) => getField("timestamp") ?? getField("timestamp (UTC)");

    private IEnumerable<(Func<string, string?> GetField, long Line)> ReadRows(TextReader text)
    {
        var records = new CsvRecordReader(text, Path);
        Dictionary<string, int>? columns = null;
        while (ReadText(records.Read) is { } record)
        {
            if (columns is null)
            {
                if (
                    record.Contains("offset", StringComparer.OrdinalIgnoreCase) && record.Contains("name", StringComparer.OrdinalIgnoreCase)
                )
                    columns = record
                        .Select((name, index) => (Name: name.Trim(), Index: index))
                        .DistinctBy(column => column.Name, StringComparer.OrdinalIgnoreCase)
                        .ToDictionary(column => column.Name, column => column.Index, StringComparer.OrdinalIgnoreCase);
                continue;
            }
            var found = columns;
            yield return (
                name => found.TryGetValue(name, out var index) && index < record.Count ? record[index].Trim() : null,
                records.RecordLine
            );
        }
        if (columns is null)
            throw CreateWrongFileError();
    }

    private T ReadText<T>(Func<T> read)
    {
        try
        {
            return read();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw TextInput.CreateReadError(Path, e);
        }
    }

    /// <summary>Returns null for an invalid row, and for a row of another kind, such as the number of rows that sqlcmd adds.</summary>
    private XEvent? CreateEvent(string? name, string? time, Func<string, string?> getField, long number)
    {
        var operation = name switch
        {
            "file_read_completed" => IoOperation.Read,
            "file_write_completed" => IoOperation.Write,
            _ => (IoOperation?)null,
        };
        if (ParseTime(time) is not { } completed)
        {
            if (operation is not null)
                AddInvalid(number, $"timestamp '{time}' is not a time");
            return null;
        }
        long? sequence = long.TryParse(getField("event_sequence"), NumberStyles.None, CultureInfo.InvariantCulture, out var counted)
            ? counted
            : null;
        var item = new XEvent(operation, completed, sequence);
        // The other fields of a file of no database, such as a backup device, can have any value.
        if (operation is null || getField("file_id") is "0")
            return item;
        return
            GetNumber("file_id", 0, int.MaxValue) is { } file
            && GetNumber("database_id", 0, int.MaxValue) is { } database
            && GetNumber("offset", 0, long.MaxValue - MaxSize) is { } offset
            && GetNumber("size", 1, MaxSize) is { } size
            && GetNumber("duration", 0, int.MaxValue) is { } duration
            ? item with
            {
                DatabaseId = database,
                FileId = file,
                Offset = offset,
                Size = size,
                DurationMs = duration,
                Path = getField("path") is { Length: > 0 } path && path != "NULL" ? path : null,
            }
            : null;

        long? GetNumber(string field, long min, long max)
        {
            var value = getField(field);
            if (long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var parsed) && parsed >= min && parsed <= max)
                return parsed;
            AddInvalid(number, value is null ? $"{field} is missing" : $"{field} '{value}' is not a valid number");
            return null;
        }
    }

    private void AddInvalid(long number, string what)
    {
        InvalidCount++;
        FirstInvalid ??= CreateInvalidError(number, what);
    }

    /// <summary>XML and Management Studio have ISO 8601. Export-Csv of Windows PowerShell uses the format of its culture.</summary>
    private DateTimeOffset? ParseTime(string? text)
    {
        if (string.IsNullOrEmpty(text))
            return null;
        if (
            text.Length > 10
            && text[4] == '-'
            && DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time)
        )
            return time;
        if (_dayFirst is null && CsvTimeParser.Parse(text, null, out _) == CsvCellStatus.DoubtfulTime)
            _dayFirst = DetectDayFirst();
        return CsvTimeParser.Parse(text, _dayFirst, out time) == CsvCellStatus.Read ? time : null;
    }

    /// <summary>Reads the times of the whole file: the first number above 12, the order of the times, or else the shorter period shows
    /// whether the day or the month is first.</summary>
    private bool DetectDayFirst()
    {
        using var stream = TextInput.OpenFile(Path);
        using var text = TextInput.OpenText(stream);
        TimePeriod dayFirst = default,
            monthFirst = default;
        foreach (var (getField, _) in ReadRows(text))
        {
            if (GetTime(getField) is not { Length: > 0 } time)
                continue;
            if (CsvTimeParser.DetectDayFirst(time) is { } shown)
                return shown;
            if (
                CsvTimeParser.Parse(time, true, out var one) != CsvCellStatus.Read
                || CsvTimeParser.Parse(time, false, out var other) != CsvCellStatus.Read
            )
                continue;
            (dayFirst, monthFirst) = (dayFirst.Add(one), monthFirst.Add(other));
            if (dayFirst.IsInOrder != monthFirst.IsInOrder)
                return dayFirst.IsInOrder;
        }
        IsDayOrderAssumed = dayFirst.Length == monthFirst.Length;
        return dayFirst.Length < monthFirst.Length;
    }

    private readonly record struct TimePeriod(DateTimeOffset? First, DateTimeOffset Last, bool IsUnordered)
    {
        public bool IsInOrder => !IsUnordered;

        public TimeSpan Length => Last - (First ?? Last);

        // Events can be slightly out of order, but not by a day.
        public TimePeriod Add(DateTimeOffset time) =>
            new(First ?? time, time > Last ? time : Last, IsUnordered || First is not null && time < Last - TimeSpan.FromDays(1));
    }

    private IoBenchException CreateWrongFileError() =>
        IoBenchException.InvalidData(
            "IoBench.NoXEvents",
            $"{Path} contains no Extended Events in XML format, and no CSV columns such as name, timestamp, and offset.",
            Path,
            advice: "Export an .xel file with sys.fn_xe_file_target_read_file, or with Read-DbaXEFile and Export-Csv."
        );

    private IoBenchException CreateIncompleteError(long number) =>
        CreateInvalidError(number, "the XML is incomplete, because the tool that exported the events truncated the XML");

    private IoBenchException CreateInvalidError(long number, string what) =>
        IoBenchException.InvalidData(
            "IoBench.InvalidXEvents",
            $"{Path}, event or line {NumberFormat.Integer(number)}: {what}.",
            Path,
            advice: "Export the events again, for example with sqlcmd -y 0, which does not truncate columns."
        );
}
