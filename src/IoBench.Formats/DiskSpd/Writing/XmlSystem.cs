using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class XmlSystem(XmlLines xml, DiskSpdForm form)
{
    /// <summary>Maximum number of listed nodes, sockets, or cores: Windows has 64 groups of 64 processors.</summary>
    private const int MaxParts = 4096;

    private readonly bool _is23 = form == DiskSpdForm.Version23;

    internal void Write(IoTestResult result)
    {
        xml.Begin("System");
        xml.Element("ComputerName", result.ComputerName);
        if (_is23)
            xml.Element("ProcessorName", Topology.ProcessorName(result));
        xml.Begin("Tool");
        xml.Element(
            "Version",
            result.Source == DiskSpdFormat.XmlSource && result.ToolVersion is { } version ? version
                : _is23 ? "2.3.0"
                : "2.2.0"
        );
        xml.Element("VersionDate", _is23 ? "2026/09/04" : "2024/6/3");
        xml.End();
        xml.Element("RunTime", result.StartTime is { } time ? TimeText.Format(time) : "");
        if (result.Host.GetValueOrDefault("active power scheme") is { } scheme)
        {
            var open = scheme.EndsWith(')') ? scheme.LastIndexOf(" (", StringComparison.Ordinal) : -1;
            xml.Empty("PowerScheme", "Name", open < 0 ? scheme : scheme[..open], "Guid", open < 0 ? "" : scheme[(open + 2)..^1]);
        }
        if (_is23 && Topology.PageSize(result) is { } page)
            xml.Element("PageSize", page);
        WriteTopology(result);
        xml.End();
    }

    /// <summary>
    /// Writes groups, nodes, sockets, and cores if they are known. Without processors, only their numbers are known, so they have no masks.
    /// </summary>
    private void WriteTopology(IoTestResult result)
    {
        if (Topology.Count(result, "cpu count") is not { } processors)
            return;
        xml.Begin(
            "ProcessorTopology",
            "Heterogeneous",
            Topology.Heterogeneous(result) switch
            {
                "y" => "true",
                "n" => "false",
                _ => null,
            }
        );
        var groups = result
            .Processors.GroupBy(p => p.Group ?? 0)
            .OrderBy(g => g.Key)
            .Select(g => (g.Key, Count: Figures.Whole(g.Count())))
            .ToList();
        if (groups.Count <= 1)
            groups = [(groups.Count == 1 ? groups[0].Key : 0, processors)];
        foreach (var (group, count) in groups)
            xml.Empty(
                "Group",
                "Group",
                Figures.Whole(group),
                "MaximumProcessors",
                count,
                "ActiveProcessors",
                count,
                "ActiveProcessorMask",
                Mask(result.Processors.Where(p => (p.Group ?? 0) == group))
            );
        WriteMembers(result, "node count", "Node", p => p.Node);
        WriteMembers(result, "socket count", "Socket", p => p.Socket);
        WriteCores(result);
        xml.End();
    }

    private void WriteMembers(IoTestResult result, string countName, string name, Func<IoProcessorLoad, int?> member)
    {
        if (result.Processors.Count == 0 || !result.Processors.TrueForAll(p => member(p) is not null))
        {
            WriteParts(result, countName, name, i => [name, Figures.Whole(i)]);
            return;
        }
        foreach (var part in result.Processors.GroupBy(p => member(p)!.Value).OrderBy(g => g.Key))
        {
            xml.Begin(name, name, Figures.Whole(part.Key));
            foreach (var group in part.GroupBy(p => p.Group ?? 0).OrderBy(g => g.Key))
                xml.Empty("Group", "Group", Figures.Whole(group.Key), "Mask", Mask(group));
            xml.End();
        }
    }

    private void WriteCores(IoTestResult result)
    {
        if (result.Processors.Count == 0 || !result.Processors.TrueForAll(p => p.Core is not null))
        {
            WriteParts(result, "core count", "Core", i => ["Group", "0", "Core", Figures.Whole(i)]);
            return;
        }
        foreach (var core in result.Processors.GroupBy(p => (Group: p.Group ?? 0, p.Core)).OrderBy(g => g.Key))
            xml.Empty(
                "Core",
                "Group",
                Figures.Whole(core.Key.Group),
                "Core",
                Figures.Whole(core.Key.Core!.Value),
                "Mask",
                Mask(core),
                "EfficiencyClass",
                Figures.Whole(core.First().EfficiencyClass ?? 0)
            );
    }

    private static string? Mask(IEnumerable<IoProcessorLoad> processors)
    {
        ulong mask = 0;
        foreach (var p in processors)
            if (p.Processor is >= 0 and < 64)
                mask |= 1UL << p.Processor;
        return mask == 0 ? null : XmlLines.Mask(mask);
    }

    private void WriteParts(IoTestResult result, string countName, string name, Func<int, string?[]> attributes)
    {
        if (Numbers.LeadingInt(Topology.Count(result, countName) ?? "") is not int count)
            return;
        for (var i = 0; i < Math.Min(count, MaxParts); i++)
            xml.Empty(name, attributes(i));
    }
}
