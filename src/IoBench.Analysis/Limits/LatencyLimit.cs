using System.Globalization;

namespace IoBench.Analysis.Limits;

/// <summary>Which figure of latency a limit is about.</summary>
public enum LatencyStatistic
{
    Average,

    /// <summary>The 99th percentile.</summary>
    P99,
}

/// <summary>A limit that latency must keep.</summary>
/// <param name="Statistic">The average or the 99th percentile.</param>
/// <param name="Milliseconds">The limit; above 0.</param>
/// <param name="Operation">Of the reads or the writes of a mixed run; null or Mixed = of all I/Os.</param>
public sealed record LatencyLimit(LatencyStatistic Statistic, double Milliseconds, IoOperation? Operation = null)
{
    /// <summary>
    /// The figure of a run that the limit is about, from the intended start on when the run was an open loop; null when the run has none.
    /// </summary>
    public double? Of(IoTestResult result)
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

    /// <summary>Smallest number of I/Os that make the figure meaningful: ten beyond a percentile.</summary>
    public int MinIOs => Statistic == LatencyStatistic.Average ? 100 : 1000;

    /// <summary>Share of a pattern's I/Os that the limit is about.</summary>
    public double ShareOf(IoPattern pattern) =>
        pattern.Operation != IoOperation.Mixed
            ? 1
            : Operation switch
            {
                IoOperation.Read => (100 - pattern.WritePercent) / 100.0,
                IoOperation.Write => pattern.WritePercent / 100.0,
                _ => 1,
            };

    /// <summary>The limit in words: <c>p99 of reads at most 5 ms</c>.</summary>
    public override string ToString() =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{Name}{(Operation is IoOperation.Read ? " of reads" : Operation is IoOperation.Write ? " of writes" : "")} at most {Milliseconds:0.###} ms"
        );

    /// <summary>The figure's name in words.</summary>
    public string Name => Statistic == LatencyStatistic.Average ? "average latency" : "p99";
}
