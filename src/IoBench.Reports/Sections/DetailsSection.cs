using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>Every flat property of every result, for lookup. Not printed.</summary>
internal static class DetailsSection
{
    private const double ColumnWidth = 24;

    public static ReportSection Build(ReportContext context)
    {
        var table = TableBlock.FromItems("Details", context.Results, Columns, keepsEmptyColumns: true) with { WrapsHeader = true };
        return new("Details", "Details: every value of every run", [table]) { FreezesHeader = true, IsPrinted = false };
    }

    public static IReadOnlyList<(TableColumn Column, Func<IoTestResult, CellValue> Cell)> Columns =>
        [.. MetricCatalog.All.Select(CreateColumn)];

    private static (TableColumn Column, Func<IoTestResult, CellValue> Cell) CreateColumn(ResultMetric metric)
    {
        var style = GetStyle(metric);
        if (metric.Figure is { } figure)
        {
            TableColumn column = new(metric.ShownNameWithUnit, MaxWidth: ColumnWidth);
            if (metric.IsThroughput)
                return (column, result => CellValue.Create(ThroughputDisplay.ToUnit(figure(result)), style));
            if (metric.IsMeasuredLatency)
                return (column, result => RunDescription.CreateLatencyCell(result, figure(result)));
            return (column, result => CellValue.Create(figure(result), style));
        }
        if (metric.ValueType == typeof(DateTimeOffset))
            return (new(metric.NameWithUnit, MaxWidth: ColumnWidth), result => CellValue.Create((DateTimeOffset?)metric.Value(result)));
        return (new(metric.NameWithUnit, false, ColumnWidth), result => CellValue.Create(FormatValue(metric.Value(result))));
    }

    private static string? FormatValue(object? value)
    {
        if (value is not List<string> lines)
            return value?.ToString();
        return lines.Count == 0 ? null : string.Join("; ", lines);
    }

    public static CellStyle GetStyle(ResultMetric metric) =>
        metric.Decimals switch
        {
            0 => CellStyle.Integer,
            1 => CellStyle.OneDecimal,
            2 => CellStyle.TwoDecimals,
            3 => CellStyle.ThreeDecimals,
            _ => CellStyle.Number,
        };
}
