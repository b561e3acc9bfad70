using IoBench.Engine;

namespace IoBench.Analysis.Tests;

/// <summary>Computes the IOPS of hosts that share one array, in steps of 10 ms.</summary>
internal sealed class SharedArrayModel(double capacity, double demand)
{
    private const double Step = 0.01,
        WarmUp = 1,
        Interval = 1;
    private const int Outstanding = 32;

    private readonly Random _noise = new(7);

    /// <summary>Duration of the measurement of each host, in seconds.</summary>
    public double Seconds { get; init; } = 30;

    /// <summary>Fraction of its share that a host gets, for hosts with less than their share.</summary>
    public Dictionary<string, double> Shares { get; init; } = [];

    public double GetTotalIops(IReadOnlyList<string> hosts) => GetHostIops(hosts).Values.Sum();

    /// <summary>Returns the IOPS of each host while all specified hosts are active.</summary>
    public Dictionary<string, double> GetHostIops(IReadOnlyList<string> active)
    {
        var rates = active.ToDictionary(host => host, _ => 0.0);
        var (left, open) = (capacity, active.ToList());
        while (open.Count > 0 && left > 1e-6)
        {
            var unit = left / open.Sum(GetWeight);
            var full = open.Where(host => rates[host] + unit * GetWeight(host) >= demand).ToList();
            if (full.Count == 0)
            {
                open.ForEach(host => rates[host] += unit * GetWeight(host));
                break;
            }
            foreach (var host in full)
            {
                left -= demand - rates[host];
                rates[host] = demand;
                open.Remove(host);
            }
        }
        return rates;
    }

    /// <summary>Runs hosts with the specified start offsets, in seconds, and 2% noise. The results are in a mixed order.</summary>
    public List<IoTestResult> Run(string group, IReadOnlyDictionary<string, double> offsets)
    {
        var counts = offsets.Keys.ToDictionary(host => host, _ => new double[(int)(Seconds / Interval)]);
        var end = offsets.Values.Max() + WarmUp + Seconds;
        for (var at = Step / 2; at < end; at += Step)
        {
            var active = offsets.Where(host => at >= host.Value && at < host.Value + WarmUp + Seconds).Select(host => host.Key).ToList();
            foreach (var (host, rate) in GetHostIops(active))
                if ((int)Math.Floor((at - offsets[host] - WarmUp) / Interval) is >= 0 and var interval && interval < counts[host].Length)
                    counts[host][interval] += rate * Step * (0.98 + 0.04 * _noise.NextDouble());
        }
        return
        [
            .. offsets
                .Select(host => CreateResult(group, host.Key, host.Value, counts[host.Key], offsets.Count))
                .OrderBy(_ => _noise.Next()),
        ];
    }

    private double GetWeight(string host) => Shares.GetValueOrDefault(host, 1);

    private IoTestResult CreateResult(string group, string host, double offset, double[] counts, int hosts)
    {
        var iops = counts.Sum() / Seconds;
        var latency = Outstanding / iops * 1000;
        return new IoTestResult
        {
            Source = IoTestResult.OwnSource,
            Status = IoResultStatus.Complete,
            GroupId = group,
            Member = host,
            GroupHosts = hosts,
            StartOffsetSeconds = offset,
            ComputerName = host,
            Workload = "oltp",
            IOPattern = "8KB random read",
            Path = "T:\\iobench.dat",
            IOPS = iops,
            BandwidthMBps = iops / 128,
            DurationSeconds = Seconds,
            IOCount = (long)counts.Sum(),
            AverageLatencyMs = latency,
            MaxLatencyMs = latency * 2,
            Specification = new IoTestSpecification
            {
                WarmUp = TimeSpan.FromSeconds(WarmUp),
                Duration = TimeSpan.FromSeconds(Seconds),
                Workload = "oltp",
            },
            Timeline =
            [
                .. counts.Select(
                    (count, i) =>
                        new IoTimelinePoint
                        {
                            Seconds = (i + 1) * Interval,
                            IOPS = count / Interval,
                            MBps = count / Interval / 128,
                        }
                ),
            ],
            Histogram = new IoHistogram
            {
                Buckets =
                [
                    new()
                    {
                        FromMs = latency * 0.98,
                        ToMs = latency * 1.02,
                        ReadCount = (long)counts.Sum(),
                        WriteCount = 0,
                        Percent = 100,
                    },
                ],
            },
        };
    }
}
