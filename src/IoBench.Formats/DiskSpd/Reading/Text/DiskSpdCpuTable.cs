using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Socket, Node, Group, Core, and Class precede CPU if there are several. On Linux, IO Wait precedes Idle.</summary>
internal static class DiskSpdCpuTable
{
    private const int MaxRows = 65536;

    internal static readonly Dictionary<string, DiskSpdCellSetter<IoProcessorLoad>> Columns = new()
    {
        ["Socket"] = (load, cell) => load.Socket = ToolNumberParser.ParseLeadingInt32(cell),
        ["Node"] = (load, cell) => load.Node = ToolNumberParser.ParseLeadingInt32(cell),
        ["Group"] = (load, cell) => load.Group = ToolNumberParser.ParseLeadingInt32(cell),
        ["Core"] = (load, cell) => load.Core = ToolNumberParser.ParseLeadingInt32(cell),
        ["Class"] = (load, cell) => load.EfficiencyClass = ToolNumberParser.ParseLeadingInt32(cell),
        ["CPU"] = (load, cell) => load.Processor = ToolNumberParser.ParseLeadingInt32(cell) ?? -1,
        ["Usage"] = (load, cell) => load.UsagePercent = ToolNumberParser.ParsePercent(cell),
        ["User"] = (load, cell) => load.UserPercent = ToolNumberParser.ParsePercent(cell),
        ["Kernel"] = (load, cell) => load.KernelPercent = ToolNumberParser.ParsePercent(cell),
        ["Idle"] = (load, cell) => load.IdlePercent = ToolNumberParser.ParsePercent(cell),
    };

    internal static bool IsHeader(ReadOnlySpan<char> line) =>
        line.IndexOf("Usage") > 0 && line.IndexOf("Kernel") > 0 && line.IndexOf("CPU") >= 0;

    internal static bool TryParseRow(DiskSpdTable<IoProcessorLoad> table, ReadOnlySpan<char> line, DiskSpdTimespan span)
    {
        if (line.StartsWith("avg"))
            return TryParseAverage(line, span);
        var count = line.Count('|') + 1;
        if (count < 2 || count > table.ColumnCount || span.Processors.Count >= MaxRows)
            return false;
        var load = new IoProcessorLoad { Processor = -1 };
        table.SetCells(line, 0, load, out _);
        if (load.Processor < 0 || load.UsagePercent is null)
            return false;
        span.Processors.Add(load);
        return true;
    }

    private static bool TryParseAverage(ReadOnlySpan<char> line, DiskSpdTimespan span)
    {
        // "avg.|  99.67%| ..." and, from diskspd-for-linux, "avg:	 77.01% | ...".
        var usage = line[Math.Min(4, line.Length)..].TrimStart("| \t");
        var end = usage.IndexOf('%');
        if (end < 0 || ToolNumberParser.ParsePercent(usage[..end]) is not double percent)
            return false;
        span.CpuPercent = percent;
        return true;
    }
}
