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

    /// <summary>Whether worker threads waited so long for a CPU that the computer can be the bottleneck.</summary>
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
        var step = CpuWait.IsNotable(r) ? null : FindStepDown(rates);
        var lasting = step is null ? rates : rates[step.Value.Index..];
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
            BurstSeconds = step is null ? null : r.Timeline[step.Value.Index - 1].Seconds,
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

    private const int MinSegment = 3;
    private const double MinDrop = 0.10;
    private const double MinStepT = 8;

    /// <summary>Null unless the second level is at least 10% lower, clearly beyond noise, and a step fits better than a slope.</summary>
    private static (int Index, double Before, double After)? FindStepDown(IReadOnlyList<double> values)
    {
        var n = values.Count;
        if (n < 2 * MinSegment)
            return null;
        var sums = new double[n + 1];
        var squares = new double[n + 1];
        for (var i = 0; i < n; i++)
        {
            sums[i + 1] = sums[i] + values[i];
            squares[i + 1] = squares[i] + values[i] * values[i];
        }
        double Error(int from, int to) => Math.Max(0, squares[to] - squares[from] - Math.Pow(sums[to] - sums[from], 2) / (to - from));
        var best = Enumerable.Range(MinSegment, n - 2 * MinSegment + 1).MinBy(k => Error(0, k) + Error(k, n));
        var before = sums[best] / best;
        var after = (sums[n] - sums[best]) / (n - best);
        if (!(after < before * (1 - MinDrop)))
            return null;
        var error = Error(0, best) + Error(best, n);
        var deviation = Math.Sqrt(error / (n - 2));
        if (deviation > 0 && (before - after) / (deviation * Math.Sqrt(1.0 / best + 1.0 / (n - best))) < MinStepT)
            return null;
        return error <= 0.7 * GetSlopeError(values) ? (best, before, after) : null;
    }

    private static double GetSlopeError(IReadOnlyList<double> values)
    {
        var middle = (values.Count - 1) / 2.0;
        var mean = values.Average();
        double sxx = 0,
            sxy = 0,
            syy = 0;
        for (var i = 0; i < values.Count; i++)
        {
            sxx += (i - middle) * (i - middle);
            sxy += (i - middle) * (values[i] - mean);
            syy += (values[i] - mean) * (values[i] - mean);
        }
        return syy - sxy * sxy / sxx;
    }
}
