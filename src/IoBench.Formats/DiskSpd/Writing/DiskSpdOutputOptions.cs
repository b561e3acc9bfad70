using IoBench.Engine;

namespace IoBench.Formats;

internal readonly record struct DiskSpdOutputOptions(bool Latency, bool Iops)
{
    /// <summary>Returns what the DiskSpd command line requested, or for a result of another tool everything that is available.</summary>
    internal static DiskSpdOutputOptions ForResult(IoTestResult result) =>
        result.Specification?.GetOrAddOrigin().DiskSpd is { } asked
            ? new DiskSpdOutputOptions(asked.MeasureLatency, asked.GatherIops)
            : new DiskSpdOutputOptions(result.AverageLatencyMs is not null || result.Percentiles.Count > 0, result.IopsStdDev is not null);
}
