using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdXmlSystemWriter(IndentedXmlWriter xml, DiskSpdOutputVersion form)
{
    /// <summary>Maximum number of listed nodes, sockets, or cores: Windows has 64 groups of 64 processors.</summary>
    private const int MaxParts = 4096;

    private readonly bool _is23 = form == DiskSpdOutputVersion.Version23;

    internal void WriteSystem(IoTestResult result)
    {
        xml.BeginElement("System");
        xml.WriteElement("ComputerName", result.ComputerName);
        if (_is23)
            xml.WriteElement("ProcessorName", DiskSpdTopology.GetProcessorName(result));
        xml.BeginElement("Tool");
        xml.WriteElement(
            "Version",
            result.Source == DiskSpdFormat.XmlSource && result.ToolVersion is { } version ? version
                : _is23 ? "2.3.0"
                : "2.2.0"
        );
        xml.WriteElement("VersionDate", _is23 ? "2026/09/04" : "2024/6/3");
        xml.EndElement();
        xml.WriteElement("RunTime", result.StartTime is { } time ? DiskSpdValueFormat.FormatTime(time) : "");
        if (result.Host.GetValueOrDefault("active power scheme") is { } scheme)
        {
            var open = scheme.EndsWith(')') ? scheme.LastIndexOf(" (", StringComparison.Ordinal) : -1;
            xml.WriteEmptyElement(
                "PowerScheme",
                ("Name", open < 0 ? scheme : scheme[..open]),
                ("Guid", open < 0 ? "" : scheme[(open + 2)..^1])
            );
        }
        if (_is23 && DiskSpdTopology.GetPageSize(result) is { } page)
            xml.WriteElement("PageSize", page);
        WriteTopology(result);
        xml.EndElement();
    }

    /// <summary>Without processors, only the numbers of groups, nodes, sockets, and cores are known, so they have no masks.</summary>
    private void WriteTopology(IoTestResult result)
    {
        if (DiskSpdTopology.GetCount(result, "cpu count") is not { } processors)
            return;
        var heterogeneous = DiskSpdTopology.GetHeterogeneous(result);
        xml.BeginElement(
            "ProcessorTopology",
            (
                "Heterogeneous",
                heterogeneous is null ? null
                : heterogeneous == "y" ? "true"
                : "false"
            )
        );
        var groups = result
            .Processors.GroupBy(p => p.Group ?? 0)
            .OrderBy(g => g.Key)
            .Select(g => (g.Key, Count: NumberFormat.Integer(g.Count())))
            .ToList();
        if (groups.Count <= 1)
            groups = [(groups.Count == 1 ? groups[0].Key : 0, processors)];
        foreach (var (group, count) in groups)
            xml.WriteEmptyElement(
                "Group",
                ("Group", NumberFormat.Integer(group)),
                ("MaximumProcessors", count),
                ("ActiveProcessors", count),
                ("ActiveProcessorMask", FormatMask(result.Processors.Where(p => (p.Group ?? 0) == group)))
            );
        WriteMembers(result, "node count", "Node", p => p.Node);
        WriteMembers(result, "socket count", "Socket", p => p.Socket);
        WriteCores(result);
        xml.EndElement();
    }

    private void WriteMembers(IoTestResult result, string countName, string name, Func<IoProcessorLoad, int?> member)
    {
        if (result.Processors.Count == 0 || !result.Processors.TrueForAll(p => member(p) is not null))
        {
            WriteParts(result, countName, name, i => [(name, NumberFormat.Integer(i))]);
            return;
        }
        foreach (var part in result.Processors.GroupBy(p => member(p)!.Value).OrderBy(g => g.Key))
        {
            xml.BeginElement(name, (name, NumberFormat.Integer(part.Key)));
            foreach (var group in part.GroupBy(p => p.Group ?? 0).OrderBy(g => g.Key))
                xml.WriteEmptyElement("Group", ("Group", NumberFormat.Integer(group.Key)), ("Mask", FormatMask(group)));
            xml.EndElement();
        }
    }

    private void WriteCores(IoTestResult result)
    {
        if (result.Processors.Count == 0 || !result.Processors.TrueForAll(p => p.Core is not null))
        {
            WriteParts(result, "core count", "Core", i => [("Group", "0"), ("Core", NumberFormat.Integer(i))]);
            return;
        }
        foreach (var core in result.Processors.GroupBy(p => (Group: p.Group ?? 0, p.Core)).OrderBy(g => g.Key))
            xml.WriteEmptyElement(
                "Core",
                ("Group", NumberFormat.Integer(core.Key.Group)),
                ("Core", NumberFormat.Integer(core.Key.Core!.Value)),
                ("Mask", FormatMask(core)),
                ("EfficiencyClass", NumberFormat.Integer(core.First().EfficiencyClass ?? 0))
            );
    }

    private static string? FormatMask(IEnumerable<IoProcessorLoad> processors)
    {
        ulong mask = 0;
        foreach (var p in processors)
            if (p.Processor is >= 0 and < 64)
                mask |= 1UL << p.Processor;
        return mask == 0 ? null : IndentedXmlWriter.FormatMask(mask);
    }

    private void WriteParts(IoTestResult result, string countName, string name, Func<int, (string, string?)[]> attributes)
    {
        if (ToolNumberParser.ParseLeadingInt32(DiskSpdTopology.GetCount(result, countName) ?? "") is not int count)
            return;
        for (var i = 0; i < Math.Min(count, MaxParts); i++)
            xml.WriteEmptyElement(name, attributes(i));
    }
}
