using IoBench.Engine;

namespace IoBench.Analysis;

public enum LatencyStatistic
{
    Average,

    P99,
}

/// <param name="Operation">For a mixed run, the reads or the writes; null or Mixed = all I/Os.</param>
public sealed record LatencyLimit(LatencyStatistic Statistic, double Milliseconds, IoOperation? Operation = null)
{
    /// <summary>Latency that the limit applies to, in milliseconds; response time for an open loop. Null if the run has none.</summary>
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

    public double GetShare(IoPattern pattern) =>
        pattern.Operation != IoOperation.Mixed
            ? 1
            : Operation switch
            {
                IoOperation.Read => (100 - pattern.WritePercent) / 100.0,
                IoOperation.Write => pattern.WritePercent / 100.0,
                _ => 1,
            };

    public override string ToString() => Invariant($"{Name}{OperationText} at most {Milliseconds:0.###} ms");

    private string OperationText =>
        Operation switch
        {
            IoOperation.Read => " of reads",
            IoOperation.Write => " of writes",
            _ => "",
        };

    public string Name => Statistic == LatencyStatistic.Average ? "average latency" : "p99";
}
