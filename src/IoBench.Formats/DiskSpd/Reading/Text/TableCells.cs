namespace IoBench.Formats.DiskSpd.Reading.Text;

/// <summary>Takes rows of tables apart at their bars: most of a text are such rows, and most of a cell are blanks.</summary>
internal static class TableCells
{
    /// <summary>
    /// Finds the cells of a row, without the blanks around each, as <see cref="MemoryExtensions.Split(ReadOnlySpan{char}, Span{Range}, char, StringSplitOptions)"/>
    /// does: where there is no more room the last one is all the rest.
    /// </summary>
    /// <param name="cells">Room for one cell at least.</param>
    /// <returns>How many there are.</returns>
    internal static int Split(ReadOnlySpan<char> row, Span<Range> cells)
    {
        var start = 0;
        var count = 0;
        while (count < cells.Length - 1)
        {
            var bar = row[start..].IndexOf('|');
            if (bar < 0)
                break;
            cells[count++] = Trimmed(row, start, start + bar);
            start += bar + 1;
        }
        cells[count++] = Trimmed(row, start, row.Length);
        return count;
    }

    private static Range Trimmed(ReadOnlySpan<char> row, int start, int end)
    {
        while (start < end && (row[start] == ' ' || char.IsWhiteSpace(row[start])))
            start++;
        while (end > start && (row[end - 1] == ' ' || char.IsWhiteSpace(row[end - 1])))
            end--;
        return start..end;
    }
}
