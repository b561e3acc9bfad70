namespace IoBench.Formats;

internal delegate void DiskSpdCellSetter<T>(T row, ReadOnlySpan<char> cell);

/// <summary>A table whose header selects the columns. A value can be wider than its column, so rows are split at their bars.</summary>
internal sealed class DiskSpdTable<T>(Dictionary<string, DiskSpdCellSetter<T>> known)
{
    private const int MaxColumns = 16;
    private readonly DiskSpdCellSetter<T>?[] _columns = new DiskSpdCellSetter<T>?[MaxColumns];

    internal int ColumnCount { get; private set; }

    internal void SetHeader(ReadOnlySpan<char> line)
    {
        Span<Range> cells = stackalloc Range[MaxColumns];
        ColumnCount = Split(line, cells);
        for (var i = 0; i < ColumnCount; i++)
            _columns[i] = known.GetValueOrDefault(line[cells[i]].ToString());
    }

    internal void Clear() => ColumnCount = 0;

    /// <summary>Sets the values of a row.</summary>
    /// <param name="first">Column of the first cell.</param>
    /// <returns>Number of cells. The last one, which can contain bars, is <paramref name="lastCell"/>.</returns>
    internal int SetCells(ReadOnlySpan<char> line, int first, T row, out ReadOnlySpan<char> lastCell)
    {
        Span<Range> cells = stackalloc Range[MaxColumns];
        var count = Split(line, cells[..Math.Max(1, ColumnCount - first)]);
        for (var i = 0; i < count; i++)
            _columns[first + i]?.Invoke(row, line[cells[i]]);
        lastCell = line[cells[count - 1]];
        return count;
    }

    /// <summary>Trims the cells. The last cell receives the rest of the row. <paramref name="cells"/> has at least one element.</summary>
    // Faster than Split: most lines are table rows, and most characters of a cell are spaces.
    internal static int Split(ReadOnlySpan<char> row, Span<Range> cells)
    {
        var start = 0;
        var count = 0;
        while (count < cells.Length - 1)
        {
            var bar = row[start..].IndexOf('|');
            if (bar < 0)
                break;
            cells[count++] = TrimRange(row, start, start + bar);
            start += bar + 1;
        }
        cells[count++] = TrimRange(row, start, row.Length);
        return count;
    }

    private static Range TrimRange(ReadOnlySpan<char> row, int start, int end)
    {
        while (start < end && (row[start] == ' ' || char.IsWhiteSpace(row[start])))
            start++;
        while (end > start && (row[end - 1] == ' ' || char.IsWhiteSpace(row[end - 1])))
            end--;
        return start..end;
    }
}
