namespace IoBench.Reports.Model;

/// <summary>How the figures of the catalogue look in cells.</summary>
internal static class MetricCells
{
    /// <summary>The style with the metric's own decimals.</summary>
    public static CellStyle StyleOf(ResultMetric metric) =>
        metric.Decimals switch
        {
            0 => CellStyle.Whole,
            1 => CellStyle.OneDecimal,
            2 => CellStyle.TwoDecimals,
            3 => CellStyle.ThreeDecimals,
            _ => CellStyle.Number,
        };
}
