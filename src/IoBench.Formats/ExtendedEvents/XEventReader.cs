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

    /// <exception cref="IoBenchException"><c>IoBench.NoXEvents</c>, <c>IoBench.InvalidXEvents</c>, <c>IoBench.InvalidCsv</c>, or the file
    /// cannot be read.</exception>
    public IEnumerable<XEvent> ReadEvents()
    {
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
            string? GetField(string name) => columns.TryGetValue(name, out var index) && index < record.Count ? record[index].Trim() : null;
            if (
                CreateEvent(GetField("name"), GetField("timestamp") ?? GetField("timestamp (UTC)"), GetField, records.RecordLine) is
                { } item
            )
                yield return item;
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

    /// <summary>Returns null for a row of another kind, such as the number of rows that sqlcmd adds.</summary>
    private XEvent? CreateEvent(string? name, string? time, Func<string, string?> getField, long number)
    {
        var operation = name switch
        {
            "file_read_completed" => IoOperation.Read,
            "file_write_completed" => IoOperation.Write,
            _ => (IoOperation?)null,
        };
        if (ParseTime(time) is not { } completed)
            return operation is null ? null : throw CreateInvalidError(number, $"timestamp '{time}' is not a time");
        long? sequence = long.TryParse(getField("event_sequence"), NumberStyles.None, CultureInfo.InvariantCulture, out var counted)
            ? counted
            : null;
        if (operation is null)
            return new XEvent(null, completed, sequence);
        return new XEvent(operation, completed, sequence)
        {
            DatabaseId = GetNumber("database_id", 0, int.MaxValue),
            FileId = GetNumber("file_id", 0, int.MaxValue),
            Offset = GetNumber("offset", 0, long.MaxValue - MaxSize),
            Size = GetNumber("size", 1, MaxSize),
            DurationMs = GetNumber("duration", 0, int.MaxValue),
            Path = getField("path") is { Length: > 0 } file && file != "NULL" ? file : null,
        };

        long GetNumber(string field, long min, long max)
        {
            var value = getField(field);
            return long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var parsed) && parsed >= min && parsed <= max
                ? parsed
                : throw CreateInvalidError(number, value is null ? $"{field} is missing" : $"{field} '{value}' is not a valid number");
        }
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
        _dayFirst ??= CsvTimeParser.DetectDayFirst(text);
        return CsvTimeParser.Parse(text, _dayFirst ?? false, out time) == CsvCellStatus.Read ? time : null;
    }

    private IoBenchException CreateWrongFileError() =>
        IoBenchException.InvalidData(
            "IoBench.NoXEvents",
            $"{Path} contains no Extended Events as XML, and no CSV columns such as name, timestamp, and offset.",
            Path,
            advice: "Export an .xel file with sys.fn_xe_file_target_read_file, or with Read-DbaXEFile and Export-Csv."
        );

    private IoBenchException CreateIncompleteError(long number) =>
        CreateInvalidError(number, "the XML is incomplete, because the tool that saved it truncated it");

    private IoBenchException CreateInvalidError(long number, string what) =>
        IoBenchException.InvalidData(
            "IoBench.InvalidXEvents",
            $"{Path}, event or line {NumberFormat.Integer(number)}: {what}.",
            Path,
            advice: "Export the events again, for example with sqlcmd -y 0, which does not truncate columns."
        );
}
