namespace IoBench.Formats;

/// <summary>Faster than <c>Split</c>: most lines are table rows, and most characters of a cell are spaces.</summary>
internal static class DiskSpdTableCells
{
    /// <summary>Trims the cells. The last cell receives the rest of the row. <paramref name="cells"/> has at least one element.</summary>
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
