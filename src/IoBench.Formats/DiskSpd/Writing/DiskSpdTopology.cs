using IoBench.Engine;

namespace IoBench.Formats;

internal static class DiskSpdTopology
{
    internal static readonly string[] CountNames = ["cpu count", "core count", "group count", "node count", "socket count"];

    internal static string? GetCount(IoTestResult result, string name)
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
        return count is null ? null : NumberFormat.Integer(count);
    }

    /// <summary>Returns y if cores are of different kinds, n if not, and null if unknown.</summary>
    internal static string? GetHeterogeneous(IoTestResult result) =>
        result.Host.GetValueOrDefault("heterogeneous cores") ?? (result.Processors.Exists(p => p.EfficiencyClass is not null) ? "y" : null);

    internal static string GetProcessorName(IoTestResult result) =>
        result.Host.GetValueOrDefault("processor name") ?? result.Host.GetValueOrDefault("Processor") ?? "<unknown>";

    internal static long? GetPageSize(IoTestResult result)
    {
        if (result.Host.TryGetValue("page size", out var text))
            return DiskSpdValueFormat.TryParseSize(text, out var bytes, out _) ? bytes : null;
        return result.Source == IoTestResult.OwnSource ? Environment.SystemPageSize : null;
    }
}
