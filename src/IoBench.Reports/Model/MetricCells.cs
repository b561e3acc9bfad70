using IoBench.Engine;

namespace IoBench.Reports;

internal static class DetailsSection
{
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
