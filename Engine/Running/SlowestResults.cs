namespace IoBench.Engine;

internal static class ResultBuilder
{
    public static void FillSlowest(IoTestResult result, RunExecution execution)
    {
        var from = execution.Control.MeasureFrom;
        var to = Math.Min(execution.Control.MeasureTo, execution.Control.StoppedAt);
        result.SlowestIOs =
        [
            .. execution
                .Workers.SelectMany(worker => CreateSlowIOs(worker, from))
                .OrderByDescending(io => io.LatencyMs)
                .ThenBy(io => io.Seconds)
                .Take(IoSlowIO.MaxCount),
        ];
        result.Silences =
        [
            .. CreateStalls(execution.Workers, from, to)
                .OrderByDescending(s => s.LengthSeconds)
                .Take(IoStall.MaxCount)
                .OrderBy(s => s.Seconds),
        ];
    }

    private static IEnumerable<IoSlowIO> CreateSlowIOs(Worker worker, long from)
    {
        var slowest = worker.Slowest is { } found ? found.All.ToArray() : [];
        return slowest.Select(io => new IoSlowIO
        {
            Seconds = ToSeconds(io.Started - from),
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

    private static IEnumerable<IoStall> CreateStalls(Worker[] workers, long from, long to)
    {
        var all = StallLog.FindCommonStalls([.. workers.Select(GetStalls)], from, to);
        foreach (var silence in all)
            yield return CreateStall(silence, from, null);
        // A stall of a thread with several targets does not show which target stalled.
        if (Array.Exists(workers, worker => worker.Streams.Count > 1))
            yield break;
        var targets = workers.GroupBy(worker => worker.Streams[0].Plan.TargetIndex).ToArray();
        foreach (var target in targets.Length > 1 ? targets : [])
        foreach (var silence in StallLog.FindCommonStalls([.. target.Select(GetStalls)], from, to))
            if (!all.Exists(whole => whole.BusySince < silence.To && silence.BusySince < whole.To))
                yield return CreateStall(silence, from, target.Key);
    }

    private static WorkerStall[] GetStalls(Worker worker) => worker.Stalls is { } found ? found.All.ToArray() : [];

    private static IoStall CreateStall(WorkerStall silence, long from, int? target) =>
        new()
        {
            Seconds = ToSeconds(silence.BusySince - from),
            LengthSeconds = ToSeconds(silence.To - silence.BusySince),
            Target = target,
        };

    private static double ToSeconds(long nanoseconds) => Math.Round(nanoseconds / 1e9, 6);
}
