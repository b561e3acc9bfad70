using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Finds outages in the I/Os of a constant load. An outage is a period without a successful I/O while I/Os are outstanding or fail. It ends
/// with the next successful I/O, which can be a read that verifies a reopened file. Errors among successful I/Os form separate outages.
/// </summary>
public sealed class OutageTracker
{
    /// <summary>Smallest value of <see cref="ShortestSeconds"/>. Disks occasionally cause shorter pauses.</summary>
    public const double MinSeconds = 0.1;

    private const double Together = 0.5;

    /// <summary>Largest number of errors that are stored. Errors beyond this number are still counted.</summary>
    private const int MaxRemembered = 1_000_000;

    private readonly List<Outage> _outages = [];
    private readonly List<DrillPause> _pauses = [];
    private readonly List<(double Started, double Ended, bool IsOfOutage)> _failures = [];
    private double _lastDone;
    private double? _firstFailed;
    private int _failuresBefore;

    /// <summary>Shortest period without completions, in seconds, that is an outage. Errors are reported even if they end earlier.</summary>
    public double ShortestSeconds { get; set; } = MinSeconds;

    public IReadOnlyList<DrillPause> Pauses => _pauses;

    /// <summary>Adds a pause, before the I/Os that completed after it.</summary>
    public void AddPause(DrillPause pause) => _pauses.Add(pause);

    /// <summary>Returns the seconds of a period in which IoBench ran.</summary>
    public double GetRunningSeconds(double begin, double end)
    {
        var seconds = end - begin;
        // Periods are recent, so only the last pauses can overlap.
        for (var i = _pauses.Count - 1; i >= 0 && _pauses[i].End > begin; i--)
            seconds -= Math.Max(0, Math.Min(end, _pauses[i].End) - Math.Max(begin, _pauses[i].Begin));
        return seconds;
    }

    /// <summary>Adds an I/O, in the order of completion. Returns the outage that ended with this I/O; otherwise null.</summary>
    public Outage? Add(DrillIO io)
    {
        if (!io.IsBack)
            return null;
        if (!io.IsDone)
        {
            AddFailure(io);
            return null;
        }
        var begin = Math.Max(_lastDone, Math.Min(io.Oldest, _firstFailed ?? double.MaxValue));
        var isOutage = GetRunningSeconds(begin, io.Ended) >= ShortestSeconds && GetRunningSeconds(_lastDone, io.Ended) >= ShortestSeconds;
        var outage = isOutage ? CreateOutage(begin, io.Ended, isOver: true) : null;
        if (outage is not null)
        {
            _outages.Add(outage);
            // Check all errors again: reads that verify a reopened file are reported together, while I/Os on the old handle still fail.
            for (var i = _failuresBefore; i < _failures.Count; i++)
                _failures[i] = (_failures[i].Started, _failures[i].Ended, IsOfOutage: _failures[i].Ended >= begin);
        }
        _lastDone = io.Ended;
        _firstFailed = null;
        _failuresBefore = outage is null ? _failuresBefore : _failures.Count;
        return outage;
    }

    /// <summary>Returns the outage in progress; null if there is none. Times are seconds since the start of the drill.</summary>
    public Outage? GetCurrentOutage(double now, double? oldest)
    {
        var since = Math.Min(oldest ?? double.MaxValue, _firstFailed ?? double.MaxValue);
        var begin = Math.Max(_lastDone, since);
        return since == double.MaxValue || GetRunningSeconds(begin, now) < ShortestSeconds ? null : CreateOutage(begin, now, isOver: false);
    }

    /// <summary>Returns all outages until a time, in order, including one in progress and the errors among successful I/Os.</summary>
    public IReadOnlyList<Outage> GetOutages(double now, double? oldest)
    {
        // The shortest outage can have grown since an outage was added.
        List<Outage> all = [.. _outages.Where(outage => outage.Errors > 0 || outage.Seconds >= ShortestSeconds)];
        if (GetCurrentOutage(now, oldest) is { } current)
            all.Add(current);
        List<(double Started, double Ended, bool IsOfOutage)> rest =
        [
            .. _failures
                .Where(failure =>
                    !failure.IsOfOutage && !all.Exists(outage => failure.Ended >= outage.Begin - 1e-9 && failure.Ended <= outage.End + 1e-9)
                )
                .OrderBy(failure => failure.Ended),
        ];
        for (var i = 0; i < rest.Count; )
        {
            var last = i;
            while (last + 1 < rest.Count && rest[last + 1].Ended - rest[last].Ended <= Together)
                last++;
            var begin = rest.GetRange(i, last - i + 1).Min(failure => failure.Started);
            all.Add(
                new Outage(begin, GetRunningSeconds(begin, rest[last].Ended), OutageKind.SomeErrors, last - i + 1)
                {
                    End = rest[last].Ended,
                }
            );
            i = last + 1;
        }
        return [.. all.OrderBy(outage => outage.Begin)];
    }

    private void AddFailure(DrillIO io)
    {
        if (io.Source == DrillIOSource.Lost && _outages.Count > 0)
        {
            var last = _outages[^1];
            _outages[^1] = last with
            {
                Errors = last.Errors + 1,
                Kind = last.Kind == OutageKind.Stall ? OutageKind.StallAndErrors : last.Kind,
            };
            return;
        }
        _firstFailed ??= io.Started;
        if (_failures.Count < MaxRemembered)
            _failures.Add((io.Started, io.Ended, IsOfOutage: false));
    }

    private Outage CreateOutage(double begin, double end, bool isOver)
    {
        var ends = new List<double> { begin };
        var errors = 0;
        for (var i = _failuresBefore; i < _failures.Count; i++)
        {
            if (_failures[i].Ended < begin)
                continue;
            errors++;
            if (_failures[i].Ended <= end)
                ends.Add(_failures[i].Ended);
        }
        ends.Add(end);
        ends.Sort();
        var silent = ends.Zip(ends.Skip(1), GetRunningSeconds).Max();
        return new Outage(
            begin,
            GetRunningSeconds(begin, end),
            errors == 0 ? OutageKind.Stall
                : silent < Together ? OutageKind.Errors
                : OutageKind.StallAndErrors,
            errors,
            isOver
        )
        {
            End = end,
        };
    }
}
