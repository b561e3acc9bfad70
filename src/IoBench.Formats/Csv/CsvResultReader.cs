using System.Runtime.ExceptionServices;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads results from comma-separated values with the columns of <see cref="CsvResultWriter"/> in any order.</summary>
public static class CsvResultReader
{
    /// <summary>Maximum number of records that are read ahead to detect how the file writes numbers and times.</summary>
    private const int RecordsAhead = 1000;
    private const int CharactersAhead = 1 << 18;
    private const int FieldCharacters = 16;
    private static readonly Dictionary<string, CsvColumn> s_columns = CsvColumn.All.ToDictionary(
        c => c.Name,
        StringComparer.OrdinalIgnoreCase
    );

    private static readonly char[] s_separators = CsvRecordReader.Separators.ToCharArray();

    /// <summary>Properties that are objects. PowerShell's Export-Csv writes the name of their type.</summary>
    private static readonly HashSet<string> s_nested = typeof(IoTestResult)
        .GetProperties()
        .Select(p => p.Name)
        .Where(n => !s_columns.ContainsKey(n))
        .ToHashSet(StringComparer.OrdinalIgnoreCase);

    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        var header = GetHeaderLine(head);
        // Every text that IoBench reads passes this test, and most have no columns, so the cheap check comes first.
        return header.IndexOfAny(CsvRecordReader.Separators) >= 0
            && header.ToString().Split(s_separators).Count(name => s_columns.ContainsKey(name.Trim().Trim('"'))) >= 3;
    }

    /// <param name="note">Receives, after the last row, one message per kind of ambiguous value that was skipped; can be null.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidCsv</c>, with the line.</exception>
    public static IEnumerable<IoTestResult> Read(TextReader reader, string name, Action<string>? note = null)
    {
        ArgumentNullException.ThrowIfNull(reader);
        var records = new CsvRecordReader(reader, name);
        var header = records.Read();
        // Export-Csv of Windows PowerShell 5 starts with a line that names the type.
        while (header is not null && header[0].StartsWith("#TYPE", StringComparison.Ordinal))
            header = records.Read();
        if (header is null)
            yield break;
        var names = header.Select(h => h.Trim()).ToArray();
        var columns = names.Select(n => s_columns.GetValueOrDefault(n)).ToArray();
        if (Array.TrueForAll(columns, c => c is null))
            throw IoBenchException.InvalidData(
                "IoBench.InvalidCsv",
                $"{name} line {NumberFormat.Integer(records.RecordLine)}: the header contains no result column, such as IOPS or AverageLatencyMs.",
                name
            );
        var unknown = names.Where(n => n.Length > 0 && !s_columns.ContainsKey(n) && !s_nested.Contains(n)).ToArray();
        var headerWarning =
            unknown.Length == 0
                ? null
                : $"line {NumberFormat.Integer(records.RecordLine)}: IoBench ignores these columns, because they are not result columns: {string.Join(", ", unknown.Take(10))}.";
        var ahead = ReadAhead(records, out var failure);
        var row = new CsvRowReader(columns, CsvLocale.Detect(columns, ahead.Select(record => record.Fields)));
        foreach (var (fields, line) in ahead.Concat(ReadRemaining(records, failure)))
        {
            var result = row.Read(fields, line);
            if (headerWarning is not null)
                result.Warnings.Add(headerWarning);
            headerWarning = null;
            yield return result;
        }
        foreach (var doubt in row.DescribeSkippedCells(name))
            note?.Invoke(doubt);
    }

    private static List<(IReadOnlyList<string> Fields, int Line)> ReadAhead(CsvRecordReader records, out ExceptionDispatchInfo? failure)
    {
        List<(IReadOnlyList<string>, int)> ahead = [];
        failure = null;
        try
        {
            for (var characters = 0; ahead.Count < RecordsAhead && characters < CharactersAhead && records.Read() is { } fields; )
            {
                ahead.Add(([.. fields], records.RecordLine));
                characters += fields.Sum(field => field.Length + FieldCharacters);
            }
        }
        catch (Exception error) when (error is IoBenchException or IOException)
        {
            // The records before the error are still valid results.
            failure = ExceptionDispatchInfo.Capture(error);
        }
        return ahead;
    }

    private static IEnumerable<(IReadOnlyList<string> Fields, int Line)> ReadRemaining(
        CsvRecordReader records,
        ExceptionDispatchInfo? failure
    )
    {
        failure?.Throw();
        while (records.Read() is { } fields)
            yield return (fields, records.RecordLine);
    }

    private static ReadOnlySpan<char> GetHeaderLine(string head)
    {
        var text = head.AsSpan().TrimStart('\uFEFF');
        if (text.StartsWith("#TYPE", StringComparison.Ordinal))
            text = text[(text.IndexOf('\n') + 1)..];
        var end = text.IndexOfAny('\r', '\n');
        return end < 0 ? text : text[..end];
    }
}
