namespace IoBench.Formats;

/// <summary>
/// Splits table rows at their bars. Most lines of a text are such rows, and most characters of a cell are spaces, so this is faster than
/// <c>Split</c>.
/// </summary>
internal static class DiskSpdTableCells
{
    /// <summary>
    /// Finds the trimmed cells of a row, as <see cref="MemoryExtensions.Split(ReadOnlySpan{char}, Span{Range}, char, StringSplitOptions)"/>
    /// does. The last cell
    /// receives the rest of the row.
    /// </summary>
    /// <param name="cells">Receives the cells; at least one.</param>
    /// <returns>Number of cells.</returns>
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
