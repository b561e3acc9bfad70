namespace IoBench.Reports;

internal enum CellStyle
{
    Text,

    Wrapped,

    Integer,

    OneDecimal,

    TwoDecimals,

    ThreeDecimals,

    /// <summary>Two decimals below 10, one below 100, none above: measurements are not more precise.</summary>
    Rate,

    /// <summary>Three decimals below 10, one below 100, none above.</summary>
    Milliseconds,

    /// <summary>Percent with two decimals. A value that would round to zero is shown as below 0.01.</summary>
    Share,

    Number,

    /// <summary>A share: 0.05 is shown as +5.0%.</summary>
    Change,

    ChangeBetter,

    ChangeWorse,

    DateTime,

    Pass,

    Warning,

    Fail,

    /// <summary>Not rated, or no detectable change.</summary>
    Neutral,

    Header,

    HeaderRight,

    HeaderCenter,

    Title,

    Lead,

    Heading,

    Paragraph,

    Small,

    Strong,

    Figure,

    FigureBefore,

    HeatHeader,

    HeatTime,

    /// <summary>A cell of a heat map with few I/Os. The next seven levels have more.</summary>
    Heat1,

    Heat2,

    Heat3,

    Heat4,

    Heat5,

    Heat6,

    Heat7,

    Heat8,

    /// <summary>A value on the lightest color of a heat map. The next seven colors are darker.</summary>
    HeatFigure1,

    HeatFigure2,

    HeatFigure3,

    HeatFigure4,

    HeatFigure5,

    HeatFigure6,

    HeatFigure7,

    HeatFigure8,
}

/// <param name="NumberValue">A date is its serial number.</param>
internal readonly record struct CellValue(string? TextValue, double? NumberValue, CellStyle Style)
{
    public static readonly CellValue Empty = new(null, null, CellStyle.Text);

    /// <summary>Whether the source does not state a value.</summary>
    public bool IsEmpty => TextValue is null && NumberValue is null;

    /// <summary>null is an empty cell.</summary>
    public static CellValue Create(string? text, CellStyle style = CellStyle.Text) =>
        text is null ? Empty with { Style = style } : new(text, null, style);

    // Excel reports a workbook with a number beyond these limits as damaged.
    private const double MaxNumber = 9.99999999999999e307,
        MinNumber = 2.2251e-308;

    /// <summary>null, NaN, infinity, and numbers that Excel does not have are empty cells.</summary>
    public static CellValue Create(double? number, CellStyle style = CellStyle.Number) =>
        number is { } value && (value == 0 || Math.Abs(value) is >= MinNumber and <= MaxNumber)
            ? new(null, value, style)
            : Empty with
            {
                Style = style,
            };

    /// <summary>Local time of the test. Excel's serial number has no time zone, and programs disagree about it before 1900-03-01.</summary>
    public static CellValue Create(DateTimeOffset? time) => CreateLocal(time?.DateTime);

    public static CellValue CreateLocal(DateTime? time) =>
        time is { Year: > 1900 } value ? Create(value.ToOADate(), CellStyle.DateTime) : Empty with { Style = CellStyle.DateTime };
}
