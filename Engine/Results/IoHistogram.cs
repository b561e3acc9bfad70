namespace IoBench.Engine.Results;

/// <summary>Share of I/Os by latency. Buckets are half-open [From, To), ascending, gaps mean none.</summary>
public sealed class IoHistogram
{
    private readonly IIoHistogramSource? _source;
    private List<IoHistogramBucket>? _buckets;

    /// <summary>A histogram without buckets.</summary>
    public IoHistogram() { }

    /// <summary>A histogram whose buckets are made when they are first asked for.</summary>
    /// <param name="kind">Where the figures come from.</param>
    public IoHistogram(string kind, Func<List<IoHistogramBucket>> makeBuckets)
        : this(kind, new MadeBuckets(makeBuckets)) { }

    /// <summary>A histogram whose buckets are made when they are first asked for.</summary>
    /// <param name="kind">Where the figures come from.</param>
    /// <param name="source">Holds them in little room.</param>
    public IoHistogram(string kind, IIoHistogramSource source)
    {
        Kind = kind;
        _source = source;
    }

    /// <summary>Where the figures come from: <c>measured</c>, <c>sqlio</c> (25 whole milliseconds in whole percent), <c>fio</c> (fio's bands in percent of the I/Os).</summary>
    public string Kind { get; set; } = "measured";

    /// <summary>The buckets, ascending; a gap between two means no I/O.</summary>
    /// <remarks>Made when they are first asked for where a reader gave a way to make them: a long log's results stay small.</remarks>
    public List<IoHistogramBucket> Buckets
    {
        get => _buckets ??= _source?.Make() ?? [];
        set => _buckets = value;
    }

    /// <summary>The buckets for one look, which nobody may change: unlike those of <see cref="Buckets"/> they are not kept, so that a report of a hundred thousand results stays small.</summary>
    public IReadOnlyList<IoHistogramBucket> Look() => _buckets ?? _source?.Look() ?? [];

    /// <summary><c>measured, 34 bands</c>.</summary>
    public override string ToString() => $"{Kind}, {Figures.Counted(Look().Count, "band")}";

    private sealed class MadeBuckets(Func<List<IoHistogramBucket>> make) : IIoHistogramSource
    {
        public List<IoHistogramBucket> Make() => make();
    }
}

/// <summary>What a reader keeps of a histogram until its buckets are asked for.</summary>
public interface IIoHistogramSource
{
    /// <summary>Makes the buckets; the caller keeps them.</summary>
    List<IoHistogramBucket> Make();

    /// <summary>The buckets for one look, which nobody changes or keeps.</summary>
    IReadOnlyList<IoHistogramBucket> Look() => Make();
}

/// <summary>One latency band.</summary>
public sealed class IoHistogramBucket
{
    /// <summary>Lower edge in milliseconds, inclusive.</summary>
    public double FromMs { get; set; }

    /// <summary>Upper edge in milliseconds, exclusive; null = open.</summary>
    public double? ToMs { get; set; }

    /// <summary>Reads; null when only percentages are known.</summary>
    public long? ReadCount { get; set; }

    /// <summary>Writes; null when only percentages are known.</summary>
    public long? WriteCount { get; set; }

    /// <summary>Share of all I/Os in percent.</summary>
    public double Percent { get; set; }
}

/// <summary>A percentile of latency in milliseconds; null where there were too few such I/Os or none.</summary>
public sealed class IoPercentile
{
    /// <summary>0 (the lowest) to 100 (the highest).</summary>
    public double Percent { get; set; }

    /// <summary>Latency of reads in milliseconds; null where there were too few of them or none.</summary>
    public double? ReadMs { get; set; }

    /// <summary>Latency of writes in milliseconds; null where there were too few of them or none.</summary>
    public double? WriteMs { get; set; }

    /// <summary>Latency of reads and writes together in milliseconds; null where there were too few of them or none.</summary>
    public double? TotalMs { get; set; }

    /// <summary><c>P99: 0.14 ms</c>.</summary>
    public override string ToString() =>
        string.Create(System.Globalization.CultureInfo.InvariantCulture, $"P{Percent:0.#######}: {TotalMs ?? ReadMs ?? WriteMs:0.###} ms");
}
