namespace IoBench.Reports.HeatMaps;

/// <summary>The stalls that are seen in a map.</summary>
internal static class Stalls
{
    /// <summary>What a map says about stalls, in a sentence; null when there are none.</summary>
    public static string? Say(HeatMap map) => StallPattern.Of(map.Ends, [.. map.Counts.Select(column => column.Sum())])?.Say(map.Name);
}
