namespace IoBench.Formats;

internal static class FioJsonStatisticsReader
{
    /// <summary>Largest number of percentiles that are read; fio allows 20.</summary>
    private const int MaxPercentiles = 64;

    /// <summary>Largest number of buckets that are read; fio 3 has 29 groups of 64.</summary>
    private const int MaxBins = 4096;

    internal static FioDirection ReadDirection(FioJsonParser parser)
    {
        var direction = new FioDirection();
        if (!parser.TryEnterObject())
            return direction;
        long? amount = null,
            kilobytes = null;
        double? rate = null,
            exactRate = null;
        while (parser.TryReadName(out var key))
        {
            if (key.SequenceEqual("io_bytes"u8))
                amount = parser.ReadCount();
            else if (key.SequenceEqual("io_kbytes"u8))
                kilobytes = parser.ReadCount();
            else if (key.SequenceEqual("bw_bytes"u8))
                exactRate = parser.ReadNumber();
            else if (key.SequenceEqual("bw"u8))
                rate = parser.ReadNumber() * 1024;
            else if (!TryReadLatency(parser, direction, key) && !TryReadCount(parser, direction, key))
                parser.SkipValue();
        }
        // Before fio 2.21, this value is in KiB although the name says bytes.
        direction.Bytes =
            kilobytes is not null ? amount
            : amount < long.MaxValue / 1024 ? amount * 1024
            : null;
        direction.BytesPerSecond = exactRate ?? rate;
        if (direction is { RuntimeMs: 0, Bytes: > 0 })
        {
            direction.BytesPerSecond = null;
            direction.Iops = null;
        }
        return direction;
    }

    private static bool TryReadCount(FioJsonParser parser, FioDirection direction, ReadOnlySpan<byte> key)
    {
        if (key.SequenceEqual("iops"u8))
            direction.Iops = parser.ReadNumber();
        else if (key.SequenceEqual("runtime"u8))
            direction.RuntimeMs = parser.ReadNumber();
        else if (key.SequenceEqual("total_ios"u8))
            direction.IOs = parser.ReadCount();
        else if (key.SequenceEqual("short_ios"u8))
            direction.ShortIOs = parser.ReadCount();
        else if (key.SequenceEqual("drop_ios"u8))
            direction.DroppedIOs = parser.ReadCount();
        else if (key.SequenceEqual("iops_stddev"u8))
            direction.IopsDeviation = parser.ReadNumber();
        else if (key.SequenceEqual("iops_samples"u8))
            direction.IopsSamples = parser.ReadCount();
        else
            return false;
        return true;
    }

    private static bool TryReadLatency(FioJsonParser parser, FioDirection direction, ReadOnlySpan<byte> key)
    {
        if (key.SequenceEqual("lat_ns"u8))
            direction.Total = ReadLatency(parser, 1e6);
        else if (key.SequenceEqual("clat_ns"u8))
            direction.Completion = ReadLatency(parser, 1e6);
        else if (key.SequenceEqual("slat_ns"u8))
            direction.Submission = ReadLatency(parser, 1e6);
        else if (key.SequenceEqual("lat"u8))
            direction.Total = ReadLatency(parser, 1e3);
        else if (key.SequenceEqual("clat"u8))
            direction.Completion = ReadLatency(parser, 1e3);
        else if (key.SequenceEqual("slat"u8))
            direction.Submission = ReadLatency(parser, 1e3);
        else
            return false;
        return true;
    }

    /// <param name="unitsPerMs">1,000,000 for nanoseconds (fio 3), 1,000 for microseconds (fio 2).</param>
    internal static FioLatency ReadLatency(FioJsonParser parser, double unitsPerMs)
    {
        var latency = new FioLatency { UnitsPerMs = unitsPerMs };
        if (!parser.TryEnterObject())
            return latency;
        while (parser.TryReadName(out var key))
        {
            if (key.SequenceEqual("min"u8))
                latency.Min = parser.ReadNumber();
            else if (key.SequenceEqual("max"u8))
                latency.Max = parser.ReadNumber();
            else if (key.SequenceEqual("mean"u8))
                latency.Mean = parser.ReadNumber();
            else if (key.SequenceEqual("stddev"u8))
                latency.Deviation = parser.ReadNumber();
            else if (key.SequenceEqual("N"u8))
                latency.Count = parser.ReadCount();
            else if (key.SequenceEqual("percentile"u8))
                ReadPercentiles(parser, latency);
            else if (key.SequenceEqual("bins"u8))
                ReadBins(parser, latency);
            else
                parser.SkipValue();
        }
        return latency;
    }

    private static void ReadPercentiles(FioJsonParser parser, FioLatency latency)
    {
        if (!parser.TryEnterObject())
            return;
        while (parser.TryReadName(out var key))
        {
            var percent = FioJsonParser.ParseNumber(key);
            // Old versions fill the list with zeros under one name.
            if (parser.ReadNumber() is { } value && percent is > 0 and <= 100 && latency.Percentiles.Count < MaxPercentiles)
                latency.Percentiles.Add((percent.Value, value));
        }
    }

    private static void ReadBins(FioJsonParser parser, FioLatency latency)
    {
        if (!parser.TryEnterObject())
            return;
        var bits = -1L;
        while (parser.TryReadName(out var key))
        {
            var value = FioValueParser.ParseInteger(key);
            var isBits = key.SequenceEqual("FIO_IO_U_PLAT_BITS"u8);
            if (parser.ReadCount() is not { } count)
                continue;
            if (isBits)
                bits = count;
            else if (value is not null && latency.Bins.Count < MaxBins)
                latency.Bins.Add((value.Value, count));
        }
        // Before 2.18, fio names buckets by number instead of midpoint, and states the number of bits at the end.
        if (bits >= 0)
            FioHistogramBins.ConvertBinNumbers(latency.Bins, bits);
    }

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
                job.AddLatencyBucket(edge, isLast, unitMs, percent);
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
