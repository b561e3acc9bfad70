using System.Globalization;

namespace IoBench.Reports;

internal static class CellReference
{
    /// <summary>Letters of a column from 0: A, B … Z, AA.</summary>
    public static string Column(int index)
    {
        var name = "";
        for (var rest = index + 1; rest > 0; rest = (rest - 1) / 26)
            name = (char)('A' + (rest - 1) % 26) + name;
        return name;
    }

    public static string Cell(int column, int row) => Column(column) + row.ToString(CultureInfo.InvariantCulture);

    public static string Range(int firstColumn, int firstRow, int lastColumn, int lastRow) =>
        $"{Cell(firstColumn, firstRow)}:{Cell(lastColumn, lastRow)}";

    public static string Fixed(int firstColumn, int firstRow, int lastColumn, int lastRow) =>
        string.Create(CultureInfo.InvariantCulture, $"${Column(firstColumn)}${firstRow}:${Column(lastColumn)}${lastRow}");

    public static string Sheet(string name) => "'" + name.Replace("'", "''", StringComparison.Ordinal) + "'!";
}
