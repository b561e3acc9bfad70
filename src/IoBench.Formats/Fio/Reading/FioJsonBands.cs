namespace IoBench.Formats;

internal static class FioJsonStatisticsReader
{
    internal static bool TryReadDistribution(FioJsonParser parser, FioJob job, ReadOnlySpan<byte> key)
    {
        if (key.SequenceEqual("latency_ns"u8))
        {
            job.HasNanosecondBuckets = true;
            ReadLatencyBuckets(parser, job, 1e-6);
        }
        else if (key.SequenceEqual("latency_us"u8))
        {
            ReadLatencyBuckets(parser, job, 1e-3);
        }
        else if (key.SequenceEqual("latency_ms"u8))
        {
            ReadLatencyBuckets(parser, job, 1);
        }
        else if (key.SequenceEqual("iodepth_level"u8))
        {
            ReadDepthLevels(parser, job);
        }
        else
        {
            return false;
        }
        return true;
    }

    private static void ReadLatencyBuckets(FioJsonParser parser, FioJob job, double unitMs)
    {
        if (!parser.TryEnterObject())
            return;
        while (parser.TryReadName(out var key))
        {
            var isLast = key.StartsWith(">="u8);
            var edge = FioJsonParser.ParseNumber(isLast ? key[2..] : key);
            if (parser.ReadNumber() is > 0 and <= FioJob.MaxPercent and var percent)
                FioJob.AddLatencyBucket(job, edge, isLast, unitMs, percent);
        }
    }

    private static void ReadDepthLevels(FioJsonParser parser, FioJob job)
    {
        if (!parser.TryEnterObject())
            return;
        while (parser.TryReadName(out var key))
        {
            if (key.SequenceEqual("1"u8))
                job.DepthOnePercent = parser.ReadNumber();
            else
                parser.SkipValue();
        }
    }
}

internal static class FioJob
{
    private static readonly int[] s_bucketEdges = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000];

    /// <summary>Largest plausible percentage. Rounding errors add up, so fio can print more than 100%.</summary>
    internal const double MaxPercent = 101;
    private const int MaxLatencyBuckets = 40;

    /// <summary>Adds a coarse latency bucket; ignores an edge that fio does not have.</summary>
    /// <param name="edge">Upper edge; for the last bucket the lower edge.</param>
    /// <param name="isLast">True for the last bucket, which has no upper edge.</param>
    /// <param name="unitMs">Milliseconds per unit.</param>
    /// <param name="percent">Percentage of the I/Os.</param>
    internal static void AddLatencyBucket(FioJob job, double? edge, bool isLast, double unitMs, double percent)
    {
        var at = edge is >= 2 and <= 2000 ? Array.IndexOf(s_bucketEdges, (int)edge.Value) : -1;
        if (at < 0 || job.LatencyBuckets.Count >= MaxLatencyBuckets)
            return;
        var perMs = Math.Round(1 / unitMs);
        // The first bucket of a unit starts where the next smaller unit ends. fio 2 has no nanoseconds.
        double from =
            isLast ? edge!.Value
            : at > 0 ? s_bucketEdges[at - 1]
            : unitMs > 0.1 || (unitMs > 1e-5 && job.HasNanosecondBuckets) ? 1
            : 0;
        job.LatencyBuckets.Add(new FioLatencyBucket(from / perMs, isLast ? null : edge / perMs, percent));
    }
}
