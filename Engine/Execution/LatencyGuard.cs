using System.Globalization;

namespace IoBench.Engine;

/// <summary>Ends a run whose latency harms whoever shares the storage: the average of the last three whole intervals against a limit.</summary>
internal sealed class LatencyGuard(IoTestSpecification specification, RunExecution execution)
{
    private const int Looked = 3;
    private int _next = Looked;

    /// <summary>The reason to stop now; null when there is none. Looks once an interval.</summary>
    public string? WhyStop(long now)
    {
        if (specification.StopAboveMs is not { } limit)
            return null;
        var complete = (int)Math.Min(execution.Intervals, (now - execution.Control.MeasureFrom) / execution.Control.Interval);
        if (complete < _next)
            return null;
        _next = complete + 1;
        var sum = default(TimelineInterval);
        foreach (var lane in execution.Workers.SelectMany(w => w.Lanes))
            for (var i = complete - Looked; i < complete; i++)
                sum.Add(lane.Timeline[i]);
        var count = sum.Reads + sum.Writes;
        var seconds = Looked * specification.TimelineInterval.TotalSeconds;
        if (count == 0)
        {
            // Nothing came back at all: every outstanding I/O has waited this long.
            return seconds * 1000 <= limit ? null : Text($"the run was ended: no I/O completed for {seconds:0.#} s (limit {limit:0.###} ms).");
        }
        var average = sum.LatencySum / 1e6 / count;
        return average <= limit ? null : Text($"the run was ended: the average latency of the last {seconds:0.#} s was {average:0.###} ms, above the limit of {limit:0.###} ms.");
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
