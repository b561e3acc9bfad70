using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats.DiskSpd.Writing;

/// <summary>Counts of processors, cores, groups, nodes and sockets of the computer, where the result tells them.</summary>
internal static class Topology
{
    /// <summary>DiskSpd's names of the counts in the order it prints them.</summary>
    internal static readonly string[] Names = ["cpu count", "core count", "group count", "node count", "socket count"];

    /// <summary>A count as text; null when nothing tells it.</summary>
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
        return count?.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>y where cores differ, n where they do not; null when nothing tells.</summary>
    internal static string? Heterogeneous(IoTestResult result) => result.Host.GetValueOrDefault("heterogeneous cores")
        ?? (result.Processors.Exists(p => p.EfficiencyClass is not null) ? "y" : null);
}
