using IoBench.Engine;

namespace IoBench.Formats;

internal static class SystemMapper
{
    internal static void Map(XmlTree system, DiskSpdRun run)
    {
        run.ComputerName = system.TextOf("ComputerName");
        run.ToolVersion = system["Tool"]?.TextOf("Version");
        if (system.TextOf("RunTime") is { } time)
            run.StartTime = TimeText.Parse(time);
        if (system.TextOf("ProcessorName") is { Length: > 0 } processor)
            run.Host["processor name"] = processor;
        if (Numbers.Integer(system.TextOf("PageSize") ?? "") is { } page)
            run.Host["page size"] = DiskSpdSize.Format23(page);
        if (system["ProcessorTopology"] is { } topology)
            MapTopology(topology, run);
        if (system["PowerScheme"] is { } scheme)
        {
            var guid = scheme.Attributes.GetValueOrDefault("Guid", "");
            run.Host["active power scheme"] = scheme.Attributes.GetValueOrDefault("Name", "") + (guid.Length > 0 ? $" ({guid})" : "");
        }
    }

    private static void MapTopology(XmlTree topology, DiskSpdRun run)
    {
        var groups = topology.Children.FindAll(c => c.Name == "Group");
        var processors = groups.Sum(g => Numbers.LeadingInt(g.Attributes.GetValueOrDefault("ActiveProcessors", "")) ?? 0L);
        Set(run, "cpu count", processors);
        // Before 2.2, the element of a core is HyperThread.
        Set(run, "core count", topology.Children.Count(c => c.Name is "Core" or "HyperThread"));
        Set(run, "group count", groups.Count);
        run.Host["node count"] = Figures.Whole(topology.Children.Count(c => c.Name == "Node"));
        Set(run, "socket count", topology.Children.Count(c => c.Name == "Socket"));
        foreach (var cache in topology.Children.Where(c => c.Name == "Cache"))
            MapCache(cache, run);
        if (topology.Attributes.TryGetValue("Heterogeneous", out var heterogeneous))
            run.Host["heterogeneous cores"] = heterogeneous == "true" ? "y" : "n";
    }

    /// <summary>Adds a cache in the format of the text output: <c>32KiB, lines of 64B, 8-way, CPU 0-7</c>.</summary>
    private static void MapCache(XmlTree cache, DiskSpdRun run)
    {
        var kind = cache.Attributes.GetValueOrDefault("Type", "") switch
        {
            "Data" => "d",
            "Instruction" => "i",
            "Trace" => "t",
            "Unified" => "",
            _ => "?",
        };
        var processors = new List<int>();
        foreach (var group in cache.Children)
            GroupMask.TryRead(group, processors);
        var associativity = cache.Attributes.GetValueOrDefault("Associativity", "");
        var list = AffinityText.Entries(processors);
        HostCaches.Add(
            run,
            "L" + cache.Attributes.GetValueOrDefault("Level", "?") + kind,
            $"{Size(cache, "CacheSize")}, lines of {Size(cache, "LineSize")}, {(associativity == "255" ? "full" : associativity + "-way")}, CPU {list[(list.IndexOf(' ', StringComparison.Ordinal) + 1)..]}"
        );
    }

    private static string Size(XmlTree element, string name) =>
        Numbers.Integer(element.Attributes.GetValueOrDefault(name, "")) is { } bytes ? DiskSpdSize.Format23(bytes) : "?";

    private static void Set(DiskSpdRun run, string name, long count)
    {
        if (count > 0)
            run.Host[name] = Figures.Whole(count);
    }

    internal static void MapLoad(XmlTree utilization, DiskSpdSpan span)
    {
        foreach (var cpu in utilization.Children)
        {
            if (cpu.Name == "Average")
                span.CpuPercent = Real(cpu, "UsagePercent");
            else if (cpu.Name == "CPU" && Int(cpu, "Id") is int id)
                span.Processors.Add(MapProcessor(cpu, id));
        }
        Simplify(span.Processors);
    }

    private static IoProcessorLoad MapProcessor(XmlTree cpu, int id) =>
        new()
        {
            Processor = id,
            Group = Int(cpu, "Group"),
            Socket = Int(cpu, "Socket"),
            Node = Int(cpu, "Node"),
            Core = Int(cpu, "Core"),
            EfficiencyClass = Int(cpu, "EfficiencyClass"),
            UsagePercent = Real(cpu, "UsagePercent"),
            UserPercent = Real(cpu, "UserPercent"),
            KernelPercent = Real(cpu, "KernelPercent"),
            IdlePercent = Real(cpu, "IdlePercent"),
        };

    /// <summary>
    /// Clears group, node, socket, core, and class if there is only one, because the text output has them only if there are several.
    /// </summary>
    private static void Simplify(List<IoProcessorLoad> processors)
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

    private static int? Int(XmlTree element, string name) => element.TextOf(name) is { } text ? Numbers.LeadingInt(text) : null;

    private static double? Real(XmlTree element, string name) => element.TextOf(name) is { } text ? Numbers.Real(text) : null;
}
