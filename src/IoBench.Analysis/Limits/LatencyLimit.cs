using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Latency statistic that a limit applies to.</summary>
public enum LatencyStatistic
{
    Average,

    /// <summary>The 99th percentile.</summary>
    P99,
}

/// <param name="Statistic">Average or 99th percentile.</param>
/// <param name="Milliseconds">Limit in milliseconds; above 0.</param>
/// <param name="Operation">For a mixed run, the reads or the writes; null or Mixed = all I/Os.</param>
public sealed record LatencyLimit(LatencyStatistic Statistic, double Milliseconds, IoOperation? Operation = null)
{
    /// <summary>
    /// Returns the latency of a run that the limit applies to, in milliseconds; response time for an open loop. Null if the run has none.
    /// </summary>
    public double? GetLatency(IoTestResult result)
    {
        var isAverage = Statistic == LatencyStatistic.Average;
        if (result.Operation != IoOperation.Mixed || Operation is not (IoOperation.Read or IoOperation.Write))
            return isAverage ? result.ResponseAverageMs ?? result.AverageLatencyMs : result.ResponseP99Ms ?? result.P99Ms;
        var isRead = Operation == IoOperation.Read;
        if (result.LoadModel == IoLoadModel.Open)
        {
            var kind = isRead ? result.Totals?.Read : result.Totals?.Write;
            return isAverage ? kind?.ResponseAverageMs : kind?.ResponseP99Ms;
        }
        return (isAverage, isRead) switch
        {
            (true, true) => result.ReadAverageLatencyMs,
            (true, false) => result.WriteAverageLatencyMs,
            (false, true) => result.ReadP99Ms,
            (false, false) => result.WriteP99Ms,
        };
    }

    /// <summary>Smallest number of I/Os for a meaningful value: ten beyond a percentile.</summary>
    public int MinIOs => Statistic == LatencyStatistic.Average ? 100 : 1000;

    /// <summary>Returns the share of a pattern's I/Os that the limit applies to.</summary>
    public double GetShare(IoPattern pattern) =>
        pattern.Operation != IoOperation.Mixed
            ? 1
            : Operation switch
            {
                IoOperation.Read => (100 - pattern.WritePercent) / 100.0,
                IoOperation.Write => pattern.WritePercent / 100.0,
                _ => 1,
            };

    /// <summary>Describes the limit, as in <c>p99 of reads at most 5 ms</c>.</summary>
    public override string ToString() =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{Name}{(Operation is IoOperation.Read ? " of reads" : Operation is IoOperation.Write ? " of writes" : "")} at most {Milliseconds:0.###} ms"
        );

    /// <summary>Name of the statistic in words.</summary>
    public string Name => Statistic == LatencyStatistic.Average ? "average latency" : "p99";
}
