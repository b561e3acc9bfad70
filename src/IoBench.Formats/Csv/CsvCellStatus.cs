namespace IoBench.Formats;

internal enum CsvCellStatus
{
    Read,

    /// <summary>Not a value of its column.</summary>
    Wrong,

    /// <summary>A number whose comma or point can separate decimals or thousands.</summary>
    DoubtfulNumber,

    /// <summary>A time whose calendar, or whose order of day and month, is ambiguous.</summary>
    DoubtfulTime,
}
