using IoBench.Analysis;

namespace IoBench.Reports;

internal static class HeatMap
{
    /// <returns>A sentence; null if the map shows no stalls.</returns>
    public static string? DescribeStalls(HeatMap map) =>
        StallPattern.Create(map.Ends, [.. map.Counts.Select(column => column.Sum())])?.Describe(map.Name);
}
