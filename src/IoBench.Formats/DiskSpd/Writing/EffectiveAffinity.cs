namespace IoBench.Formats.DiskSpd.Writing;

/// <summary>The processors that a run's threads were bound to, in order of the threads.</summary>
internal static class EffectiveAffinity
{
    /// <summary>The processors; null where threads were not bound, or it is not known to which.</summary>
    internal static List<int>? Processors(IoTestResult result)
    {
        if (result.ToolDetails.TryGetValue(DetailNames.EffectiveAffinity, out var text))
        {
            var read = new List<int>();
            return AffinityText.TryRead(text.AsSpan(text.IndexOf(':', StringComparison.Ordinal) + 1), read) ? read : null;
        }
        if (result.Specification is not { AffinityMode: IoAffinityMode.RoundRobin } test)
            return null;
        var all =
            test.Processors.Count > 0
                ? test.Processors
                : result.Processors.ConvertAll(p => ProcessorNumber.InGroup(p.Group ?? 0, p.Processor));
        return [.. all.Take(result.ThreadCount ?? int.MaxValue)];
    }
}
