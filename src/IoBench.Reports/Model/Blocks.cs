namespace IoBench.Reports.Model;

/// <summary>A part of a section: text, a table or charts.</summary>
internal abstract record Block;

/// <summary>A line or a paragraph of text.</summary>
internal sealed record TextBlock(string Text, CellStyle Style = CellStyle.Paragraph) : Block;

/// <summary>A column of a table.</summary>
/// <param name="Header">Heading, with the unit where there is one; unique in its table.</param>
/// <param name="IsNumber">Numbers stand right, text left.</param>
/// <param name="MaxWidth">Highest width in characters.</param>
/// <param name="MinWidth">Lowest width in characters.</param>
/// <param name="IsCentred">Verdicts stand in the middle.</param>
internal sealed record TableColumn(string Header, bool IsNumber = true, double MaxWidth = 60, double MinWidth = 0, bool IsCentred = false)
{
    /// <summary>Its width in characters, whatever it holds; null = as its texts need.</summary>
    public double? Width { get; init; }

    /// <summary>So many columns of the sheet it covers: long texts below a table of many short ones.</summary>
    public int Span { get; init; } = 1;

    /// <summary>A look of its heading of its own.</summary>
    public CellStyle? HeaderLook { get; init; }

    /// <summary>The look of its heading.</summary>
    public CellStyle HeaderStyle =>
        HeaderLook is { } look ? look
        : IsCentred ? CellStyle.HeaderCentre
        : IsNumber ? CellStyle.HeaderRight
        : CellStyle.Header;
}

/// <summary>A table whose rows are made when they are written, so that a large one needs no memory.</summary>
/// <param name="Name">Name of the Excel table: letters only.</param>
/// <param name="RowCount">The number of rows.</param>
/// <param name="FillRow">Fills the cells of a row, by number from 0.</param>
/// <param name="IsFilterable">An Excel table with filters; else plain cells.</param>
internal sealed record TableBlock(
    string Name,
    IReadOnlyList<TableColumn> Columns,
    int RowCount,
    Action<int, CellValue[]> FillRow,
    bool IsFilterable = true
) : Block
{
    /// <summary>Headings of several lines, for many narrow columns.</summary>
    public bool WrapsHeader { get; init; }

    /// <summary>A page begins with it rather than within it.</summary>
    public bool StaysTogether { get; init; }

    /// <summary>First row that is written, from 0: a table too long for a sheet goes on in another.</summary>
    public int FirstRow { get; init; }

    /// <summary>Columns of the sheet that it covers.</summary>
    public int SheetColumns => Columns.Sum(column => column.Span);

    /// <summary>A table of rows that are there already.</summary>
    public static TableBlock Of(
        string name,
        IReadOnlyList<TableColumn> columns,
        IReadOnlyList<CellValue[]> rows,
        bool isFilterable = true
    ) => new(name, columns, rows.Count, (index, cells) => rows[index].CopyTo(cells, 0), isFilterable);
}

/// <summary>Charts two abreast; one that is alone in its line has the whole width.</summary>
internal sealed record ChartsBlock(IReadOnlyList<ChartSpec> Charts) : Block
{
    /// <summary>So many stand side by side.</summary>
    public int Abreast { get; init; } = 2;

    /// <summary>Higher ones stand alone.</summary>
    private const double HighestAbreast = 500;

    /// <summary>The charts line by line, in a line equally high.</summary>
    public IEnumerable<IReadOnlyList<ChartSpec>> Lines =>
        Charts
            .Chunk(Charts.All(chart => chart.Height <= HighestAbreast) ? Abreast : 1)
            .Select(line => line.Select(chart => chart with { Height = line.Max(other => other.Height) }).ToList());
}

/// <summary>Heat maps side by side: pictures on the page, a table in colours on the sheet.</summary>
/// <param name="Table">The table of them.</param>
/// <param name="Abreast">So many have room: the last ones are as wide as the others.</param>
internal sealed record HeatMapBlock(IReadOnlyList<HeatMap> Maps, TableBlock Table, int Abreast) : Block;

/// <summary>Where the charts of a section stand.</summary>
internal enum ChartPlacement
{
    /// <summary>Where their block is among the others.</summary>
    Inline,

    /// <summary>Stacked to the right of the table, as in the classic workbook.</summary>
    RightOfTable,
}

/// <summary>A section of the report: a sheet of the workbook, a chapter of the page.</summary>
/// <param name="Name">Name of the sheet.</param>
/// <param name="Title">Title in its first row.</param>
/// <param name="Blocks">What it consists of.</param>
internal sealed record Section(string Name, string Title, IReadOnlyList<Block> Blocks)
{
    /// <summary>Where the charts stand.</summary>
    public ChartPlacement Placement { get; init; }

    /// <summary>Printed on one page in height, too.</summary>
    public bool OnePage { get; init; }

    /// <summary>Whether it is meant for paper.</summary>
    public bool IsPrinted { get; init; } = true;

    /// <summary>So many blocks are printed, from the first; null = all.</summary>
    public int? PrintedBlocks { get; init; }

    /// <summary>The heading of its table stays in view.</summary>
    public bool FreezeHeader { get; init; }
}
