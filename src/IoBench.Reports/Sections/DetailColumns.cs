using IoBench.Engine;

namespace IoBench.Reports;

internal sealed record DetailColumn(string Header, bool IsNumber, Func<IoTestResult, CellValue> Cell);

internal static class DetailsSection
{
    public static IReadOnlyList<DetailColumn> Columns => [.. MetricCatalog.All.Select(CreateColumn)];

    private static DetailColumn CreateColumn(ResultMetric metric)
    {
        var style = DetailsSection.GetStyle(metric);
        if (metric.Figure is { } figure)
            return new(
                metric.ShownNameWithUnit,
                true,
                metric.IsThroughput ? result => CellValue.Create(Throughput.ToUnit(figure(result)), style)
                    : metric.IsMeasuredLatency ? result => RunDescription.CreateLatencyCell(result, figure(result))
                    : result => CellValue.Create(figure(result), style)
            );
        if (metric.ValueType == typeof(DateTimeOffset))
            return new(metric.NameWithUnit, true, result => CellValue.Create((DateTimeOffset?)metric.Value(result)));
        return new(metric.NameWithUnit, false, result => CellValue.Create(FormatValue(metric.Value(result))));
    }

    private static string? FormatValue(object? value) =>
        value is List<string> lines
            ? lines.Count == 0
                ? null
                : string.Join("; ", lines)
            : value?.ToString();
}
