namespace IoBench.Formats;

/// <summary>How a file writes numbers and times: its unambiguous cells decide, never the culture of this computer.</summary>
internal sealed class CsvLocale
{
    private readonly bool _hasDecimalCommas;
    private readonly bool? _dayFirst;

    private CsvLocale(bool hasDecimalCommas, bool? dayFirst)
    {
        _hasDecimalCommas = hasDecimalCommas;
        _dayFirst = dayFirst;
    }

    /// <summary>Whether the month is assumed to be first only because the times look like those of the United States.</summary>
    public bool AssumesMonthFirst { get; private init; }

    public static CsvLocale Detect(IReadOnlyList<CsvColumn?> columns, IEnumerable<IReadOnlyList<string>> records)
    {
        bool commas = false,
            points = false,
            arabic = false,
            dayFirst = false,
            monthFirst = false,
            american = false,
            other = false;
        foreach (var fields in records)
        {
            for (var i = 0; i < Math.Min(columns.Count, fields.Count); i++)
            {
                if (fields[i].Length == 0)
                    continue;
                if (columns[i] is { IsDecimal: true })
                {
                    var number = CsvNumber.FromText(fields[i]);
                    var isProof = number is { Value: not null, MayBeGrouped: false };
                    commas |= isProof && number.Separator == ',';
                    points |= isProof && number.Separator == '.';
                    arabic |= isProof && number.HasArabicSeparator;
                }
                else if (columns[i] is { IsTime: true })
                {
                    var shown = CsvTimeParser.DetectDayFirst(fields[i]);
                    dayFirst |= shown == true;
                    monthFirst |= shown == false;
                    american |= CsvTimeParser.LooksAmerican(fields[i]);
                    other |= !CsvTimeParser.LooksAmerican(fields[i]);
                }
            }
        }
        commas &= !points;
        // Cultures that use a decimal separator other than a point never write the month first.
        bool? order =
            dayFirst != monthFirst ? dayFirst
            : !dayFirst && !points && (commas || arabic) ? true
            : null;
        var takesMonthFirst = order is null && !dayFirst && american && !other;
        return new(commas, takesMonthFirst ? false : order) { AssumesMonthFirst = takesMonthFirst };
    }

    public CsvCellStatus Parse(string text, out double value)
    {
        var number = CsvNumber.FromText(text);
        value = number.Value ?? 0;
        if (number.IsGrouped)
            return CsvCellStatus.DoubtfulNumber;
        if (number.Value is null)
            return CsvCellStatus.Invalid;
        return number.Separator switch
        {
            ',' => _hasDecimalCommas,
            '.' => !_hasDecimalCommas,
            _ => true,
        }
            ? CsvCellStatus.Read
            : CsvCellStatus.DoubtfulNumber;
    }

    public CsvCellStatus Parse(string text, out DateTimeOffset value) => CsvTimeParser.Parse(text, _dayFirst, out value);
}

internal enum CsvCellStatus
{
    Read,

    Invalid,

    /// <summary>A number whose comma or point can separate decimals or thousands.</summary>
    DoubtfulNumber,

    /// <summary>A time whose calendar, or whose order of day and month, is ambiguous.</summary>
    DoubtfulTime,
}
