namespace IoBench.Engine.Running;

/// <summary>Ends a run whose latency harms whoever shares the storage: the average of the last three whole intervals against a limit.</summary>
/// <param name="limitMs">The limit in milliseconds.</param>
/// <param name="interval">Length of an interval.</param>
internal sealed class LatencyGuard(double limitMs, TimeSpan interval)
{
    private const int Looked = 3;
    private int _next = Looked;
    private int _waitedFrom;

    /// <summary>The reason to stop now; null when there is none. To be asked several times per interval.</summary>
    /// <param name="complete">Number of intervals that are over; -1 before the first one begins.</param>
    /// <param name="outstanding">I/Os that the system has now.</param>
    /// <param name="figures">What was done in an interval.</param>
    public string? WhyStop(int complete, long outstanding, Func<int, TimelineInterval> figures)
    {
        // A run that waits for its next moment, or for a processor between two I/Os, does not wait for the storage.
        if (outstanding == 0)
            _waitedFrom = complete + 1;
        if (complete < _next)
            return null;
        _next = complete + 1;
        var sum = default(TimelineInterval);
        for (var i = complete - Looked; i < complete; i++)
            sum.Add(figures(i));
        var count = sum.Reads + sum.Writes;
        var seconds = Looked * interval.TotalSeconds;
        if (count == 0)
        {
            // What is outstanding has waited this long, if it was outstanding from the first of these intervals on.
            return complete - Looked < _waitedFrom || seconds * 1000 <= limitMs
                ? null
                : FormattableString.Invariant(
                    $"the run was ended: no I/O completed for {seconds:0.##} s, with {outstanding} outstanding (limit {limitMs:0.###} ms)."
                );
        }
        var average = sum.LatencySum / 1e6 / count;
        return average <= limitMs
            ? null
            : FormattableString.Invariant(
                $"the run was ended: the average latency of the last {seconds:0.##} s was {average:0.###} ms, above the limit of {limitMs:0.###} ms."
            );
    }
}
