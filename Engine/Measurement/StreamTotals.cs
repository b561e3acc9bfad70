namespace IoBench.Engine;

internal sealed class StreamTotals
{
    private readonly TimelineInterval[] _timeline;
    private IntervalLatency[]? _readIntervals;
    private IntervalLatency[]? _writeIntervals;

    public StreamTotals(int intervals) => _timeline = new TimelineInterval[intervals];

    public StreamTotals(IEnumerable<TargetStream> streams, int intervals)
        : this(intervals)
    {
        foreach (var stream in streams)
            Add(stream);
    }

    public LatencyDistributions Latencies { get; } = new();
    public long ReadBytes { get; private set; }

    public long WriteBytes { get; private set; }

    public ReadOnlySpan<TimelineInterval> Timeline => _timeline;

    public double[] TimelineBytes { get; private set; } = [];

    /// <summary>Empty if the test does not record them.</summary>
    public ReadOnlySpan<IntervalLatency> ReadIntervals => _readIntervals;

    /// <summary>Empty if the test does not record them.</summary>
    public ReadOnlySpan<IntervalLatency> WriteIntervals => _writeIntervals;

    public void FillTotals(IoReadWriteTotals result, double seconds, double intervalSeconds, int wholeIntervals)
    {
        var service = Latencies.Service;
        var response = Latencies.Response!.Latencies;
        result.Total = CreateTotals(
            service.Total,
            response.Total,
            ReadBytes + WriteBytes,
            seconds,
            Deviation(i => _timeline[i].Reads + _timeline[i].Writes)
        );
        result.Read = CreateTotals(service.Reads!, response.Reads!, ReadBytes, seconds, Deviation(i => _timeline[i].Reads));
        result.Write = CreateTotals(service.Writes!, response.Writes!, WriteBytes, seconds, Deviation(i => _timeline[i].Writes));

        double? Deviation(Func<int, long> count) => GetIopsDeviation(count, intervalSeconds, wholeIntervals);
    }

    public static double? GetIopsDeviation(Func<int, long> count, double intervalSeconds, int wholeIntervals)
    {
        if (wholeIntervals == 0)
            return null;
        var rates = Enumerable.Range(0, wholeIntervals).Select(i => count(i) / intervalSeconds).ToArray();
        var average = rates.Average();
        return Math.Sqrt(rates.Average(r => (r - average) * (r - average)));
    }

    private void Add(TargetStream stream)
    {
        Latencies.Add(stream.Latencies);
        if (TimelineBytes.Length == 0)
            TimelineBytes = new double[_timeline.Length];
        for (var i = 0; i < _timeline.Length && i < stream.Timeline.Length; i++)
        {
            ref readonly var point = ref stream.Timeline[i];
            _timeline[i].Add(point);
            ReadBytes += point.ReadBytes;
            WriteBytes += point.WriteBytes;
            TimelineBytes[i] += point.ReadBytes + point.WriteBytes;
        }
        Add(stream.ReadIntervals, ref _readIntervals);
        Add(stream.WriteIntervals, ref _writeIntervals);
    }

    private void Add(ReadOnlySpan<IntervalLatency> stream, ref IntervalLatency[]? sum)
    {
        if (stream.IsEmpty)
            return;
        sum ??= new IntervalLatency[_timeline.Length];
        for (var i = 0; i < sum.Length && i < stream.Length; i++)
            sum[i].Add(stream[i]);
    }

    private static IoTotals CreateTotals(
        LatencyHistogram latency,
        LatencyHistogram response,
        long bytes,
        double seconds,
        double? deviation
    ) =>
        new()
        {
            IOCount = latency.Count,
            ByteCount = bytes,
            IOPS = seconds > 0 ? latency.Count / seconds : null,
            MBps = seconds > 0 ? bytes / 1048576.0 / seconds : null,
            AverageLatencyMs = ReadWriteHistograms.ToMilliseconds(latency.Average),
            MinLatencyMs = ReadWriteHistograms.ToMilliseconds(latency.GetTrustedPercentile(0)),
            MaxLatencyMs = ReadWriteHistograms.ToMilliseconds(latency.GetTrustedPercentile(100)),
            LatencyStdDevMs = ReadWriteHistograms.ToMilliseconds(latency.StandardDeviation),
            IopsStdDev = deviation,
            ResponseAverageMs = ReadWriteHistograms.ToMilliseconds(response.Average),
            ResponseP99Ms = ReadWriteHistograms.ToMilliseconds(response.GetTrustedPercentile(99)),
            ResponseMaxMs = ReadWriteHistograms.ToMilliseconds(response.GetTrustedPercentile(100)),
        };

    /// <summary>Percent of the due I/Os that completed, at most 100; null if none was due. Outstanding I/Os are not missed.</summary>
    public static double? GetAchievedRatePercent(IReadOnlyList<TargetStream> streams, IoTestSpecification specification)
    {
        var sum = new LatencyDistributions();
        foreach (var stream in streams)
            sum.Add(stream.Latencies);
        var service = sum.Service.Total;
        var done = service.Count;
        var due = sum.Response!.DueCount;
        if (due == 0)
            return null;
        var measured = specification.Duration.TotalSeconds * 1e9;
        var inFlight = done * (service.Average ?? 0) / measured;
        var isPoisson = streams[0].Plan.Pattern is { TargetIops: not null, Arrivals: IoArrivals.Poisson };
        var passing = 1 + (specification.WarmUp > TimeSpan.Zero ? 0 : inFlight) + (isPoisson ? 3 * Math.Sqrt(inFlight) : 0);
        return due - done <= passing ? 100 : 100.0 * done / due;
    }
}

internal struct TimelineInterval
{
    public const int Size = 6 * sizeof(long);

    public long Reads;

    public long Writes;

    public long ReadBytes;

    public long WriteBytes;

    /// <summary>Sum of the latencies in nanoseconds.</summary>
    public long LatencySum;

    /// <summary>Highest latency in nanoseconds.</summary>
    public long LatencyMax;

    public void Add(in TimelineInterval other)
    {
        Reads += other.Reads;
        Writes += other.Writes;
        ReadBytes += other.ReadBytes;
        WriteBytes += other.WriteBytes;
        LatencySum += other.LatencySum;
        LatencyMax = Math.Max(LatencyMax, other.LatencyMax);
    }

    /// <summary>2.8 hours of seconds. For a day, the interval is 9 s, so that the timeline stays small.</summary>
    public const int MaxIntervals = 10_000;

    public static TimeSpan GetLength(IoTestSpecification specification) =>
        specification.Extension is { KeepsTimelineInterval: true }
            ? specification.TimelineInterval
            : specification.TimelineInterval
                * Math.Max(1, Math.Ceiling(specification.Duration / specification.TimelineInterval / MaxIntervals));

    public static int CountIntervals(IoTestSpecification specification) =>
        (int)Math.Ceiling(specification.Duration / GetLength(specification));
}
