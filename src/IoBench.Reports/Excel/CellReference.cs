using System.Globalization;

namespace IoBench.Reports;

internal static class CellReference
{
    public static string GetColumnName(int index)
    {
        var name = "";
        for (var rest = index + 1; rest > 0; rest = (rest - 1) / 26)
            name = (char)('A' + (rest - 1) % 26) + name;
        return name;
    }

    public static string GetCell(int column, int row) => GetColumnName(column) + row.ToString(CultureInfo.InvariantCulture);

    public static string GetRange(int firstColumn, int firstRow, int lastColumn, int lastRow) =>
        $"{GetCell(firstColumn, firstRow)}:{GetCell(lastColumn, lastRow)}";

    public static string GetAbsoluteRange(int firstColumn, int firstRow, int lastColumn, int lastRow) =>
        Invariant($"${GetColumnName(firstColumn)}${firstRow}:${GetColumnName(lastColumn)}${lastRow}");

    public static string QuoteSheetName(string name) => "'" + name.Replace("'", "''", StringComparison.Ordinal) + "'!";
}
