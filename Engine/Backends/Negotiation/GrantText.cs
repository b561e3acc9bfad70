namespace IoBench.Engine.Backends.Negotiation;

/// <summary>What the workers of a run were granted, in words for its result.</summary>
internal static class GrantText
{
    /// <summary>What all have, and of what some have how many: <c>defer_taskrun, registered files; 3 of 4 with registered buffers</c>.</summary>
    /// <param name="details">What each worker has, its parts joined by <c>, </c>.</param>
    public static string Of(IReadOnlyCollection<string> details)
    {
        var each = details.Select(text => text.Split(", ", StringSplitOptions.RemoveEmptyEntries)).ToArray();
        var counts = each.SelectMany(parts => parts).GroupBy(part => part, StringComparer.Ordinal).ToArray();
        var all = string.Join(", ", counts.Where(part => part.Count() == each.Length).Select(part => part.Key));
        var some = string.Join(", ", counts.Where(part => part.Count() < each.Length).Select(part => $"{part.Count()} of {each.Length} with {part.Key}"));
        return string.Join("; ", new[] { all, some }.Where(text => text.Length > 0));
    }
}
