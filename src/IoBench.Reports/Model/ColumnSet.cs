namespace IoBench.Reports.Model;

/// <summary>Columns with the cells they show of an item.</summary>
internal static class ColumnSet
{
    /// <summary>So many items decide whether a column is used.</summary>
    private const int Looked = 2000;

    /// <summary>A table of items without the columns that no item fills.</summary>
    public static TableBlock Table<T>(
        string name,
        IReadOnlyList<T> items,
        IReadOnlyList<(TableColumn Column, Func<T, CellValue> Cell)> columns,
        bool isFilterable = true
    )
    {
        var used = columns.Where(item => items.Take(Looked).Any(row => item.Cell(row).Kind != CellKind.Empty)).ToList();
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
