using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Nearest-rank percentiles, as in DiskSpd. If too few I/Os exceed one, the maximum or the histogram provides it.</summary>
internal sealed class DiskSpdPercentileLookup
{
    private readonly List<IoPercentile> _listed;
    private readonly IoHistogram? _histogram;
    private readonly Func<IoPercentile, double?> _value;
    private readonly Func<IoHistogramBucket, long?> _bucketCount;
    private readonly long? _count;
    private readonly double? _min;
    private readonly double? _max;
    private readonly long _inHistogram;
    private double _last;

    private DiskSpdPercentileLookup(
        List<IoPercentile> listed,
        IoHistogram? histogram,
        long? count,
        Func<IoPercentile, double?> value,
        Func<IoHistogramBucket, long?> bucketCount
    )
    {
        _listed = listed;
        _histogram = histogram;
        _value = value;
        _bucketCount = bucketCount;
        _count = count;
        _min = FindListed(0);
        _max = FindListed(100);
        if (histogram is not null && histogram.Buckets.TrueForAll(b => b.ReadCount is not null && b.WriteCount is not null))
            _inHistogram = DiskSpdTotals.SumCounts(histogram.Buckets.Select(GetCount));
    }

    internal static DiskSpdPercentileLookup ForReads(List<IoPercentile> listed, IoHistogram? histogram, long? count) =>
        new(listed, histogram, count, p => p.ReadMs, b => b.ReadCount);

    internal static DiskSpdPercentileLookup ForWrites(List<IoPercentile> listed, IoHistogram? histogram, long? count) =>
        new(listed, histogram, count, p => p.WriteMs, b => b.WriteCount);

    internal static DiskSpdPercentileLookup ForAll(List<IoPercentile> listed, IoHistogram? histogram, long? count) =>
        new(listed, histogram, count, p => p.TotalMs, b => (b.ReadCount ?? 0) + (b.WriteCount ?? 0));

    internal bool HasAny => _count > 0 || (_count is null && _max is not null);

    internal int? BucketCount => _inHistogram > 0 ? _histogram!.Buckets.Count(b => GetCount(b) > 0) : null;

    /// <summary>Returns a percentile in milliseconds; null if unknown. Call in ascending order of <paramref name="percent"/>.</summary>
    internal double? GetNext(double percent)
    {
        if (!HasAny)
            return null;
        if (FindListed(percent) is double known)
        {
            _last = known;
            return known;
        }
        if ((GetMaxIfBeyond(percent) ?? EstimateFromHistogram(percent)) is not double value)
            return null;
        // Histogram buckets are coarser than listed percentiles, so limit an estimate to the listed percentiles around it.
        _last = Math.Max(_last, Math.Min(value, FindNextListed(percent) ?? value));
        return _last;
    }

    private double? FindListed(double percent) => GetValue(_listed.Find(p => Math.Abs(p.Percent - percent) < 1e-9));

    private double? FindNextListed(double percent)
    {
        double? min = null;
        foreach (var row in _listed)
        {
            if (row.Percent > percent && GetValue(row) is double value && !(value >= min))
                min = value;
        }
        return min;
    }

    private double? GetValue(IoPercentile? row) => row is null ? null : _value(row);

    private double? EstimateFromHistogram(double percent)
    {
        if (_inHistogram == 0)
            return null;
        var target = percent / 100 * _inHistogram;
        long seen = 0;
        foreach (var bucket in _histogram!.Buckets)
        {
            seen += GetCount(bucket);
            if (seen >= target && seen > 0)
                return Math.Clamp(
                    (bucket.FromMs + (bucket.ToMs ?? bucket.FromMs)) / 2,
                    _min ?? 0,
                    Math.Max(_min ?? 0, _max ?? double.MaxValue)
                );
        }
        return _max;
    }

    private double? GetMaxIfBeyond(double percent) => _count is long count && count * (1 - percent / 100) < 1 ? _max : null;

    private long GetCount(IoHistogramBucket bucket) => _bucketCount(bucket) ?? 0;
}
