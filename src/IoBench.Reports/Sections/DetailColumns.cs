using IoBench.Engine;

namespace IoBench.Reports;

internal sealed record DetailColumn(string Header, bool IsNumber, Func<IoTestResult, CellValue> Cell);

internal static class DetailColumns
{
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
