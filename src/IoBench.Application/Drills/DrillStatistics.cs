using System.Runtime.InteropServices;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Collects what the thread of the load reports, for readers on another thread. All members are thread-safe.</summary>
internal sealed class DrillStatistics(Func<double>? longestDelay = null) : IDrillLoopObserver
{
    private const int MaxDetails = 100;
    private const double DelayFactor = 3;
    private const double NanosecondsPerMillisecond = 1e6;

    private readonly object _gate = new();
    private readonly OutageTracker _tracker = new();
    private readonly LatencyHistogram _latencies = new();
    private readonly Dictionary<int, long> _errors = [];
    private readonly List<DrillTargetChange> _changes = [];
    private readonly Queue<DrillEvent> _events = new();
    private readonly Queue<double> _lastSecond = new();
    private double _now;
    private double? _oldest;
    private double _oldestAge;
    private bool _isInOutage;
    private long _reads;
    private long _writes;
    private long _failed;
    private long _notStarted;
    private long _notReturned;
    private long _mismatches;
    private double _longestOutage;
    private int _outages;
    private SlowestDrillIO? _slowest;

    public void OnIO(DrillIO io)
    {
        lock (_gate)
        {
            var seconds = _tracker.GetRunningSeconds(io.Started, io.Ended);
            if (seconds > (_slowest?.Seconds ?? -1))
                _slowest = new SlowestDrillIO(io.Started, seconds, io.Kind, io.Offset, io.IsBack);
            if (!io.IsBack)
                _notReturned++;
            else if (io.Error != 0)
                CountError(io.Error);
            else if (io.Source != DrillIOSource.Proof)
                CountCompleted(io, seconds);
            if (_tracker.Add(io) is { } outage)
                AddOutage(outage);
        }
    }

    public void OnSkipped(int count)
    {
        lock (_gate)
            _notStarted += count;
    }

    public void OnTargetChanged(DrillTargetChange change)
    {
        lock (_gate)
        {
            if (_changes.Count < MaxDetails)
                _changes.Add(change);
            _events.Enqueue(new DrillEvent(DrillEventKind.Target, change.At) { Target = change });
        }
    }

    public void OnPaused(DrillPause pause)
    {
        lock (_gate)
        {
            _tracker.AddPause(pause);
            _events.Enqueue(new DrillEvent(DrillEventKind.Paused, pause.End) { Pause = pause });
        }
    }

    public void OnMismatch(IoIntegrityError error)
    {
        lock (_gate)
            if (_mismatches++ < MaxDetails)
                _events.Enqueue(new DrillEvent(DrillEventKind.Mismatch, _now) { Error = error });
    }

    public void OnTick(double now, double? oldest)
    {
        lock (_gate)
        {
            _now = now;
            _oldest = oldest;
            UpdateShortestOutage();
            _oldestAge = oldest is { } started ? _tracker.GetRunningSeconds(started, now) : 0;
            if (_isInOutage || _tracker.GetCurrentOutage(now, oldest) is not { } outage)
                return;
            _isInOutage = true;
            _events.Enqueue(new DrillEvent(DrillEventKind.OutageBegan, outage.Begin) { Outage = outage });
        }
    }

    public IReadOnlyList<DrillEvent> DequeueEvents()
    {
        lock (_gate)
        {
            DrillEvent[] news = [.. _events];
            _events.Clear();
            return news;
        }
    }

    public DrillProgress GetProgress(double? duration)
    {
        lock (_gate)
        {
            while (_lastSecond.Count > 0 && _lastSecond.Peek() < _now - 1)
                _lastSecond.Dequeue();
            var current = _tracker.GetCurrentOutage(_now, _oldest);
            return new DrillProgress(
                _now,
                duration is { } all ? Math.Max(0, all - _now) : null,
                _lastSecond.Count / Math.Clamp(_now, 0.1, 1),
                current,
                _outages,
                Math.Max(_longestOutage, current?.Seconds ?? 0),
                _failed
            );
        }
    }

    public double OldestIOSeconds
    {
        get
        {
            lock (_gate)
                return _oldestAge;
        }
    }

    public DrillResult ToResult(string path, DateTimeOffset startTime, DrillPlan plan, IoIntegrity? integrity)
    {
        lock (_gate)
        {
            var oldest = _notReturned > 0 ? _oldest : null;
            UpdateShortestOutage();
            return new DrillResult
            {
                Path = path,
                StartTime = startTime,
                DurationSeconds = _now,
                TargetIops = plan.Test.TargetIops ?? 0,
                LimitSeconds = plan.Limit?.TotalSeconds,
                ReadCount = _reads,
                WriteCount = _writes,
                ErrorCount = _failed,
                NotStartedCount = _notStarted,
                NotBackCount = _notReturned,
                ShortestOutageSeconds = _tracker.ShortestSeconds,
                P50Ms = _latencies.GetTrustedPercentile(50) / NanosecondsPerMillisecond,
                P99Ms = _latencies.GetTrustedPercentile(99) / NanosecondsPerMillisecond,
                Errors =
                [
                    .. _errors
                        .OrderByDescending(error => error.Value)
                        .Select(error => new DrillError(error.Key, Marshal.GetPInvokeErrorMessage(error.Key), error.Value)),
                ],
                Outages = _tracker.GetOutages(_now, oldest),
                LongestIO = _slowest,
                TargetChanges = [.. _changes],
                Pauses = [.. _tracker.Pauses],
                Integrity = integrity,
            };
        }
    }

    // A host that runs IoBench late delays I/Os too, so a short stall is not evidence about the storage.
    private void UpdateShortestOutage() =>
        _tracker.ShortestSeconds = Math.Max(OutageTracker.MinSeconds, DelayFactor * (longestDelay?.Invoke() ?? 0));

    private void CountError(int error)
    {
        _failed++;
        _errors[error] = _errors.GetValueOrDefault(error) + 1;
    }

    private void CountCompleted(DrillIO io, double seconds)
    {
        if (io.Kind == IoRequestKind.Read)
            _reads++;
        else
            _writes++;
        _latencies.Add((long)(seconds * Clock.Second));
        _lastSecond.Enqueue(io.Ended);
    }

    private void AddOutage(Outage outage)
    {
        _outages++;
        _longestOutage = Math.Max(_longestOutage, outage.Seconds);
        _isInOutage = false;
        _events.Enqueue(new DrillEvent(DrillEventKind.OutageEnded, outage.End) { Outage = outage });
    }
}
