using IoBench.Engine;

namespace IoBench.Formats;

internal static class Topology
{
    internal static readonly string[] Names = ["cpu count", "core count", "group count", "node count", "socket count"];

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

    /// <summary>Returns y if cores are of different kinds, n if not, and null if unknown.</summary>
    internal static string? Heterogeneous(IoTestResult result) =>
        result.Host.GetValueOrDefault("heterogeneous cores") ?? (result.Processors.Exists(p => p.EfficiencyClass is not null) ? "y" : null);

    internal static string ProcessorName(IoTestResult result) =>
        result.Host.GetValueOrDefault("processor name") ?? result.Host.GetValueOrDefault("Processor") ?? "<unknown>";

    /// <summary>Returns the size of a memory page in bytes; null if unknown.</summary>
    internal static long? PageSize(IoTestResult result)
    {
        if (result.Host.TryGetValue("page size", out var text))
            return DiskSpdSize.TryParse(text, out var bytes, out _) ? bytes : null;
        return result.Source == IoTestResult.OwnSource ? Environment.SystemPageSize : null;
    }
}
