using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class CsvRowReader(IReadOnlyList<CsvColumn?> columns, CsvLocale style)
{
    private const int MaxShown = 40;

    private (int Count, string? First) _numbers;
    private (int Count, string? First) _times;

    public IoTestResult Read(IReadOnlyList<string> fields, int line)
    {
        var result = new IoTestResult();
        var warnings = new List<string>();
        for (var i = 0; i < Math.Min(columns.Count, fields.Count); i++)
        {
            if (columns[i] is not { } column || fields[i].Length == 0)
                continue;
            var text = column.IsText ? CsvColumn.RemoveFormulaGuard(fields[i]) : fields[i];
            var cell = column.TrySet(result, text, style);
            if (cell == CsvCellStatus.Read)
                continue;
            var shown = Shorten(text);
            warnings.Add(
                $"line {NumberFormat.Integer(line)}: '{shown}' is an {(cell == CsvCellStatus.Invalid ? "invalid" : "ambiguous")} value for {column.Name}."
            );
            var where = $"line {NumberFormat.Integer(line)}: {column.Name} '{shown}'";
            if (cell == CsvCellStatus.DoubtfulNumber)
                _numbers = (_numbers.Count + 1, _numbers.First ?? where);
            else if (cell == CsvCellStatus.DoubtfulTime)
                _times = (_times.Count + 1, _times.First ?? where);
        }
        if (fields.Count != columns.Count)
            warnings.Add(
                $"line {NumberFormat.Integer(line)}: the row has {NumberFormat.Pluralize(fields.Count, "field")}, but the header has {NumberFormat.Pluralize(columns.Count, "column")}."
            );
        result.Source = ResultFormats.NormalizeSource(result.Source);
        result.Warnings.AddRange(warnings);
        return result;
    }

    public IEnumerable<string> DescribeSkippedCells(string name)
    {
        const string remedy = "IoBench writes CSV and JSON files in the same format for all languages and regions.";
        if (_numbers.Count > 0)
            yield return $"{name}: {Describe(_numbers, "number")}, because the file does not show whether commas and points are decimal separators or thousands separators. {remedy}";
        if (style.AssumesMonthFirst)
            yield return $"{name}: IoBench reads dates with the month before the day (US format), because the file does not show which of the two is first. {remedy}";
        if (_times.Count > 0)
            yield return $"{name}: {Describe(_times, "time")}, because the file does not show the order of day and month, or which calendar it uses. {remedy}";
    }

    private static string Shorten(string text) => string.Concat(text.Take(MaxShown).Select(c => char.IsControl(c) ? ' ' : c));

    private static string Describe((int Count, string? First) cells, string what) =>
        $"IoBench ignores {NumberFormat.Pluralize(cells.Count, what)} (first: {cells.First})";
}
