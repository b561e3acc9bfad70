using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads results from comma-separated values with the columns of <see cref="CsvResultWriter"/>, in any order.</summary>
public static class CsvResultReader
{
    private static readonly Dictionary<string, CsvColumn> s_columns = CsvColumn.All.ToDictionary(c => c.Name, StringComparer.OrdinalIgnoreCase);

    /// <summary>Properties with objects in them: PowerShell's Export-Csv writes their type's name.</summary>
    private static readonly HashSet<string> s_nested = typeof(IoTestResult).GetProperties().Select(p => p.Name)
        .Where(n => !s_columns.ContainsKey(n)).ToHashSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>True when a text that begins like this has a header of result columns.</summary>
    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        var header = Header(head);
        // Each text that is read is asked: most have no columns at all.
        var separators = header.AsSpan();
        return separators.Count(',') + separators.Count(';') + separators.Count('\t') >= 2
            && header.Split(',', ';', '\t').Count(name => s_columns.ContainsKey(name.Trim().Trim('"'))) >= 3;
    }

    /// <summary>Reads results row by row.</summary>
    /// <param name="name">Name of the text, for messages.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidCsv</c> with the line.</exception>
    public static IEnumerable<IoTestResult> Read(TextReader reader, string name)
    {
        ArgumentNullException.ThrowIfNull(reader);
        var records = new CsvRecordReader(reader, name);
        var header = records.Read();
        // PowerShell 5's Export-Csv begins with a line on the type.
        while (header is not null && header[0].StartsWith("#TYPE", StringComparison.Ordinal))
            header = records.Read();
        if (header is null)
            yield break;
        var names = header.Select(h => h.Trim()).ToArray();
        var columns = names.Select(n => s_columns.GetValueOrDefault(n)).ToArray();
        if (Array.TrueForAll(columns, c => c is null))
            throw IoBenchException.InvalidData("IoBench.InvalidCsv", $"{name} line {Figures.Whole(records.RecordLine)}: the header names no column of results, such as IOPS or AverageLatencyMs.", name);
        var unknown = names.Where(n => n.Length > 0 && !s_columns.ContainsKey(n) && !s_nested.Contains(n)).ToArray();
        var headerWarning = unknown.Length == 0 ? null
            : $"line {Figures.Whole(records.RecordLine)}: not a column of results, left out: {string.Join(", ", unknown.Take(10))}.";
        while (records.Read() is { } fields)
        {
            var result = ToResult(columns, fields, records.RecordLine);
            if (headerWarning is not null)
                result.Warnings.Add(headerWarning);
            headerWarning = null;
            yield return result;
        }
    }

    private static IoTestResult ToResult(CsvColumn?[] columns, IReadOnlyList<string> fields, int line)
    {
        var result = new IoTestResult();
        var warnings = new List<string>();
        for (var i = 0; i < Math.Min(columns.Length, fields.Count); i++)
        {
            if (columns[i] is not { } column || fields[i].Length == 0)
                continue;
            var text = column.IsText ? CsvGuard.Remove(fields[i]) : fields[i];
            if (!column.TrySet(result, text))
                warnings.Add($"line {Figures.Whole(line)}: '{Short(text)}' is not a value of {column.Name}.");
        }
        if (fields.Count != columns.Length)
            warnings.Add($"line {Figures.Whole(line)}: {Figures.Counted(fields.Count, "field")} for {Figures.Counted(columns.Length, "column")}.");
        result.Source = ResultFormats.SourceNamed(result.Source);
        result.Warnings.AddRange(warnings);
        return result;
    }

    private static string Short(string text) => string.Concat(text.Take(40).Select(c => char.IsControl(c) ? ' ' : c));

    private static string Header(string head)
    {
        var text = head.AsSpan().TrimStart('\uFEFF');
        if (text.StartsWith("#TYPE", StringComparison.Ordinal))
            text = text[(text.IndexOf('\n') + 1)..];
        var end = text.IndexOfAny('\r', '\n');
        return (end < 0 ? text : text[..end]).ToString();
    }
}
