using IoBench.Analysis;

namespace IoBench.Reports;

internal abstract record SectionBlock;

internal sealed record TextBlock(string Text, CellStyle Style = CellStyle.Paragraph) : SectionBlock;

/// <param name="Header">With the unit, if there is one; unique in its table. Widths are in characters.</param>
internal sealed record TableColumn(string Header, bool IsNumber = true, double MaxWidth = 60, double MinWidth = 0, bool IsCentered = false)
{
    /// <summary>In characters; null to fit the texts.</summary>
    public double? Width { get; init; }

    /// <summary>Number of sheet columns, so that long texts fit below a table with many narrow columns.</summary>
    public int Span { get; init; } = 1;

    /// <summary>Whether a table shows the column even if all its cells are empty.</summary>
    public bool IsRequired { get; init; }

    public CellStyle? CustomHeaderStyle { get; init; }

    public CellStyle HeaderStyle =>
        CustomHeaderStyle is { } look ? look
        : IsCentered ? CellStyle.HeaderCenter
        : IsNumber ? CellStyle.HeaderRight
        : CellStyle.Header;
}

/// <summary>Rows are created when they are written, so that a large table needs no memory.</summary>
/// <param name="Name">Name of the Excel table: letters only.</param>
internal sealed record TableBlock(
    string Name,
    IReadOnlyList<TableColumn> Columns,
    int RowCount,
    Action<int, CellValue[]> FillRow,
    bool IsFilterable = true
) : SectionBlock
{
    public bool WrapsHeader { get; init; }

    public bool KeepsTogether { get; init; }

    /// <summary>Heat maps that the HTML report shows as images instead of the table.</summary>
    public IReadOnlyList<HeatMap> HeatMaps { get; init; } = [];

    public int HeatMapsPerLine { get; init; }

    /// <summary>First row to write, from 0. A table that is too long for a sheet continues on another.</summary>
    public int FirstRow { get; init; }

    public int SheetColumnCount => Columns.Sum(column => column.Span);

    public static TableBlock FromRows(
        string name,
        IReadOnlyList<TableColumn> columns,
        IReadOnlyList<CellValue[]> rows,
        bool isFilterable = true
    ) => new(name, columns, rows.Count, (index, cells) => rows[index].CopyTo(cells, 0), isFilterable);

    /// <param name="findingSpan">Number of sheet columns of the findings, if a table below has narrower columns.</param>
    /// <param name="adviceSpan">Number of sheet columns of the advice.</param>
    public static TableBlock FromFindings(string name, IReadOnlyList<Finding> findings, int findingSpan = 1, int adviceSpan = 1) =>
        FromItems<Finding>(
            name,
            findings,
            [
                (new("Finding", false, 90, 60) { Span = findingSpan }, finding => CellValue.Create(finding.What, CellStyle.Wrapped)),
                (new("What to do", false, 90, 40) { Span = adviceSpan }, finding => CellValue.Create(finding.WhatToDo, CellStyle.Wrapped)),
            ],
            isFilterable: false,
            keepsEmptyColumns: true
        );

    public static TableBlock FromItems<T>(
        string name,
        IReadOnlyList<T> items,
        IReadOnlyList<(TableColumn Column, Func<T, CellValue> Cell)> columns,
        bool isFilterable = true,
        bool keepsEmptyColumns = false
    )
    {
        var used = columns.Where(item => keepsEmptyColumns || item.Column.IsRequired || items.Any(row => !item.Cell(row).IsEmpty)).ToList();
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

internal sealed record ChartsBlock(IReadOnlyList<ChartSpec> Charts) : SectionBlock
{
    public int ChartsPerLine { get; init; } = 2;

    /// <summary>In points. Higher charts are alone in their line.</summary>
    private const double MaxSharedHeight = 500;

    public IEnumerable<IReadOnlyList<ChartSpec>> ChartLines =>
        Charts
            .Chunk(Charts.All(chart => chart.Height <= MaxSharedHeight) ? ChartsPerLine : 1)
            .Select(line => line.Select(chart => chart with { Height = line.Max(other => other.Height) }).ToList());
}

internal sealed record ReportSection(string Name, string Title, IReadOnlyList<SectionBlock> Blocks)
{
    /// <summary>Whether the charts are right of the table, as in the classic workbook, instead of between the blocks.</summary>
    public bool HasChartsOnRight { get; init; }

    public bool FitsOnePage { get; init; }

    public bool IsPrinted { get; init; } = true;

    /// <summary>Number of blocks to print, from the first; null for all.</summary>
    public int? PrintedBlockCount { get; init; }

    public bool FreezesHeader { get; init; }
}
