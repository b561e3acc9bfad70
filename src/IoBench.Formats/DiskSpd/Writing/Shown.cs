using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Optional parts of a result's DiskSpd output.</summary>
/// <param name="Latency">Latency columns and percentiles (-L).</param>
/// <param name="Iops">Deviation of IOPS, and the time series in XML (-D).</param>
internal readonly record struct Shown(bool Latency, bool Iops)
{
    /// <summary>Returns what the DiskSpd command line requested, or for a result of another tool everything that is available.</summary>
    internal static Shown For(IoTestResult result) =>
        result.Specification?.Origin().DiskSpd is { } asked
            ? new Shown(asked.MeasureLatency, asked.GatherIops)
            : new Shown(result.AverageLatencyMs is not null || result.Percentiles.Count > 0, result.IopsStdDev is not null);
}
