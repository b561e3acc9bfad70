namespace IoBench.Reports.Model;

/// <summary>How a cell looks, in the workbook and on the page.</summary>
internal enum CellStyle
{
    /// <summary>Plain text.</summary>
    Text,

    /// <summary>Text that may take several lines.</summary>
    Wrapped,

    /// <summary>A number without decimals.</summary>
    Whole,

    /// <summary>A number with one decimal.</summary>
    OneDecimal,

    /// <summary>A number with two decimals.</summary>
    TwoDecimals,

    /// <summary>A number with three decimals: milliseconds.</summary>
    ThreeDecimals,

    /// <summary>A rate: two decimals below 10, one below 100, whole above: no measurement has more to say.</summary>
    Rate,

    /// <summary>A latency in milliseconds: three decimals below 10, one below 100, whole above.</summary>
    Milliseconds,

    /// <summary>A share in percent with two decimals; one that they would make nothing is said to be below 0.01.</summary>
    Share,

    /// <summary>A number as it is.</summary>
    Number,

    /// <summary>A share; 0.05 is shown as +5.0%.</summary>
    Change,

    /// <summary>A change for the better.</summary>
    ChangeBetter,

    /// <summary>A change for the worse.</summary>
    ChangeWorse,

    /// <summary>Date and time in the reader's own locale.</summary>
    DateTime,

    /// <summary>A verdict: within the limits.</summary>
    Good,

    /// <summary>A verdict: near the limit.</summary>
    Watch,

    /// <summary>A verdict: beyond the limit.</summary>
    Bad,

    /// <summary>A verdict that is withheld, or a change within the noise.</summary>
    Neutral,

    /// <summary>A heading of a column of text.</summary>
    Header,

    /// <summary>A heading of a column of numbers.</summary>
    HeaderRight,

    /// <summary>A heading of a column of verdicts.</summary>
    HeaderCentre,

    /// <summary>The title of a sheet.</summary>
    Title,

    /// <summary>The one sentence that matters most.</summary>
    Lead,

    /// <summary>A heading above a block.</summary>
    Heading,

    /// <summary>A sentence.</summary>
    Paragraph,

    /// <summary>Small print.</summary>
    Small,

    /// <summary>Text of importance.</summary>
    Strong,

    /// <summary>A figure with its unit, as text.</summary>
    Figure,

    /// <summary>An earlier figure with its unit, as text.</summary>
    FigureBefore,

    /// <summary>A heading above narrow columns: it reaches over those beside it.</summary>
    HeatHeader,

    /// <summary>The time below a heat map: it reaches over the narrow columns beside it.</summary>
    HeatTime,

    /// <summary>A cell of a heat map with few I/Os; the seven that follow have more and more.</summary>
    Heat1,

    /// <summary>More.</summary>
    Heat2,

    /// <summary>More.</summary>
    Heat3,

    /// <summary>More.</summary>
    Heat4,

    /// <summary>More.</summary>
    Heat5,

    /// <summary>More.</summary>
    Heat6,

    /// <summary>More.</summary>
    Heat7,

    /// <summary>The most.</summary>
    Heat8,

    /// <summary>A figure in the lightest colour of a heat map; the seven that follow are darker and darker.</summary>
    HeatFigure1,

    /// <summary>Darker.</summary>
    HeatFigure2,

    /// <summary>Darker.</summary>
    HeatFigure3,

    /// <summary>Darker.</summary>
    HeatFigure4,

    /// <summary>Darker.</summary>
    HeatFigure5,

    /// <summary>Darker.</summary>
    HeatFigure6,

    /// <summary>Darker.</summary>
    HeatFigure7,

    /// <summary>The darkest.</summary>
    HeatFigure8,
}

/// <summary>What a cell holds.</summary>
internal enum CellKind : byte
{
    /// <summary>Nothing: the source does not say.</summary>
    Empty,

    /// <summary>Text, never a formula.</summary>
    Text,

    /// <summary>A number; a date is its serial number.</summary>
    Number,
}

/// <summary>A cell: text or a number, and its looks.</summary>
internal readonly record struct CellValue(CellKind Kind, string? TextValue, double NumberValue, CellStyle Style)
{
    /// <summary>Nothing, neither text nor colour.</summary>
    public static readonly CellValue Empty = new(CellKind.Empty, null, 0, CellStyle.Text);

    /// <summary>Text; null is an empty cell.</summary>
    public static CellValue Of(string? text, CellStyle style = CellStyle.Text) =>
        text is null ? Empty with { Style = style } : new(CellKind.Text, text, 0, style);

    /// <summary>A number; null and what is not finite are empty cells.</summary>
    public static CellValue Of(double? number, CellStyle style = CellStyle.Number) =>
        number is { } value && double.IsFinite(value) ? new(CellKind.Number, null, value, style) : Empty with { Style = style };

    /// <summary>A date and time as the clock of the test showed it.</summary>
    /// <remarks>Excel's serial number knows no zone and nothing before 1900-03-01 that all readers agree on.</remarks>
    public static CellValue Of(DateTimeOffset? time) =>
        time is { Year: > 1900 } value ? Of(value.DateTime.ToOADate(), CellStyle.DateTime) : Empty with { Style = CellStyle.DateTime };
}
