namespace IoBench.Engine;

/// <summary>Distribution of I/Os by latency. Buckets are half-open [From, To) and ascending; a gap means no I/Os.</summary>
public sealed class IoHistogram
{
    private readonly IIoHistogramSource? _source;
    private readonly Func<List<IoHistogramBucket>>? _makeBuckets;
    private List<IoHistogramBucket>? _buckets;

    public IoHistogram() { }

    /// <summary>The buckets are created at the first access.</summary>
    public IoHistogram(string kind, Func<List<IoHistogramBucket>> makeBuckets)
    {
        Kind = kind;
        _makeBuckets = makeBuckets;
    }

    /// <param name="source">Holds the values compactly.</param>
    public IoHistogram(string kind, IIoHistogramSource source)
    {
        Kind = kind;
        _source = source;
    }

    /// <summary><c>measured</c>, <c>sqlio</c> (25 whole milliseconds in whole percent), or <c>fio</c> (its ranges in percent).</summary>
    public string Kind { get; set; } = "measured";

    /// <summary>Created at the first access if a source was given, so that results of a long log stay small.</summary>
    public List<IoHistogramBucket> Buckets
    {
        get => _buckets ??= _source?.CreateBuckets() ?? _makeBuckets?.Invoke() ?? [];
        set => _buckets = value;
    }

    /// <summary>Null if the buckets would only be created from a source.</summary>
    public List<IoHistogramBucket>? GetStoredBuckets() => _buckets;

    /// <summary>For reading only: unlike <see cref="Buckets"/>, not stored, so that a report of many results stays small.</summary>
    public IReadOnlyList<IoHistogramBucket> ReadBuckets() => _buckets ?? _source?.ReadBuckets() ?? _makeBuckets?.Invoke() ?? [];

    public override string ToString() => $"{Kind}, {NumberFormat.Pluralize(ReadBuckets().Count, "band")}";
}

/// <summary>Compact form of a histogram until its buckets are requested.</summary>
public interface IIoHistogramSource
{
    /// <summary>Creates the buckets; the caller owns the list.</summary>
    List<IoHistogramBucket> CreateBuckets();

    /// <summary>Returns the buckets for reading only; the caller must not change or store the list.</summary>
    IReadOnlyList<IoHistogramBucket> ReadBuckets() => CreateBuckets();
}

public sealed class IoHistogramBucket
{
    public double FromMs { get; set; }

    /// <summary>Upper bound in milliseconds, exclusive; null = no bound.</summary>
    public double? ToMs { get; set; }

    /// <summary>Number of reads; null if only percentages are known.</summary>
    public long? ReadCount { get; set; }

    public long? WriteCount { get; set; }

    public double Percent { get; set; }
}

/// <summary>A latency percentile in milliseconds; null if there were too few I/Os.</summary>
public sealed class IoPercentile
{
    public double Percent { get; set; }

    public double? ReadMs { get; set; }

    public double? WriteMs { get; set; }

    /// <summary>Latency of reads and writes together in milliseconds; null if there were too few I/Os.</summary>
    public double? TotalMs { get; set; }

    public override string ToString() =>
        string.Create(System.Globalization.CultureInfo.InvariantCulture, $"P{Percent:0.#######}: {TotalMs ?? ReadMs ?? WriteMs:0.###} ms");
}
