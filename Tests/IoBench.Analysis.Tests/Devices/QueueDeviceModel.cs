using IoBench.Engine;

namespace IoBench.Analysis.Tests;

/// <summary>
/// Simulates a device without a clock: parallel servers with a service time by block size, after limits on the rates. An open loop has even
/// arrivals, a closed loop has a fixed queue depth.
/// </summary>
public sealed class QueueDeviceModel
{
    private readonly Random _random;

    public QueueDeviceModel(int seed) => _random = new Random(seed);

    public int Servers { get; init; } = 1;

    /// <summary>Mean service time, in milliseconds, by block size in KB.</summary>
    public Func<double, double> MeanMs { get; init; } = _ => 1;
    public bool Exponential { get; init; } = true;

    /// <summary>Random arrivals of an open loop instead of even ones.</summary>
    public bool Poisson { get; init; }

    /// <summary>IOPS limit, which admits I/Os evenly; null if there is none.</summary>
    public double? IopsCap { get; init; }
    public double? BytesCap { get; init; }

    /// <summary>Number of I/Os above the limit that a full bucket admits.</summary>
    public double BurstCredit { get; set; }
    public double BurstIops { get; init; }

    /// <summary>
    /// Maximum random delay of an I/O at a limit, in intervals of that limit (throttles are not perfectly even, but keep their rate).
    /// </summary>
    public double CapJitter { get; init; }

    public IoTestResult Run(IoTestSpecification spec)
    {
        var seconds = spec.Duration.TotalSeconds;
        var targets = Math.Max(1, spec.Targets.Count);
        var outstanding = spec.ThreadCount * spec.OutstandingIO * targets;
        var rate = spec.TargetIops * targets;
        List<(double End, double Latency)> done = new(1 << 16);
        var servers = new PriorityQueue<double, double>();
        for (var i = 0; i < Servers; i++)
            servers.Enqueue(0, 0);
        var clients = new PriorityQueue<double, double>();
        for (var i = 0; rate is null && i < outstanding; i++)
            clients.Enqueue(0, 0);
        double gate = 0;
        var warm = spec.WarmUp.TotalSeconds;
        double random = 0;
        var arrived = 0;
        for (long i = 0; ; i++)
        {
            if (rate is { } perSecond && Poisson)
                random -= Math.Log(1 - _random.NextDouble()) / perSecond;
            var arrival = rate is { } r ? (Poisson ? random : i / r) : clients.Peek();
            if (arrival >= warm + seconds)
                break;
            if (arrival >= warm)
                arrived++;
            var admitted = AdmitIO(arrival, ref gate, spec.BlockSize);
            var mean = MeanMs(spec.BlockSize / 1024.0) / 1000;
            var service = Exponential ? -mean * Math.Log(1 - _random.NextDouble()) : mean;
            var end = Math.Max(admitted, servers.Peek()) + service;
            servers.DequeueEnqueue(end, end);
            if (rate is null)
                clients.DequeueEnqueue(end, end);
            // As in every tool, an I/O counts if it completes during the measurement.
            if (end >= warm && end < warm + seconds)
                done.Add((end - warm, (end - arrival) * 1000));
        }
        var result = CreateResult(spec, done, seconds, outstanding, rate);
        // The number of random arrivals differs from the rate by chance, so compare with the arrivals. I/Os in progress at the end are not late.
        if (rate is not null && Poisson)
            result.RateReachedPercent = 100 * (1 - Math.Max(0, arrived - done.Count - outstanding) / Math.Max(1.0, arrived));
        return result;
    }

    // A token bucket admits arrivals in order, one I/O (or its bytes) at a time, and faster while the bucket lasts.
    private double AdmitIO(double arrival, ref double gate, long bytes)
    {
        var interval = Math.Max(
            IopsCap is { } iops ? 1 / (BurstCredit > 0 ? BurstIops : iops) : 0,
            BytesCap is { } rate ? bytes / rate : 0
        );
        if (interval == 0)
            return arrival;
        if (BurstCredit > 0 && IopsCap is { } cap)
            BurstCredit -= 1 - cap / BurstIops;
        gate = Math.Max(arrival, gate) + interval;
        return gate + interval * CapJitter * _random.NextDouble();
    }

    private static IoTestResult CreateResult(
        IoTestSpecification spec,
        List<(double End, double Latency)> done,
        double seconds,
        int outstanding,
        double? rate
    )
    {
        var sorted = new double[done.Count];
        var counts = new int[(int)seconds];
        var sums = new double[(int)seconds];
        for (var i = 0; i < done.Count; i++)
        {
            sorted[i] = done[i].Latency;
            var second = Math.Min((int)done[i].End, counts.Length - 1);
            counts[second]++;
            sums[second] += done[i].Latency;
        }
        Array.Sort(sorted);
        var timeline = counts
            .Select(
                (count, i) =>
                    new IoTimelinePoint
                    {
                        Seconds = i + 1,
                        IOPS = count,
                        MBps = count * spec.BlockSize / 1048576.0,
                        AverageLatencyMs = count == 0 ? null : sums[i] / count,
                    }
            )
            .ToList();
        var iops = done.Count / seconds;
        double? average = sorted.Length == 0 ? null : sorted.Average();
        double? p99 = sorted.Length < 1000 ? null : sorted[(int)Math.Ceiling(sorted.Length * 0.99) - 1];
        var mean = timeline.Average(t => t.IOPS!.Value);
        return new IoTestResult
        {
            Status = IoResultStatus.Complete,
            Specification = spec,
            Workload = spec.Workload,
            Label = spec.Label,
            Repeat = spec.Repeat,
            Path = string.Join("; ", spec.Targets.Select(t => t.Path)),
            TargetCount = spec.Targets.Count,
            Operation = spec.Operation,
            WritePercent = spec.WritePercent,
            AccessPattern = spec.AccessPattern,
            BlockSizeKB = spec.BlockSize / 1024.0,
            IOPattern = PatternText.Describe(spec),
            ThreadCount = spec.ThreadCount,
            OutstandingIO = spec.OutstandingIO,
            TotalOutstanding = outstanding,
            Buffering = spec.Buffering,
            LoadModel = rate is null ? IoLoadModel.Closed : IoLoadModel.Open,
            TargetIops = rate,
            DurationSeconds = seconds,
            IOCount = done.Count,
            IOPS = iops,
            BandwidthMBps = iops * spec.BlockSize / 1048576.0,
            AverageLatencyMs = average,
            P99Ms = p99,
            ResponseAverageMs = rate is null ? null : average,
            ResponseP99Ms = rate is null ? null : p99,
            LittlesLawLatencyMs = rate is null ? outstanding / iops * 1000 : null,
            Timeline = timeline,
            IopsStdDev = Math.Sqrt(timeline.Average(t => Math.Pow(t.IOPS!.Value - mean, 2))),
        };
    }
}
