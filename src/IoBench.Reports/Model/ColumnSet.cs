namespace IoBench.Reports;

internal static class TableBlock
{
    /// <summary>Later items do not decide whether a column is empty.</summary>
    private const int MaxInspectedItems = 2000;

    public static TableBlock FromItems<T>(
        string name,
        IReadOnlyList<T> items,
        IReadOnlyList<(TableColumn Column, Func<T, CellValue> Cell)> columns,
        bool isFilterable = true
    )
    {
        var used = columns.Where(item => items.Take(MaxInspectedItems).Any(row => item.Cell(row).Kind != CellKind.Empty)).ToList();
        return new(
            name,
            used.ConvertAll(item => item.Column),
            items.Count,
            (index, cells) =>
            {
                for (var column = 0; column < used.Count; column++)
                    cells[column] = used[column].Cell(items[index]);
            },
            isFilterable
        );
    }
}
