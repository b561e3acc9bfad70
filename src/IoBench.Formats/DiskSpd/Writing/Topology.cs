namespace IoBench.Formats.DiskSpd.Writing;

/// <summary>Counts of processors, cores, groups, nodes and sockets of the computer, where the result has them.</summary>
internal static class Topology
{
    /// <summary>DiskSpd's names of the counts in the order it prints them.</summary>
    internal static readonly string[] Names = ["cpu count", "core count", "group count", "node count", "socket count"];

    /// <summary>A count as text; null when it is not known.</summary>
    internal static string? Count(IoTestResult result, string name)
    {
        if (result.Host.TryGetValue(name, out var known))
            return known;
        var all = result.Processors;
        if (all.Count == 0)
            return null;
        int? count = name switch
        {
            "cpu count" => all.Count,
            "core count" when all.TrueForAll(p => p.Core is not null) => all.Select(p => (p.Group, p.Core)).Distinct().Count(),
            "group count" when all.TrueForAll(p => p.Group is not null) => all.Select(p => p.Group).Distinct().Count(),
            "node count" when all.TrueForAll(p => p.Node is not null) => all.Select(p => p.Node).Distinct().Count(),
            "socket count" when all.TrueForAll(p => p.Socket is not null) => all.Select(p => p.Socket).Distinct().Count(),
            _ => null,
        };
        return count is null ? null : Figures.Whole(count);
    }

    /// <summary>y where cores differ, n where they do not; null when the result does not say.</summary>
    internal static string? Heterogeneous(IoTestResult result) =>
        result.Host.GetValueOrDefault("heterogeneous cores") ?? (result.Processors.Exists(p => p.EfficiencyClass is not null) ? "y" : null);

    /// <summary>The processor's name; 2.3's word where it is not known.</summary>
    internal static string ProcessorName(IoTestResult result) =>
        result.Host.GetValueOrDefault("processor name") ?? result.Host.GetValueOrDefault("Processor") ?? "<unknown>";

    /// <summary>Bytes of a page of memory; null where the result does not say.</summary>
    internal static long? PageSize(IoTestResult result)
    {
        if (result.Host.TryGetValue("page size", out var text))
            return DiskSpdSize.TryParse(text, out var bytes, out _) ? bytes : null;
        return result.Source == IoTestResult.OwnSource ? Environment.SystemPageSize : null;
    }
}
