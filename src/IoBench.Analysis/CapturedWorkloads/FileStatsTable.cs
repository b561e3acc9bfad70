using System.Text;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Splits the text that Management Studio, sqlcmd, Excel, and PowerShell write into rows: with separators (CSV), or in columns of fixed
/// width. Skips repeated headers and the lines that the tools add, such as <c>(4 rows affected)</c>.
/// </summary>
internal static partial class FileStatsTable
{
    private const int MaxLineLength = 64 * 1024;

    private static readonly char[] s_separators = ['\t', ';', ',', '|'];

    /// <summary>Columns of the query that IoBench shows. Management Studio and sqlcmd can omit the names.</summary>
    private static readonly string[] s_queryColumns =
    [
        "taken",
        "sqlserver_start_time",
        "database_id",
        "file_id",
        "type_desc",
        "physical_name",
        "sample_ms",
        "num_of_reads",
        "num_of_bytes_read",
        "io_stall_read_ms",
        "num_of_writes",
        "num_of_bytes_written",
        "io_stall_write_ms",
        "io_stall_queued_read_ms",
        "io_stall_queued_write_ms",
        "size_on_disk_bytes",
    ];

    /// <summary>Examples: (4 rows affected), (4 Zeilen betroffen), Completion time: 2026-10-05T14:01:02.1234567+02:00</summary>
    [GeneratedRegex(@"^\s*(\([0-9]+ [^()]{1,60}\)|[^;,\t|]{1,60}: ?[0-9]{4}-[0-9]{2}-[0-9]{2}T[-+0-9:.Z]{1,40})\s*$")]
    private static partial Regex GetFooterRegex();

    [GeneratedRegex(@"^[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}$")]
    private static partial Regex GetDateRegex();

    [GeneratedRegex(@"^[0-9]{1,2}:[0-9]{2}")]
    private static partial Regex GetTimeRegex();

    private const int MaxFirstLines = 50;

    /// <summary>Whether one of the first lines has the column names of the view, or a row of the query.</summary>
    internal static bool HasRows(TextReader reader)
    {
        var buffer = new char[MaxLineLength];
        var head = new string(buffer, 0, reader.ReadBlock(buffer, 0, buffer.Length));
        return head.Split('\n', MaxFirstLines + 1)
            .Take(MaxFirstLines)
            .Select(line => line.TrimEnd('\r'))
            .Any(line => IsHeader(line) && ParseHeader(line).Names.Exists(IsFileId) || FindQuerySeparator(line) is not null);
    }

    private static bool IsFileId(string column) =>
        column.Equals("file_id", StringComparison.OrdinalIgnoreCase) || column.Equals("FileId", StringComparison.OrdinalIgnoreCase);

    /// <param name="name">Name of the file for messages.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidFileStats</c>: a line does not have the columns of the header.</exception>
    internal static IEnumerable<Dictionary<string, object?>> ReadRows(TextReader reader, string name)
    {
        List<string>? header = null;
        List<int>? columns = null;
        var separator = '\0';
        var number = 0;
        while (reader.ReadLine() is { } line)
        {
            number++;
            if (line.Length > MaxLineLength)
                throw CreateError(name, number, "the line is too long");
            if (IsSkipped(line))
                continue;
            if (IsRuler(line))
            {
                columns ??= separator == '\0' && header is not null ? GetColumns(line) : null;
                continue;
            }
            if (IsHeader(line))
            {
                (header, separator) = ParseHeader(line);
                columns = null;
                continue;
            }
            if (header is null)
            {
                // Text before the header, or rows without one.
                if (FindQuerySeparator(line) is not { } found)
                    continue;
                header = [.. s_queryColumns];
                separator = found;
            }
            var fields =
                separator != '\0' ? SplitFields(line, separator)
                : columns is not null && IsAligned(line, columns) ? SplitColumns(line, columns)
                : SplitWords(line, header);
            if (fields.Count < header.Count && separator == '\0')
                throw CreateError(
                    name,
                    number,
                    "the line has fewer columns than the header. Separate columns with commas and do not wrap lines, for example with sqlcmd -W -s \",\" -w 65535"
                );
            if (fields.Skip(header.Count).Any(field => field.Length > 0))
                throw CreateError(
                    name,
                    number,
                    $"the line has {fields.Count} fields, but the header has only {header.Count}. Enclose names in quotation marks, or use a separator that does not occur in names, for example with sqlcmd -s \"|\""
                );
            yield return header
                .Zip(fields)
                .Where(pair => !pair.Second.Equals("NULL", StringComparison.OrdinalIgnoreCase))
                .DistinctBy(pair => pair.First, StringComparer.OrdinalIgnoreCase)
                .ToDictionary(pair => pair.First, pair => (object?)pair.Second, StringComparer.OrdinalIgnoreCase);
        }
        if (header is null && number > 0)
            throw IoBenchException.InvalidData(
                "IoBench.InvalidFileStats",
                $"{name} has no line with the column names of sys.dm_io_virtual_file_stats, such as database_id and sample_ms.",
                name,
                advice: "Include the column names when you save the query result."
            );
    }

    /// <summary>Skips the type line of Windows PowerShell and the separator line of Excel.</summary>
    private static bool IsSkipped(string line) =>
        line.AsSpan().IsWhiteSpace()
        || line.StartsWith('#')
        || line.StartsWith("sep=", StringComparison.OrdinalIgnoreCase)
        || GetFooterRegex().IsMatch(line);

    /// <summary>Dashes that sqlcmd and Management Studio print below the column names.</summary>
    private static bool IsRuler(string line) =>
        line.Contains('-', StringComparison.Ordinal) && line.Trim('-', ',', ';', '\t', '|', ' ').Length == 0;

    private static bool IsHeader(string line) =>
        (
            line.Contains("database_id", StringComparison.OrdinalIgnoreCase)
            || line.Contains("sample_ms", StringComparison.OrdinalIgnoreCase)
            || line.Contains("num_of_reads", StringComparison.OrdinalIgnoreCase)
        )
        || line.Contains("DatabaseId", StringComparison.OrdinalIgnoreCase) && line.Contains("FileId", StringComparison.OrdinalIgnoreCase);

    private static (List<string> Names, char Separator) ParseHeader(string line)
    {
        var separator = s_separators.MaxBy(c => line.Count(letter => letter == c));
        return line.Contains(separator, StringComparison.Ordinal)
            ? (SplitFields(line, separator), separator)
            : ([.. line.Split(' ', StringSplitOptions.RemoveEmptyEntries)], '\0');
    }

    private static char? FindQuerySeparator(string line)
    {
        foreach (var separator in s_separators)
        {
            if (
                SplitFields(line, separator) is { } fields
                // Files of earlier versions of the query have no sizes.
                && (fields.Count == s_queryColumns.Length || fields.Count == s_queryColumns.Length - 1)
                && GetDateRegex().IsMatch(fields[0].Split(' ', 'T')[0])
                && fields[2].All(char.IsAsciiDigit)
                && fields[3].All(char.IsAsciiDigit)
            )
                return separator;
        }
        return null;
    }

    private static List<int> GetColumns(string ruler)
    {
        List<int> starts = [];
        for (var i = 0; i < ruler.Length; i++)
        {
            if (ruler[i] == '-' && (i == 0 || ruler[i - 1] == ' '))
                starts.Add(i);
        }
        return starts;
    }

    private static bool IsAligned(string line, List<int> columns) =>
        columns.TrueForAll(start => start == 0 || (start < line.Length && line[start - 1] == ' '));

    private static List<string> SplitColumns(string line, List<int> columns) =>
        [.. columns.Select((start, i) => line[start..(i + 1 < columns.Count ? columns[i + 1] : line.Length)].Trim())];

    /// <summary>Splits a line that sqlcmd -W wrote with spaces. A time has two words, and the file name is what remains.</summary>
    private static List<string> SplitWords(string line, List<string> header)
    {
        var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var name = header.FindIndex(column => column.Equals("physical_name", StringComparison.OrdinalIgnoreCase));
        List<string> fields = [];
        var at = 0;
        while (at < words.Length && fields.Count < (name < 0 ? header.Count : name))
        {
            var isTime = GetDateRegex().IsMatch(words[at]) && at + 1 < words.Length && GetTimeRegex().IsMatch(words[at + 1]);
            fields.Add(isTime ? $"{words[at]} {words[at + 1]}" : words[at]);
            at += isTime ? 2 : 1;
        }
        if (name < 0)
            return at == words.Length ? fields : [];
        var end = words.Length - (header.Count - name - 1);
        return end <= at ? [] : [.. fields, string.Join(' ', words[at..end]), .. words[end..]];
    }

    private static List<string> SplitFields(string line, char separator)
    {
        List<string> fields = [];
        var field = new StringBuilder();
        var quoted = false;
        for (var i = 0; i < line.Length; i++)
        {
            var c = line[i];
            if (c == '"' && quoted && i + 1 < line.Length && line[i + 1] == '"')
                field.Append(line[++i]);
            else if (c == '"')
                quoted = !quoted;
            else if (c == separator && !quoted)
            {
                fields.Add(field.ToString().Trim());
                field.Clear();
            }
            else
                field.Append(c);
        }
        fields.Add(field.ToString().Trim());
        return fields;
    }

    private static IoBenchException CreateError(string name, int line, string what) =>
        IoBenchException.InvalidData("IoBench.InvalidFileStats", $"{name} line {NumberFormat.Integer(line)}: {what}.", name);
}
