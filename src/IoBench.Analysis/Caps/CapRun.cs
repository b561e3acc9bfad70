using IoBench.Engine;

namespace IoBench.Analysis;

internal sealed class CapRun
{
    internal required IoTestResult Result { get; init; }
    internal required double BlockKB { get; init; }
    internal required int Depth { get; init; }

    internal required double Iops { get; init; }

    /// <summary>Fewest intervals that show a variation. One interval alone would be perfectly even.</summary>
    private const int MinIntervals = 10;

    /// <summary>Standard deviation over intervals of at least 1 s / mean, after the burst; null if the run has too few of them.</summary>
    internal required double? Variation { get; init; }
    internal required double? LatencyMs { get; init; }
    internal required double? BurstIops { get; init; }
    internal required double? BurstSeconds { get; init; }

    /// <summary>Number of intervals of at least 1 s after the burst.</summary>
    internal required int Intervals { get; init; }

    /// <summary>Whether worker threads waited so long for a CPU that the computer can be the limit.</summary>
    internal bool IsCpuLimited => CpuWait.IsNotable(Result);

    internal double MBps => Iops * BlockKB / 1024;

    /// <summary>Length of an interval in seconds, which determines how much a count can vary by rounding.</summary>
    internal required double IntervalSeconds { get; init; }

    internal static CapRun? FromResult(IoTestResult r)
    {
        if (
            r
            is not { Status: IoResultStatus.Complete, IOPS: > 0, BlockSizeKB: > 0, TotalOutstanding: > 0, LoadModel: not IoLoadModel.Open }
        )
            return null;
        var rates = r.Timeline.Select(t => t.IOPS).OfType<double>().ToList();
        // A computer that became busy looks like the end of a burst.
        var step = CpuWait.IsNotable(r) ? null : ChangePoint.FindStepDown(rates);
        var lasting = step is null ? rates : rates[step.Index..];
        var interval = r.Timeline.Count > 1 ? r.Timeline[1].Seconds - r.Timeline[0].Seconds : 1;
        var perSecond = Math.Max(1, (int)Math.Ceiling(1 / interval - 1e-6));
        // A throttle admits I/Os in slices of a fraction of a second, so shorter intervals vary although the rate is limited.
        var seconds = lasting.Chunk(perSecond).Where(part => part.Length == perSecond).Select(part => part.Average()).ToList();
        var latencies = r.Timeline.Skip(step?.Index ?? 0).Select(t => t.AverageLatencyMs).OfType<double>().ToList();
        return new CapRun
        {
            Result = r,
            BlockKB = r.BlockSizeKB.Value,
            Depth = r.TotalOutstanding.Value,
            Iops = step?.After ?? r.IOPS.Value,
            Variation = seconds.Count >= MinIntervals ? GetTrimmedVariation(seconds) : null,
            LatencyMs = step is not null && latencies.Count > 0 ? latencies.Average() : r.AverageLatencyMs,
            Intervals = seconds.Count,
            BurstIops = step?.Before,
            BurstSeconds = step is null ? null : r.Timeline[step.Index - 1].Seconds,
            IntervalSeconds = interval * perSecond,
        };
    }

    // Ignore the 10% of intervals that are farthest from the median, so that one outlier does not hide a limit.
    private static double GetTrimmedVariation(List<double> rates)
    {
        var median = SampleSummary.FromSamples(rates.Select(r => (double?)r))!.Median;
        var nearest = rates.OrderBy(r => Math.Abs(r - median)).Take(rates.Count - rates.Count / 10).ToList();
        var mean = nearest.Average();
        return mean == 0 ? 0 : Math.Sqrt(nearest.Average(r => (r - mean) * (r - mean))) / mean;
    }
}
