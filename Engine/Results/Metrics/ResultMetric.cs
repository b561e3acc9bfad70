namespace IoBench.Engine.Results.Metrics;

/// <summary>Which way a figure is better.</summary>
public enum BetterDirection
{
    /// <summary>It says nothing about quality: text, times, what was asked for.</summary>
    Neither,

    /// <summary>More is better: rates.</summary>
    Higher,

    /// <summary>Less is better: latency, variation, cost.</summary>
    Lower,
}

/// <summary>
/// A flat property of a result, or a figure worked out from several: all that tables, sheets, CSV, comparisons and the documentation need to know about it.
/// A new figure is a property of <see cref="IoTestResult"/> and a line in <see cref="MetricCatalog"/>.
/// </summary>
public sealed record ResultMetric
{
    /// <summary>Name of the property, such as <c>AverageLatencyMs</c>; scripts depend on it.</summary>
    public required string Name { get; init; }

    /// <summary>Type of its values, never nullable: text, a list of text, a word of a fixed list, a time, <see cref="int"/>, <see cref="long"/> or <see cref="double"/>.</summary>
    public required Type ValueType { get; init; }

    /// <summary>Whether a source may leave it out; false for words that every result has.</summary>
    public bool IsNullable { get; init; } = true;

    /// <summary>What it means, in a line for the documentation.</summary>
    public required string Meaning { get; init; }

    /// <summary>Heading of a narrow column: <c>Avg ms</c>.</summary>
    public required string Header { get; init; }

    /// <summary>What it is called in a sentence: <c>average latency</c>.</summary>
    public required string Words { get; init; }

    /// <summary>Unit behind the figure in a sentence: <c>ms</c>; empty where it has none.</summary>
    public string Unit { get; init; } = "";

    /// <summary>The exact unit, or what it counts, as it stands behind the name in a wide table: <c>MiB/s</c>; null where the name says it.</summary>
    public string? ExactUnit { get; init; }

    /// <summary>Decimals in a sheet that people calculate with; null = as many as the number has.</summary>
    public int? Decimals { get; init; }

    /// <summary>Decimals in a table that people read at a glance.</summary>
    public int TableDecimals { get; init; }

    /// <summary>Which way it is better.</summary>
    public BetterDirection Better { get; init; }

    /// <summary>Latency in milliseconds as the source measured it: some know whole milliseconds only.</summary>
    public bool IsMeasuredLatency { get; init; }

    /// <summary>The value of a result; null when it is not known.</summary>
    public required Func<IoTestResult, object?> Value { get; init; }

    /// <summary>Sets the value, which is of <see cref="ValueType"/>; null for a figure that is worked out.</summary>
    public Action<IoTestResult, object>? Set { get; init; }

    /// <summary>The figure of a result; null when it is not known. Null for text, words and times.</summary>
    public Func<IoTestResult, double?>? Figure { get; init; }

    /// <summary>Whether it holds text that people chose, not a number, a time or a word of a fixed list.</summary>
    public bool IsText => ValueType == typeof(string) || ValueType == typeof(List<string>);

    /// <summary>Whether it holds latency in milliseconds.</summary>
    public bool IsLatency => Unit == "ms";

    /// <summary>Whether it holds MiB per second.</summary>
    public bool IsThroughput => Unit == "MiB/s";

    /// <summary>Heading of a narrow column in the units in which throughput is shown.</summary>
    public string ShownHeader => IsThroughput ? Header.Replace("MiB/s", Throughput.Unit, StringComparison.Ordinal) : Header;

    /// <summary>Its name with the exact unit: <c>BandwidthMBps (MiB/s)</c>.</summary>
    public string NameWithUnit => ExactUnit is null ? Name : $"{Name} ({ExactUnit})";

    /// <summary>The same in the units in which throughput is shown.</summary>
    public string ShownNameWithUnit => IsThroughput ? $"{Name} ({Throughput.Unit})" : NameWithUnit;

    /// <summary>Whether a difference of its values, new minus old, is one for the better; null where neither way is.</summary>
    public bool? IsBetter(double difference) =>
        Better == BetterDirection.Neither ? null : difference > 0 == (Better == BetterDirection.Higher);

    /// <summary>A result's figure as a table for people shows it; null when it is not known.</summary>
    /// <param name="inWholeMilliseconds">Whether its source knows no finer latency.</param>
    public string? TableText(IoTestResult result, bool inWholeMilliseconds)
    {
        ArgumentNullException.ThrowIfNull(result);
        return Figure is null ? Value(result)?.ToString() : TableText(Figure(result), inWholeMilliseconds);
    }

    /// <summary>
    /// A figure as a table for people shows it, throughput in <see cref="Throughput.Unit"/>: rates below 100 with a decimal, latency to the microsecond below a second. Null when it is not known.
    /// </summary>
    /// <param name="inWholeMilliseconds">Whether its source knows no finer latency.</param>
    public string? TableText(double? figure, bool inWholeMilliseconds)
    {
        if (figure is not { } known)
            return null;
        var value = IsThroughput ? Throughput.In(known) : known;
        if (IsMeasuredLatency)
            return Figures.Grouped(value, inWholeMilliseconds || value >= 1000 ? 0 : TableDecimals);
        return Figures.Grouped(
            value,
            TableDecimals == 0 && ValueType == typeof(double) && Better == BetterDirection.Higher && value is > 0 and < 100
                ? 1
                : TableDecimals
        );
    }
}
