using IoBench.Engine;

namespace IoBench.Formats;

internal static class DiskSpdPercentileTable
{
    internal static readonly (string Name, double Percent)[] Rows =
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

    internal static bool IsHeader(ReadOnlySpan<char> line) => line.StartsWith("%-ile");

    internal static bool TryParseRow(ReadOnlySpan<char> line, List<IoPercentile> chart)
    {
        Span<Range> cells = stackalloc Range[5];
        if (DiskSpdTable<IoPercentile>.Split(line, cells) != 4 || chart.Count >= 2 * Rows.Length)
            return false;
        var name = line[cells[0]];
        foreach (var (known, percent) in Rows)
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
