namespace IoBench.Engine;

/// <summary>The sum of any number of lanes: of a thread, a target or the whole run.</summary>
internal sealed class Tally
{
    private readonly TimelineInterval[] _timeline;
    private IntervalLatency[]? _readIntervals;
    private IntervalLatency[]? _writeIntervals;

    /// <summary>An empty sum over so many intervals.</summary>
    public Tally(int intervals) => _timeline = new TimelineInterval[intervals];

    /// <summary>The sum of lanes.</summary>
    public Tally(IEnumerable<Lane> lanes, int intervals) : this(intervals)
    {
        foreach (var lane in lanes)
            Add(lane);
    }

    /// <summary>Latencies of reads.</summary>
    public LatencyHistogram Reads { get; } = new();
    /// <summary>Latencies of writes.</summary>
    public LatencyHistogram Writes { get; } = new();
    /// <summary>Times of reads from the intended start (open loop).</summary>
    public LatencyHistogram ReadResponses { get; } = new();
    /// <summary>Times of writes from the intended start (open loop).</summary>
    public LatencyHistogram WriteResponses { get; } = new();
    /// <summary>Times of flushes.</summary>
    public LatencyHistogram Flushes { get; } = new();
    /// <summary>Bytes read.</summary>
    public long ReadBytes { get; private set; }
    /// <summary>Bytes written.</summary>
    public long WriteBytes { get; private set; }
    /// <summary>The measured time by interval.</summary>
    public ReadOnlySpan<TimelineInterval> Timeline => _timeline;
    /// <summary>Bytes by interval.</summary>
    public double[] TimelineBytes { get; private set; } = [];
    /// <summary>Latencies of reads by interval; empty when they were not kept.</summary>
    public ReadOnlySpan<IntervalLatency> ReadIntervals => _readIntervals;
    /// <summary>Latencies of writes by interval; empty when they were not kept.</summary>
    public ReadOnlySpan<IntervalLatency> WriteIntervals => _writeIntervals;
    /// <summary>Reads and writes.</summary>
    public LatencyHistogram Total => Sum(Reads, Writes);
    /// <summary>Times of reads and writes from the intended start (open loop).</summary>
    public LatencyHistogram Responses => Sum(ReadResponses, WriteResponses);

    /// <summary>Reads, writes and their sum as results say it.</summary>
    public void Fill(IoReadWriteTotals result, double seconds, double intervalSeconds, int wholeIntervals)
    {
        result.Total = Totals(Total, Responses, ReadBytes + WriteBytes, seconds, Deviation(i => _timeline[i].Reads + _timeline[i].Writes));
        result.Read = Totals(Reads, ReadResponses, ReadBytes, seconds, Deviation(i => _timeline[i].Reads));
        result.Write = Totals(Writes, WriteResponses, WriteBytes, seconds, Deviation(i => _timeline[i].Writes));

        double? Deviation(Func<int, long> count) => IopsDeviation(count, intervalSeconds, wholeIntervals);
    }

    /// <summary>Population standard deviation of IOPS over the whole intervals; null when there are none.</summary>
    public static double? IopsDeviation(Func<int, long> count, double intervalSeconds, int wholeIntervals)
    {
        if (wholeIntervals == 0)
            return null;
        var rates = Enumerable.Range(0, wholeIntervals).Select(i => count(i) / intervalSeconds).ToArray();
        var average = rates.Average();
        return Math.Sqrt(rates.Average(r => (r - average) * (r - average)));
    }

    private void Add(Lane lane)
    {
        if (lane.Reads is not null)
            Reads.Add(lane.Reads);
        if (lane.Writes is not null)
            Writes.Add(lane.Writes);
        if (lane.Flushes is not null)
            Flushes.Add(lane.Flushes);
        if (lane.Details is not null)
            Add(lane.Details);
        var blockSize = lane.Plan.Pattern.BlockSize;
        ReadBytes += (lane.Reads?.Count ?? 0) * blockSize;
        WriteBytes += (lane.Writes?.Count ?? 0) * blockSize;
        if (TimelineBytes.Length == 0)
            TimelineBytes = new double[_timeline.Length];
        for (var i = 0; i < _timeline.Length && i < lane.Timeline.Length; i++)
        {
            _timeline[i].Add(lane.Timeline[i]);
            TimelineBytes[i] += (double)(lane.Timeline[i].Reads + lane.Timeline[i].Writes) * blockSize;
        }
    }

    private void Add(LaneDetails details)
    {
        if (details.ReadResponses is not null)
            ReadResponses.Add(details.ReadResponses);
        if (details.WriteResponses is not null)
            WriteResponses.Add(details.WriteResponses);
        Add(details.ReadIntervals, ref _readIntervals);
        Add(details.WriteIntervals, ref _writeIntervals);
    }

    private void Add(ReadOnlySpan<IntervalLatency> lane, ref IntervalLatency[]? sum)
    {
        if (lane.IsEmpty)
            return;
        sum ??= new IntervalLatency[_timeline.Length];
        for (var i = 0; i < sum.Length && i < lane.Length; i++)
            sum[i].Add(lane[i]);
    }

    private static LatencyHistogram Sum(LatencyHistogram reads, LatencyHistogram writes)
    {
        var sum = new LatencyHistogram();
        sum.Add(reads);
        sum.Add(writes);
        return sum;
    }

    private static IoTotals Totals(LatencyHistogram latency, LatencyHistogram response, long bytes, double seconds, double? deviation) => new()
    {
        IOCount = latency.Count,
        ByteCount = bytes,
        IOPS = seconds > 0 ? latency.Count / seconds : null,
        MBps = seconds > 0 ? bytes / 1048576.0 / seconds : null,
        AverageLatencyMs = DistributionResult.Milliseconds(latency.Average),
        MinLatencyMs = latency.Count == 0 ? null : latency.Min / 1e6,
        MaxLatencyMs = latency.Count == 0 ? null : latency.Max / 1e6,
        LatencyStdDevMs = DistributionResult.Milliseconds(latency.StandardDeviation),
        IopsStdDev = deviation,
        ResponseAverageMs = DistributionResult.Milliseconds(response.Average),
        ResponseP99Ms = DistributionResult.Milliseconds(response.TrustedPercentile(99)),
    };
}
