using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class CsvRowReader(IReadOnlyList<CsvColumn?> columns, CsvLocale style)
{
    private const int MaxShown = 40;

    private SkippedCells _numbers;
    private SkippedCells _times;

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
                $"line {NumberFormat.Integer(line)}: '{shown}' is not {(cell == CsvCellStatus.Invalid ? "a" : "an unambiguous")} value of {column.Name}."
            );
            if (cell == CsvCellStatus.DoubtfulNumber)
                _numbers = _numbers.Add(column.Name, shown, line);
            else if (cell == CsvCellStatus.DoubtfulTime)
                _times = _times.Add(column.Name, shown, line);
        }
        if (fields.Count != columns.Count)
            warnings.Add(
                $"line {NumberFormat.Integer(line)}: {NumberFormat.Pluralize(fields.Count, "field")} for {NumberFormat.Pluralize(columns.Count, "column")}."
            );
        result.Source = ResultFormats.NormalizeSource(result.Source);
        result.Warnings.AddRange(warnings);
        return result;
    }

    public IEnumerable<string> DescribeSkippedCells(string name)
    {
        const string remedy = "CSV and JSON files that IoBench writes are the same in all languages and regions.";
        if (_numbers.Count > 0)
            yield return $"{name}: {_numbers.Describe("number")}, because the file does not show whether commas and points separate decimals or thousands. {remedy}";
        if (style.AssumesMonthFirst)
            yield return $"{name}: IoBench reads times with the month first (US format), because the file does not show whether the day is first. {remedy}";
        if (_times.Count > 0)
            yield return $"{name}: {_times.Describe("time")}, because the file does not show the order of day and month, or the calendar. {remedy}";
    }

    private static string Shorten(string text) => string.Concat(text.Take(MaxShown).Select(c => char.IsControl(c) ? ' ' : c));

    private readonly record struct SkippedCells(int Count, string? First)
    {
        public SkippedCells Add(string column, string text, int line) =>
            new(Count + 1, First ?? $"line {NumberFormat.Integer(line)}: {column} '{text}'");

        public string Describe(string what) => $"IoBench ignores {NumberFormat.Pluralize(Count, what)} (first: {First})";
    }
}
