using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>Every flat property of every result, for lookup. Not printed.</summary>
internal static class DetailsSection
{
    public static ReportSection Build(ReportContext context)
    {
        var results = context.Results;
        var columns = DetailsSection.Columns;
        var table = new TableBlock(
            "Details",
            [.. columns.Select(column => new TableColumn(column.Header, column.IsNumber, 24))],
            results.Count,
            (index, cells) =>
            {
                for (var column = 0; column < columns.Count; column++)
                    cells[column] = columns[column].Cell(results[index]);
            }
        )
        {
            WrapsHeader = true,
        };
        return new("Details", "Details: every figure of every run", [table]) { FreezesHeader = true, IsPrinted = false };
    }

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

    public static CellStyle GetStyle(ResultMetric metric) =>
        metric.Decimals switch
        {
            0 => CellStyle.Whole,
            1 => CellStyle.OneDecimal,
            2 => CellStyle.TwoDecimals,
            3 => CellStyle.ThreeDecimals,
            _ => CellStyle.Number,
        };
}

internal sealed record DetailColumn(string Header, bool IsNumber, Func<IoTestResult, CellValue> Cell);
