using IoBench.Engine;

namespace IoBench.Formats;

internal static class DiskSpdSystemMapper
{
    internal static void ReadSystem(DiskSpdXmlElement system, DiskSpdRun run)
    {
        run.ComputerName = system.GetText("ComputerName");
        run.ToolVersion = system["Tool"]?.GetText("Version");
        if (system.GetText("RunTime") is { } time)
            run.StartTime = DiskSpdValueFormat.ParseTime(time);
        if (system.GetText("ProcessorName") is { Length: > 0 } processor)
            run.Host["processor name"] = processor;
        if (ToolNumberParser.ParseInteger(system.GetText("PageSize") ?? "") is { } page)
            run.Host["page size"] = DiskSpdValueFormat.FormatSize23(page);
        if (system["ProcessorTopology"] is { } topology)
            ReadTopology(topology, run);
        if (system["PowerScheme"] is { } scheme)
        {
            var guid = scheme.GetAttribute("Guid");
            run.Host["active power scheme"] = scheme.GetAttribute("Name") + (guid.Length > 0 ? $" ({guid})" : "");
        }
    }

    private static void ReadTopology(DiskSpdXmlElement topology, DiskSpdRun run)
    {
        var groups = topology.Children.FindAll(c => c.Name == "Group");
        var processors = groups.Sum(g => ToolNumberParser.ParseLeadingInt32(g.GetAttribute("ActiveProcessors")) ?? 0L);
        SetCount(run, "cpu count", processors);
        // Before 2.2, the element of a core is HyperThread.
        SetCount(run, "core count", topology.Children.Count(c => c.Name is "Core" or "HyperThread"));
        SetCount(run, "group count", groups.Count);
        run.Host["node count"] = NumberFormat.Integer(topology.Children.Count(c => c.Name == "Node"));
        SetCount(run, "socket count", topology.Children.Count(c => c.Name == "Socket"));
        foreach (var cache in topology.Children.Where(c => c.Name == "Cache"))
            ReadCache(cache, run);
        if (topology.Attributes.TryGetValue("Heterogeneous", out var heterogeneous))
            run.Host["heterogeneous cores"] = heterogeneous == "true" ? "y" : "n";
    }

    /// <summary>Adds a cache in the format of the text output: <c>32KiB, lines of 64B, 8-way, CPU 0-7</c>.</summary>
    private static void ReadCache(DiskSpdXmlElement cache, DiskSpdRun run)
    {
        var kind = cache.GetAttribute("Type") switch
        {
            "Data" => "d",
            "Instruction" => "i",
            "Trace" => "t",
            "Unified" => "",
            _ => "?",
        };
        var processors = new List<int>();
        foreach (var group in cache.Children)
            DiskSpdProcessorLists.ReadGroupMask(group, processors);
        var associativity = cache.GetAttribute("Associativity");
        var list = DiskSpdProcessorLists.FormatList(processors);
        run.AddCache(
            "L" + cache.Attributes.GetValueOrDefault("Level", "?") + kind,
            $"{FormatSizeAttribute(cache, "CacheSize")}, lines of {FormatSizeAttribute(cache, "LineSize")}, {(associativity == "255" ? "full" : associativity + "-way")}, CPU {list[(list.IndexOf(' ', StringComparison.Ordinal) + 1)..]}"
        );
    }

    private static string FormatSizeAttribute(DiskSpdXmlElement element, string name) =>
        ToolNumberParser.ParseInteger(element.GetAttribute(name)) is { } bytes ? DiskSpdValueFormat.FormatSize23(bytes) : "?";

    private static void SetCount(DiskSpdRun run, string name, long count)
    {
        if (count > 0)
            run.Host[name] = NumberFormat.Integer(count);
    }

    internal static void ReadCpuLoad(DiskSpdXmlElement utilization, DiskSpdTimespan span)
    {
        foreach (var cpu in utilization.Children)
        {
            if (cpu.Name == "Average")
                span.CpuPercent = ParseDouble(cpu, "UsagePercent");
            else if (cpu.Name == "CPU" && ParseInt32(cpu, "Id") is int id)
                span.Processors.Add(CreateProcessor(cpu, id));
        }
        ClearUniformNumbers(span.Processors);
    }

    private static IoProcessorLoad CreateProcessor(DiskSpdXmlElement cpu, int id) =>
        new()
        {
            Processor = id,
            Group = ParseInt32(cpu, "Group"),
            Socket = ParseInt32(cpu, "Socket"),
            Node = ParseInt32(cpu, "Node"),
            Core = ParseInt32(cpu, "Core"),
            EfficiencyClass = ParseInt32(cpu, "EfficiencyClass"),
            UsagePercent = ParseDouble(cpu, "UsagePercent"),
            UserPercent = ParseDouble(cpu, "UserPercent"),
            KernelPercent = ParseDouble(cpu, "KernelPercent"),
            IdlePercent = ParseDouble(cpu, "IdlePercent"),
        };

    /// <summary>The text output has these columns only if there are several values.</summary>
    private static void ClearUniformNumbers(List<IoProcessorLoad> processors)
    {
        if (processors.TrueForAll(p => p.Group == processors[0].Group))
            processors.ForEach(p => p.Group = null);
        if (processors.TrueForAll(p => p.Socket == processors[0].Socket))
            processors.ForEach(p => p.Socket = null);
        if (processors.TrueForAll(p => p.Node == processors[0].Node))
            processors.ForEach(p => p.Node = null);
        if (processors.TrueForAll(p => p.EfficiencyClass == processors[0].EfficiencyClass))
            processors.ForEach(p => p.EfficiencyClass = null);
        var cores = processors.Select(p => (p.Group, p.Core)).Distinct().Count();
        if (cores == processors.Count)
            processors.ForEach(p => p.Core = null);
    }

    private static int? ParseInt32(DiskSpdXmlElement element, string name) =>
        element.GetText(name) is { } text ? ToolNumberParser.ParseLeadingInt32(text) : null;

    private static double? ParseDouble(DiskSpdXmlElement element, string name) => DiskSpdXmlElement.ParseReal(element.GetText(name));
}
