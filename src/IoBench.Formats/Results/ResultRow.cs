using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Flat row of a result for a table: the same columns for every result, in the order of the CSV file.</summary>
public static class ResultRow
{
    /// <summary>Adds an apostrophe to text that a spreadsheet program would take for a formula.</summary>
    public static string GuardFormula(string text) => CsvColumn.AddFormulaGuard(text);

    /// <summary>Numbers and times unchanged, enums as text, warnings separated by <c>; </c>, null for unknown values.</summary>
    /// <param name="isForSpreadsheet">Whether an apostrophe guards text that could be a formula, as in the CSV file.</param>
    public static IEnumerable<KeyValuePair<string, object?>> GetValues(IoTestResult result, bool isForSpreadsheet = false)
    {
        ArgumentNullException.ThrowIfNull(result);
        return MetricCatalog.All.Select(metric =>
            KeyValuePair.Create(
                metric.Name,
                metric.Value(result) switch
                {
                    List<string> lines => lines.Count > 0 ? AddGuard(string.Join("; ", lines)) : null,
                    string text => AddGuard(text),
                    Enum word => word.ToString(),
                    var value => value,
                }
            )
        );

        string AddGuard(string text) => isForSpreadsheet ? CsvColumn.AddFormulaGuard(text) : text;
    }
}
