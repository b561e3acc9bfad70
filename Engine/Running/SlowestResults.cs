namespace IoBench.Engine;

internal static class SlowestResults
{
    public static void Fill(IoTestResult result, RunExecution execution)
    {
        var from = execution.Control.MeasureFrom;
        var to = Math.Min(execution.Control.MeasureTo, execution.Control.StoppedAt);
        result.SlowestIOs =
        [
            .. execution
                .Workers.SelectMany(worker => SlowestOf(worker, from))
                .OrderByDescending(io => io.LatencyMs)
                .ThenBy(io => io.Seconds)
                .Take(IoSlowIO.MaxCount),
        ];
        result.Silences =
        [
            .. SilencesOf(execution.Workers, from, to)
                .OrderByDescending(s => s.LengthSeconds)
                .Take(IoSilence.MaxCount)
                .OrderBy(s => s.Seconds),
        ];
    }

    private static IEnumerable<IoSlowIO> SlowestOf(Worker worker, long from)
    {
        var slowest = worker.Slowest is { } found ? found.All.ToArray() : [];
        return slowest.Select(io => new IoSlowIO
        {
            Seconds = Seconds(io.Started - from),
            LatencyMs = io.Latency / 1e6,
            QueuedMs = io.Queued < 0 ? null : io.Queued / 1e6,
            Kind = (IoRequestKind)io.Operation,
            Offset = io.Operation == SlotOperation.Flush ? null : io.Offset,
            Size = io.Operation == SlotOperation.Flush ? null : io.Size,
            InFlight = io.InFlight,
            Target = io.Target,
            Thread = worker.Plan.Thread,
            IsLost = io.IsLost ? true : null,
        });
    }

    private static IEnumerable<IoSilence> SilencesOf(Worker[] workers, long from, long to)
    {
        var all = SilenceLog.Common([.. workers.Select(Silences)], from, to);
        foreach (var silence in all)
            yield return Result(silence, from, null);
        // A stall of a thread with several targets does not show which target stalled.
        if (Array.Exists(workers, worker => worker.Streams.Count > 1))
            yield break;
        var targets = workers.GroupBy(worker => worker.Streams[0].Plan.TargetIndex).ToArray();
        foreach (var target in targets.Length > 1 ? targets : [])
        foreach (var silence in SilenceLog.Common([.. target.Select(Silences)], from, to))
            if (!all.Exists(whole => whole.BusySince < silence.To && silence.BusySince < whole.To))
                yield return Result(silence, from, target.Key);
    }

    private static Silence[] Silences(Worker worker) => worker.Silences is { } found ? found.All.ToArray() : [];

    private static IoSilence Result(Silence silence, long from, int? target) =>
        new()
        {
            Seconds = Seconds(silence.BusySince - from),
            LengthSeconds = Seconds(silence.To - silence.BusySince),
            Target = target,
        };

    private static double Seconds(long nanoseconds) => Math.Round(nanoseconds / 1e9, 6);
}
