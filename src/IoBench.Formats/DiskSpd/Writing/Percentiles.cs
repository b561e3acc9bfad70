using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Nearest-rank percentiles, as DiskSpd prints them. A result does not list a percentile if too few I/Os exceed it. Then the maximum
/// latency is exact if less than
/// one I/O exceeds the percentile. Otherwise the histogram provides an estimate.
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

    internal bool HasAny => _count > 0 || (_count is null && _max is not null);

    internal int? BucketCount => _inHistogram > 0 ? _histogram!.Buckets.Count(b => CountOf(b) > 0) : null;

    /// <summary>Returns a percentile in milliseconds; null if unknown. Call in ascending order of <paramref name="percent"/>.</summary>
    internal double? Next(double percent)
    {
        if (!HasAny)
            return null;
        if (Listed(percent) is double known)
            return _last = known;
        if ((MaxOf(percent) ?? FromHistogram(percent)) is not double value)
            return null;
        // Histogram buckets are coarser than listed percentiles, so limit an estimate to the listed percentiles around it.
        return _last = Math.Max(_last, Math.Min(value, NextListed(percent) ?? value));
    }

    private double? Listed(double percent) => ValueOf(_listed.Find(p => Math.Abs(p.Percent - percent) < 1e-9));

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
