namespace IoBench.Reports.Sections;

/// <summary>A column of the Details sheet.</summary>
/// <param name="Header">The property's name, with its unit.</param>
/// <param name="IsNumber">Whether it holds numbers.</param>
/// <param name="Cell">The cell for a result.</param>
internal sealed record DetailColumn(string Header, bool IsNumber, Func<IoTestResult, CellValue> Cell);

/// <summary>Every flat property of a result in the order of the documentation, with its unit.</summary>
internal static class DetailColumns
{
    /// <summary>The columns, in the units in which throughput is shown.</summary>
    public static IReadOnlyList<DetailColumn> All => [.. MetricCatalog.All.Select(ColumnOf)];

    private static DetailColumn ColumnOf(ResultMetric metric)
    {
        var style = MetricCells.StyleOf(metric);
        if (metric.Figure is { } figure)
            return new(
                metric.ShownNameWithUnit,
                true,
                metric.IsThroughput ? result => CellValue.Of(Throughput.In(figure(result)), style)
                    : metric.IsMeasuredLatency ? result => RunText.LatencyCell(result, figure(result))
                    : result => CellValue.Of(figure(result), style)
            );
        if (metric.ValueType == typeof(DateTimeOffset))
            return new(metric.NameWithUnit, true, result => CellValue.Of((DateTimeOffset?)metric.Value(result)));
        return new(metric.NameWithUnit, false, result => CellValue.Of(TextOf(metric.Value(result))));
    }

    private static string? TextOf(object? value) =>
        value is List<string> lines
            ? lines.Count == 0
                ? null
                : string.Join("; ", lines)
            : value?.ToString();
}
