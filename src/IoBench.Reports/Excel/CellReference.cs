using System.Globalization;

namespace IoBench.Reports.Excel;

/// <summary>Names of columns, cells and ranges.</summary>
internal static class CellReference
{
    /// <summary>The letters of a column, from 0: A, B … Z, AA.</summary>
    public static string Column(int index)
    {
        var name = "";
        for (var rest = index + 1; rest > 0; rest = (rest - 1) / 26)
            name = (char)('A' + (rest - 1) % 26) + name;
        return name;
    }

    /// <summary>A cell by column from 0 and row from 1: <c>B3</c>.</summary>
    public static string Cell(int column, int row) => Column(column) + row.ToString(CultureInfo.InvariantCulture);

    /// <summary>A range of cells: <c>A3:I12</c>.</summary>
    public static string Range(int firstColumn, int firstRow, int lastColumn, int lastRow) =>
        $"{Cell(firstColumn, firstRow)}:{Cell(lastColumn, lastRow)}";

    /// <summary>A cell or range that stays as it is when copied: <c>$A$3:$A$12</c>.</summary>
    public static string Fixed(int firstColumn, int firstRow, int lastColumn, int lastRow) =>
        string.Create(CultureInfo.InvariantCulture, $"${Column(firstColumn)}${firstRow}:${Column(lastColumn)}${lastRow}");

    /// <summary>The name of a sheet in a formula, quoted.</summary>
    public static string Sheet(string name) => "'" + name.Replace("'", "''", StringComparison.Ordinal) + "'!";
}
