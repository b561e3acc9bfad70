namespace IoBench.Formats.DiskSpd.Writing;

/// <summary>
/// Percentiles as DiskSpd prints them: always by nearest rank. Where a result lists none, because too few I/Os lie beyond it,
/// the highest latency is right once less than one I/O lies beyond, and before that the histogram decides.
/// </summary>
internal sealed class Percentiles
{
    private readonly List<IoPercentile> _listed;
    private readonly IoHistogram? _histogram;
    private readonly Kind _kind;
    private readonly long? _count;
    private readonly double? _min;
    private readonly double? _max;
    private readonly long _inHistogram;
    private double _last;

    /// <summary>Which I/Os.</summary>
    internal enum Kind
    {
        Read,
        Write,
        Total,
    }

    internal Percentiles(List<IoPercentile> listed, IoHistogram? histogram, Kind kind, long? count)
    {
        (_listed, _histogram, _kind, _count) = (listed, histogram, kind, count);
        _min = Listed(0);
        _max = Listed(100);
        if (histogram is not null && histogram.Buckets.TrueForAll(b => b.ReadCount is not null && b.WriteCount is not null))
            _inHistogram = CountMath.Sum(histogram.Buckets.Select(CountOf));
    }

    /// <summary>There are such I/Os.</summary>
    internal bool HasAny => _count > 0 || (_count is null && _max is not null);

    /// <summary>Buckets of the histogram that hold such I/Os; null without one.</summary>
    internal int? BucketCount => _inHistogram > 0 ? _histogram!.Buckets.Count(b => CountOf(b) > 0) : null;

    /// <summary>A percentile in milliseconds, asked for in ascending order; null when it is not known.</summary>
    internal double? Next(double percent)
    {
        if (!HasAny)
            return null;
        if (Listed(percent) is double known)
            return _last = known;
        if ((MaxOf(percent) ?? FromHistogram(percent)) is not double value)
            return null;
        // Bands are coarser than listed percentiles: one made of them lies between the listed ones around it.
        return _last = Math.Max(_last, Math.Min(value, NextListed(percent) ?? value));
    }

    private double? Listed(double percent) => ValueOf(_listed.Find(p => Math.Abs(p.Percent - percent) < 1e-9));

    /// <summary>The lowest of the listed percentiles above this one; null when there is none.</summary>
    private double? NextListed(double percent)
    {
        double? min = null;
        foreach (var row in _listed)
        {
            if (row.Percent > percent && ValueOf(row) is double value && !(value >= min))
                min = value;
        }
        return min;
    }

    private double? ValueOf(IoPercentile? row) =>
        _kind switch
        {
            Kind.Read => row?.ReadMs,
            Kind.Write => row?.WriteMs,
            _ => row?.TotalMs,
        };

    private double? FromHistogram(double percent)
    {
        if (_inHistogram == 0)
            return null;
        var target = percent / 100 * _inHistogram;
        long seen = 0;
        foreach (var bucket in _histogram!.Buckets)
        {
            seen += CountOf(bucket);
            if (seen >= target && seen > 0)
                return Math.Clamp(
                    (bucket.FromMs + (bucket.ToMs ?? bucket.FromMs)) / 2,
                    _min ?? 0,
                    Math.Max(_min ?? 0, _max ?? double.MaxValue)
                );
        }
        return _max;
    }

    private double? MaxOf(double percent) => _count is long count && count * (1 - percent / 100) < 1 ? _max : null;

    private long CountOf(IoHistogramBucket bucket) =>
        _kind switch
        {
            Kind.Read => bucket.ReadCount ?? 0,
            Kind.Write => bucket.WriteCount ?? 0,
            _ => (bucket.ReadCount ?? 0) + (bucket.WriteCount ?? 0),
        };
}
