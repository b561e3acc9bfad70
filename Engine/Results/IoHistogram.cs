namespace IoBench.Engine;

/// <summary>Distribution of I/Os by latency. Buckets are half-open [From, To) and ascending; a gap means no I/Os.</summary>
public sealed class IoHistogram
{
    private readonly IIoHistogramSource? _source;
    private List<IoHistogramBucket>? _buckets;

    /// <summary>Creates an empty histogram.</summary>
    public IoHistogram() { }

    /// <summary>Creates a histogram whose buckets are created at the first access.</summary>
    /// <param name="kind">Source of the values.</param>
    public IoHistogram(string kind, Func<List<IoHistogramBucket>> makeBuckets)
        : this(kind, new BucketFactory(makeBuckets)) { }

    /// <summary>Creates a histogram whose buckets are created at the first access.</summary>
    /// <param name="kind">Source of the values.</param>
    /// <param name="source">Holds the values compactly.</param>
    public IoHistogram(string kind, IIoHistogramSource source)
    {
        Kind = kind;
        _source = source;
    }

    /// <summary>
    /// Source of the values: <c>measured</c>, <c>sqlio</c> (25 whole milliseconds in whole percent), <c>fio</c> (fio's ranges in percent of
    /// the I/Os).
    /// </summary>
    public string Kind { get; set; } = "measured";

    /// <summary>Buckets, ascending; a gap between two buckets means no I/Os.</summary>
    /// <remarks>Created at the first access if a source was given, so that results of a long log stay small.</remarks>
    public List<IoHistogramBucket> Buckets
    {
        get => _buckets ??= _source?.CreateBuckets() ?? [];
        set => _buckets = value;
    }

    /// <summary>
    /// Returns the buckets for reading only. Unlike those of <see cref="Buckets"/>, they are not stored, so that a report of many results
    /// stays small.
    /// </summary>
    public IReadOnlyList<IoHistogramBucket> ReadBuckets() => _buckets ?? _source?.ReadBuckets() ?? [];

    /// <summary>Returns a text such as <c>measured, 34 bands</c>.</summary>
    public override string ToString() => $"{Kind}, {NumberFormat.Pluralize(ReadBuckets().Count, "band")}";

    private sealed class BucketFactory(Func<List<IoHistogramBucket>> make) : IIoHistogramSource
    {
        public List<IoHistogramBucket> CreateBuckets() => make();
    }
}

/// <summary>Compact form of a histogram until its buckets are requested.</summary>
public interface IIoHistogramSource
{
    /// <summary>Creates the buckets; the caller owns the list.</summary>
    List<IoHistogramBucket> CreateBuckets();

    /// <summary>Returns the buckets for reading only; the caller must not change or store the list.</summary>
    IReadOnlyList<IoHistogramBucket> ReadBuckets() => CreateBuckets();
}

/// <summary>A latency range of a histogram.</summary>
public sealed class IoHistogramBucket
{
    /// <summary>Lower bound in milliseconds, inclusive.</summary>
    public double FromMs { get; set; }

    /// <summary>Upper bound in milliseconds, exclusive; null = no bound.</summary>
    public double? ToMs { get; set; }

    /// <summary>Number of reads; null if only percentages are known.</summary>
    public long? ReadCount { get; set; }

    /// <summary>Number of writes; null if only percentages are known.</summary>
    public long? WriteCount { get; set; }

    /// <summary>Percentage of all I/Os.</summary>
    public double Percent { get; set; }
}

/// <summary>A latency percentile in milliseconds; null if there were too few I/Os.</summary>
public sealed class IoPercentile
{
    /// <summary>0 (the minimum) to 100 (the maximum).</summary>
    public double Percent { get; set; }

    /// <summary>Read latency in milliseconds; null if there were too few reads.</summary>
    public double? ReadMs { get; set; }

    /// <summary>Write latency in milliseconds; null if there were too few writes.</summary>
    public double? WriteMs { get; set; }

    /// <summary>Latency of reads and writes together in milliseconds; null if there were too few I/Os.</summary>
    public double? TotalMs { get; set; }

    /// <summary>Returns a text such as <c>P99: 0.14 ms</c>.</summary>
    public override string ToString() =>
        string.Create(System.Globalization.CultureInfo.InvariantCulture, $"P{Percent:0.#######}: {TotalMs ?? ReadMs ?? WriteMs:0.###} ms");
}
