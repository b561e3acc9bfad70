using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Flat row of a result for a table: the same columns for every result, in the order of the CSV file.</summary>
public static class ResultRow
{
    /// <summary>Numbers and times unchanged, enums as text, warnings separated by <c>; </c>, null for unknown values.</summary>
    public static IEnumerable<KeyValuePair<string, object?>> GetValues(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return MetricCatalog.All.Select(metric =>
            KeyValuePair.Create(
                metric.Name,
                metric.Value(result) switch
                {
                    List<string> lines => lines.Count > 0 ? string.Join("; ", lines) : null,
                    Enum word => word.ToString(),
                    var value => value,
                }
            )
        );
    }
}
