using IoBench.Analysis;

namespace IoBench.Reports;

internal static class Stalls
{
    /// <returns>A sentence; null if the map shows no stalls.</returns>
    public static string? Say(HeatMap map) => StallPattern.Of(map.Ends, [.. map.Counts.Select(column => column.Sum())])?.Say(map.Name);
}
