namespace IoBench.Formats.Csv;

/// <summary>What became of a cell's text.</summary>
internal enum CsvCell
{
    /// <summary>It was read.</summary>
    Read,

    /// <summary>It is no value of its column.</summary>
    Wrong,

    /// <summary>It is a number whose comma may separate decimals or thousands.</summary>
    DoubtfulNumber,

    /// <summary>It is a time whose day and month, or whose calendar, cannot be told.</summary>
    DoubtfulTime,
}
