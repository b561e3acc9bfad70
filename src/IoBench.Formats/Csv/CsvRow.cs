using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Converts records to results and counts ambiguous cells.</summary>
internal sealed class CsvRow(IReadOnlyList<CsvColumn?> columns, CsvStyle style)
{
    private const int MaxShown = 40;

    private Doubt _numbers;
    private Doubt _times;

    public IoTestResult Read(IReadOnlyList<string> fields, int line)
    {
        var result = new IoTestResult();
        var warnings = new List<string>();
        for (var i = 0; i < Math.Min(columns.Count, fields.Count); i++)
        {
            if (columns[i] is not { } column || fields[i].Length == 0)
                continue;
            var text = column.IsText ? CsvGuard.Remove(fields[i]) : fields[i];
            var cell = column.TrySet(result, text, style);
            if (cell == CsvCell.Read)
                continue;
            var shown = Short(text);
            warnings.Add(
                $"line {Figures.Whole(line)}: '{shown}' is not a value of {column.Name}{(cell == CsvCell.Wrong ? "" : " that can be read without doubt")}."
            );
            if (cell == CsvCell.DoubtfulNumber)
                _numbers = _numbers.And(column.Name, shown, line);
            else if (cell == CsvCell.DoubtfulTime)
                _times = _times.And(column.Name, shown, line);
        }
        if (fields.Count != columns.Count)
            warnings.Add(
                $"line {Figures.Whole(line)}: {Figures.Counted(fields.Count, "field")} for {Figures.Counted(columns.Count, "column")}."
            );
        result.Source = ResultFormats.SourceNamed(result.Source);
        result.Warnings.AddRange(warnings);
        return result;
    }

    /// <summary>Returns one line per kind of ambiguous value that was skipped.</summary>
    /// <param name="name">Name of the file.</param>
    public IEnumerable<string> Doubts(string name)
    {
        const string remedy = "IoBench's own CSV and JSON are read anywhere.";
        if (_numbers.Count > 0)
            yield return $"{name}: {_numbers.Words("number")}: the file does not show whether its commas and points stand before decimals or between thousands. {remedy}";
        if (style.TakesMonthFirst)
            yield return $"{name}: times are read with the month first, as the United States write them: the file does not show whether the day is first. {remedy}";
        if (_times.Count > 0)
            yield return $"{name}: {_times.Words("time")}: the file does not show the order of day and month, or the calendar. {remedy}";
    }

    private static string Short(string text) => string.Concat(text.Take(MaxShown).Select(c => char.IsControl(c) ? ' ' : c));

    private readonly record struct Doubt(int Count, string? First)
    {
        public Doubt And(string column, string text, int line) => new(Count + 1, First ?? $"line {Figures.Whole(line)}: {column} '{text}'");

        public string Words(string what) => $"{Figures.Counted(Count, what)} {(Count == 1 ? "is" : "are")} left out ({First})";
    }
}
