namespace IoBench.Engine.Backends.Negotiation;

/// <summary>What the workers of a run were granted, in words for its result.</summary>
internal static class GrantText
{
    /// <summary>What all have, and of what some have how many: <c>defer_taskrun, registered files; 3 of 4 with registered buffers</c>.</summary>
    /// <param name="each">What each worker has.</param>
    public static string Of(IReadOnlyCollection<IReadOnlyList<string>> each)
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
