namespace IoBench.Engine;

/// <summary>
/// A flat property of a result, or a metric derived from several. To add one, add a property to <see cref="IoTestResult"/> and a row to
/// <see cref="MetricCatalog"/>.
/// </summary>
public sealed record ResultMetric
{
    /// <summary>Name of the property, such as <c>AverageLatencyMs</c>; scripts depend on it.</summary>
    public required string Name { get; init; }

    /// <summary>
    /// Never nullable: text, a list of texts, an enumeration, a time, <see cref="int"/>, <see cref="long"/>, or <see cref="double"/>.
    /// </summary>
    public required Type ValueType { get; init; }

    /// <summary>Whether a source can omit it; false for enumerations that every result has.</summary>
    public bool IsNullable { get; init; } = true;

    /// <summary>Description in one line for the documentation.</summary>
    public required string Meaning { get; init; }

    /// <summary>Heading of a narrow column, such as <c>Avg ms</c>.</summary>
    public required string Header { get; init; }

    /// <summary>Name in a sentence, such as <c>average latency</c>.</summary>
    public required string Words { get; init; }

    public string Unit { get; init; } = "";

    /// <summary>Exact unit after the name in a wide table, such as <c>MiB/s</c>; null if the name contains it.</summary>
    public string? ExactUnit { get; init; }

    /// <summary>Decimals in a sheet for calculations; null = all decimals of the number.</summary>
    public int? Decimals { get; init; }

    /// <summary>Decimals in a table for display.</summary>
    public int TableDecimals { get; init; }

    /// <summary>True for IOPS and throughput; false for latency, variation, and cost; null for what is not a measure of quality.</summary>
    public bool? IsHigherBetter { get; init; }

    /// <summary>Whether it is a latency as the source measured it, which can be whole milliseconds.</summary>
    public bool IsMeasuredLatency { get; init; }

    public required Func<IoTestResult, object?> Value { get; init; }

    /// <summary>Sets the value, which is of <see cref="ValueType"/>; null for a derived metric.</summary>
    public Action<IoTestResult, object>? Set { get; init; }

    /// <summary>Sets a number to null; null for a derived metric, and for text, enumerations, and times.</summary>
    public Action<IoTestResult>? Clear { get; init; }

    /// <summary>Returns null if unknown. The property is null for text, enumerations, and times.</summary>
    public Func<IoTestResult, double?>? Figure { get; init; }

    public bool IsText => ValueType == typeof(string) || ValueType == typeof(List<string>);

    public bool IsLatency => Unit == "ms";

    public bool IsThroughput => Unit == "MiB/s";

    /// <summary>Heading of a narrow column, with the displayed unit of throughput.</summary>
    public string ShownHeader => IsThroughput ? Header.Replace("MiB/s", ThroughputDisplay.Unit, StringComparison.Ordinal) : Header;

    public string NameWithUnit => ExactUnit is null ? Name : $"{Name} ({ExactUnit})";

    public string ShownNameWithUnit => IsThroughput ? $"{Name} ({ThroughputDisplay.Unit})" : NameWithUnit;

    public bool? IsBetter(double difference) => IsHigherBetter is { } higher ? difference > 0 == higher : null;

    /// <param name="inWholeMilliseconds">Whether the source reports latency in whole milliseconds.</param>
    public string? FormatForTable(IoTestResult result, bool inWholeMilliseconds)
    {
        ArgumentNullException.ThrowIfNull(result);
        return Figure is null ? Value(result)?.ToString() : FormatForTable(Figure(result), inWholeMilliseconds);
    }

    /// <summary>
    /// Throughput in <see cref="ThroughputDisplay.Unit"/>, rates below 100 with one decimal, latency below one second to the microsecond.
    /// </summary>
    public string? FormatForTable(double? figure, bool inWholeMilliseconds)
    {
        if (figure is not { } known)
            return null;
        var value = IsThroughput ? ThroughputDisplay.ToUnit(known) : known;
        if (IsMeasuredLatency)
            return NumberFormat.Grouped(value, inWholeMilliseconds || value >= 1000 ? 0 : TableDecimals);
        var isSmallRate = TableDecimals == 0 && ValueType == typeof(double) && IsHigherBetter == true && value is > 0 and < 100;
        return NumberFormat.Grouped(value, isSmallRate ? 1 : TableDecimals);
    }
}
