using System.Globalization;

namespace IoBench.Engine;

internal sealed class LatencyGuard(double limitMs, TimeSpan interval)
{
    private const int IntervalCount = 3;
    private int _next = IntervalCount;
    private int _waitedFrom;

    /// <summary>Returns the reason to stop; null to continue. Must be called several times per interval.</summary>
    /// <param name="complete">Number of complete intervals; -1 before the first one starts.</param>
    public string? GetStopReason(int complete, long outstanding, Func<int, TimelineInterval> figures)
    {
        // Without an outstanding I/O, the run waits for its schedule or for a CPU, not for the storage.
        if (outstanding == 0)
            _waitedFrom = complete + 1;
        if (complete < _next)
            return null;
        _next = complete + 1;
        var sum = default(TimelineInterval);
        for (var i = complete - IntervalCount; i < complete; i++)
            sum.Add(figures(i));
        var count = sum.Reads + sum.Writes;
        var seconds = IntervalCount * interval.TotalSeconds;
        if (count == 0)
        {
            // The outstanding I/Os have waited this long if they were outstanding since the first of these intervals.
            return complete - IntervalCount < _waitedFrom || seconds * 1000 <= limitMs
                ? null
                : FormattableString.Invariant(
                    $"IoBench ended the run, because no I/O completed for {seconds:0.##} s (outstanding I/Os: {outstanding}; limit: {limitMs:0.###} ms)."
                );
        }
        var average = sum.LatencySum / 1e6 / count;
        return average <= limitMs
            ? null
            : string.Create(
                CultureInfo.InvariantCulture,
                $"IoBench ended the run, because the average latency of the last {seconds:0.##} s was {average:0.###} ms, above the limit of "
                    + $"{limitMs:0.###} ms."
            );
    }
}
