using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Socket, Node, Group, Core, and Class precede CPU if there are several. On Linux, IO Wait precedes Idle.</summary>
internal sealed class DiskSpdCpuTable
{
    private const int MaxColumns = 16;
    private const int MaxRows = 65536;

    private enum CpuColumn
    {
        Socket,
        Node,
        Group,
        Core,
        Class,
        Processor,
        Usage,
        User,
        Kernel,
        Idle,
        Other,
    }

    private readonly CpuColumn[] _columns = new CpuColumn[MaxColumns];
    private int _columnCount;

    internal static bool IsHeader(ReadOnlySpan<char> line) =>
        line.IndexOf("Usage") > 0 && line.IndexOf("Kernel") > 0 && line.IndexOf("CPU") >= 0;

    internal void ParseHeader(ReadOnlySpan<char> line)
    {
        Span<Range> cells = stackalloc Range[MaxColumns];
        _columnCount = DiskSpdTableCells.Split(line, cells);
        for (var i = 0; i < _columnCount; i++)
        {
            _columns[i] = line[cells[i]] switch
            {
                "Socket" => CpuColumn.Socket,
                "Node" => CpuColumn.Node,
                "Group" => CpuColumn.Group,
                "Core" => CpuColumn.Core,
                "Class" => CpuColumn.Class,
                "CPU" => CpuColumn.Processor,
                "Usage" => CpuColumn.Usage,
                "User" => CpuColumn.User,
                "Kernel" => CpuColumn.Kernel,
                "Idle" => CpuColumn.Idle,
                _ => CpuColumn.Other,
            };
        }
    }

    internal bool TryParseRow(ReadOnlySpan<char> line, DiskSpdTimespan span)
    {
        if (line.StartsWith("avg"))
            return TryParseAverage(line, span);
        Span<Range> cells = stackalloc Range[MaxColumns];
        var count = DiskSpdTableCells.Split(line, cells);
        if (count < 2 || count > _columnCount || span.Processors.Count >= MaxRows)
            return false;
        var load = new IoProcessorLoad();
        var isLoad = false;
        for (var i = 0; i < count; i++)
        {
            var cell = line[cells[i]];
            switch (_columns[i])
            {
                case CpuColumn.Socket:
                    load.Socket = ToolNumberParser.ParseLeadingInt32(cell);
                    break;
                case CpuColumn.Node:
                    load.Node = ToolNumberParser.ParseLeadingInt32(cell);
                    break;
                case CpuColumn.Group:
                    load.Group = ToolNumberParser.ParseLeadingInt32(cell);
                    break;
                case CpuColumn.Core:
                    load.Core = ToolNumberParser.ParseLeadingInt32(cell);
                    break;
                case CpuColumn.Class:
                    load.EfficiencyClass = ToolNumberParser.ParseLeadingInt32(cell);
                    break;
                case CpuColumn.Processor when ToolNumberParser.ParseLeadingInt32(cell) is int processor:
                    load.Processor = processor;
                    isLoad = true;
                    break;
                case CpuColumn.Usage:
                    load.UsagePercent = ToolNumberParser.ParsePercent(cell);
                    break;
                case CpuColumn.User:
                    load.UserPercent = ToolNumberParser.ParsePercent(cell);
                    break;
                case CpuColumn.Kernel:
                    load.KernelPercent = ToolNumberParser.ParsePercent(cell);
                    break;
                case CpuColumn.Idle:
                    load.IdlePercent = ToolNumberParser.ParsePercent(cell);
                    break;
            }
        }
        if (!isLoad || load.UsagePercent is null)
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
