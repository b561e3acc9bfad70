namespace IoBench.Formats.Results;

/// <summary>A result as a flat row for a table: the same columns from every result, in the order of the CSV.</summary>
public static class ResultRow
{
    /// <summary>Names and values: numbers and times as they are, words of a fixed list as text, warnings joined by <c>; </c>; null where it is not known.</summary>
    public static IEnumerable<KeyValuePair<string, object?>> Of(IoTestResult result)
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
