namespace IoBench.Engine;

internal static class BackendNegotiation
{
    /// <summary>
    /// Lists the features that all workers have, and how many workers have the others: <c>defer_taskrun, registered files; 3 of 4 with
    /// registered buffers</c>.
    /// </summary>
    public static string DescribeFeatures(IReadOnlyCollection<IReadOnlyList<string>> each)
    {
        var counts = each.SelectMany(parts => parts).GroupBy(part => part, StringComparer.Ordinal).ToArray();
        var all = string.Join(", ", counts.Where(part => part.Count() == each.Count).Select(part => part.Key));
        var some = string.Join(
            ", ",
            counts.Where(part => part.Count() < each.Count).Select(part => $"{part.Count()} of {each.Count} with {part.Key}")
        );
        return string.Join("; ", new[] { all, some }.Where(text => text.Length > 0));
    }
}
