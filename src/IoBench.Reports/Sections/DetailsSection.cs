namespace IoBench.Reports;

/// <summary>Every flat property of every result, for lookup. Not printed.</summary>
internal static class DetailsSection
{
    public static ReportSection Build(ReportContext context)
    {
        var results = context.Results;
        var columns = DetailsSection.Columns;
        var table = new TableBlock(
            "Details",
            [.. columns.Select(column => new TableColumn(column.Header, column.IsNumber, 24))],
            results.Count,
            (index, cells) =>
            {
                for (var column = 0; column < columns.Count; column++)
                    cells[column] = columns[column].Cell(results[index]);
            }
        )
        {
            WrapsHeader = true,
        };
        return new("Details", "Details: every figure of every run", [table]) { FreezesHeader = true, IsPrinted = false };
    }
}
