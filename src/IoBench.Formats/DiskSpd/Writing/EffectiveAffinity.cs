using IoBench.Engine;

namespace IoBench.Formats;

internal static class DiskSpdProcessorLists
{
    /// <summary>
    /// Returns the processors of a run's threads, in order of the threads; null if threads were not bound, or if the processors are
    /// unknown.
    /// </summary>
    internal static List<int>? GetEffectiveProcessors(IoTestResult result)
    {
        if (result.ToolDetails.TryGetValue(DiskSpdPropertyNames.EffectiveAffinity, out var text))
        {
            var read = new List<int>();
            return DiskSpdProcessorLists.TryReadList(text.AsSpan(text.IndexOf(':', StringComparison.Ordinal) + 1), read) ? read : null;
        }
        if (result.Specification is not { AffinityMode: IoAffinityMode.RoundRobin } test)
            return null;
        var all =
            test.Processors.Count > 0
                ? test.Processors
                : result.Processors.ConvertAll(p => DiskSpdProcessorLists.GetNumber(p.Group ?? 0, p.Processor));
        return [.. all.Take(result.ThreadCount ?? int.MaxValue)];
    }
}
