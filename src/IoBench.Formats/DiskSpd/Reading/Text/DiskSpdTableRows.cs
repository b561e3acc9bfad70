using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>The rows of two tables. In the table of CPUs, Socket, Node, Group, Core, and Class precede CPU if there are several. On Linux,
/// IO Wait precedes Idle.</summary>
internal static class DiskSpdTableRows
{
    private const int MaxRows = 65536;

    internal static readonly Dictionary<string, DiskSpdCellSetter<IoProcessorLoad>> CpuColumns = new()
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

    internal static bool IsCpuHeader(ReadOnlySpan<char> line) =>
        line.IndexOf("Usage") > 0 && line.IndexOf("Kernel") > 0 && line.IndexOf("CPU") >= 0;

    internal static bool TryParseCpuRow(DiskSpdTable<IoProcessorLoad> table, ReadOnlySpan<char> line, DiskSpdTimespan span)
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

    internal static readonly (string Name, double Percent)[] PercentileRows =
    [
        ("min", 0),
        ("25th", 25),
        ("50th", 50),
        ("75th", 75),
        ("90th", 90),
        ("95th", 95),
        ("99th", 99),
        ("3-nines", 99.9),
        ("4-nines", 99.99),
        ("5-nines", 99.999),
        ("6-nines", 99.9999),
        ("7-nines", 99.99999),
        ("8-nines", 99.999999),
        ("9-nines", 99.9999999),
        ("max", 100),
    ];

    internal static bool IsPercentileHeader(ReadOnlySpan<char> line) => line.StartsWith("%-ile");

    internal static bool TryParsePercentileRow(ReadOnlySpan<char> line, List<IoPercentile> chart)
    {
        Span<Range> cells = stackalloc Range[5];
        if (DiskSpdTable<IoPercentile>.Split(line, cells) != 4 || chart.Count >= 2 * PercentileRows.Length)
            return false;
        var name = line[cells[0]];
        foreach (var (known, percent) in PercentileRows)
        {
            if (!name.SequenceEqual(known))
                continue;
            var row = new IoPercentile { Percent = percent };
            if (
                !TryParseCell(line[cells[1]], out var read)
                || !TryParseCell(line[cells[2]], out var write)
                || !TryParseCell(line[cells[3]], out var total)
            )
                return false;
            row.ReadMs = read;
            row.WriteMs = write;
            row.TotalMs = total;
            chart.Add(row);
            return true;
        }
        return false;
    }

    private static bool TryParseCell(ReadOnlySpan<char> cell, out double? value)
    {
        value = ToolNumberParser.ParseReal(cell);
        return value is not null || cell is "N/A";
    }
}
