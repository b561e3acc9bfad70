using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Reads the table of processors. The columns Socket, Node, Group, Core, and Class precede CPU if the computer has several of them.
/// diskspd-for-linux has the
/// column IO Wait before Idle.
/// </summary>
internal sealed class CpuTable
{
    private const int MaxColumns = 16;
    private const int MaxRows = 65536;

    private enum Column
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

    private readonly Column[] _columns = new Column[MaxColumns];
    private int _columnCount;

    internal static bool IsHeader(ReadOnlySpan<char> line) =>
        line.IndexOf("Usage") > 0 && line.IndexOf("Kernel") > 0 && line.IndexOf("CPU") >= 0;

    internal void TakeHeader(ReadOnlySpan<char> line)
    {
        Span<Range> cells = stackalloc Range[MaxColumns];
        _columnCount = TableCells.Split(line, cells);
        for (var i = 0; i < _columnCount; i++)
        {
            _columns[i] = line[cells[i]] switch
            {
                "Socket" => Column.Socket,
                "Node" => Column.Node,
                "Group" => Column.Group,
                "Core" => Column.Core,
                "Class" => Column.Class,
                "CPU" => Column.Processor,
                "Usage" => Column.Usage,
                "User" => Column.User,
                "Kernel" => Column.Kernel,
                "Idle" => Column.Idle,
                _ => Column.Other,
            };
        }
    }

    internal bool TakeRow(ReadOnlySpan<char> line, DiskSpdSpan span)
    {
        if (line.StartsWith("avg"))
            return TakeAverage(line, span);
        Span<Range> cells = stackalloc Range[MaxColumns];
        var count = TableCells.Split(line, cells);
        if (count < 2 || count > _columnCount || span.Processors.Count >= MaxRows)
            return false;
        var load = new IoProcessorLoad();
        var isLoad = false;
        for (var i = 0; i < count; i++)
        {
            var cell = line[cells[i]];
            switch (_columns[i])
            {
                case Column.Socket:
                    load.Socket = Numbers.LeadingInt(cell);
                    break;
                case Column.Node:
                    load.Node = Numbers.LeadingInt(cell);
                    break;
                case Column.Group:
                    load.Group = Numbers.LeadingInt(cell);
                    break;
                case Column.Core:
                    load.Core = Numbers.LeadingInt(cell);
                    break;
                case Column.Class:
                    load.EfficiencyClass = Numbers.LeadingInt(cell);
                    break;
                case Column.Processor when Numbers.LeadingInt(cell) is int processor:
                    load.Processor = processor;
                    isLoad = true;
                    break;
                case Column.Usage:
                    load.UsagePercent = Numbers.Percent(cell);
                    break;
                case Column.User:
                    load.UserPercent = Numbers.Percent(cell);
                    break;
                case Column.Kernel:
                    load.KernelPercent = Numbers.Percent(cell);
                    break;
                case Column.Idle:
                    load.IdlePercent = Numbers.Percent(cell);
                    break;
            }
        }
        if (!isLoad || load.UsagePercent is null)
            return false;
        span.Processors.Add(load);
        return true;
    }

    private static bool TakeAverage(ReadOnlySpan<char> line, DiskSpdSpan span)
    {
        // "avg.|  99.67%| ..." and, from diskspd-for-linux, "avg:	 77.01% | ...".
        var usage = line[Math.Min(4, line.Length)..].TrimStart("| \t");
        var end = usage.IndexOf('%');
        if (end < 0 || Numbers.Percent(usage[..end]) is not double percent)
            return false;
        span.CpuPercent = percent;
        return true;
    }
}
