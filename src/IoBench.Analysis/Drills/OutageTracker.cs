namespace IoBench.Analysis.Drills;

/// <summary>
/// Finds outages in the I/Os of a steady load, as they come back. An outage is a time without an I/O that was done while some were in flight or failed; it begins
/// with the first of those and ends with the next that is done: one of the load, or a read by which a file that came back was proved. Errors among I/Os that are done
/// make windows of their own.
/// </summary>
public sealed class OutageTracker
{
    /// <summary>What is shorter, in seconds, is no outage: disks and busy computers take that long at times.</summary>
    public const double Shortest = 0.1;

    /// <summary>Errors this close together, in seconds, are one window.</summary>
    private const double Together = 0.5;

    /// <summary>Errors are remembered up to here; all are counted.</summary>
    private const int MaxRemembered = 1_000_000;

    private readonly List<Outage> _outages = [];
    private readonly List<Failure> _failures = [];
    private double _lastDone;
    private double? _firstFailed;
    private int _failuresBefore;

    /// <summary>An I/O came back, in the order of their ends; the outage that ended with it, if one did.</summary>
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
        var outage = io.Ended - begin >= Shortest && io.Ended - _lastDone >= Shortest ? Make(begin, io.Ended, isOver: true) : null;
        if (outage is not null)
        {
            _outages.Add(outage);
            // Also those that failed since: the reads of a proof are reported when all of them are done, while I/Os on the dead handle go on failing.
            for (var i = _failuresBefore; i < _failures.Count; i++)
                _failures[i] = _failures[i] with { IsOfOutage = _failures[i].Ended >= begin };
        }
        (_lastDone, _firstFailed) = (io.Ended, null);
        _failuresBefore = outage is null ? _failuresBefore : _failures.Count;
        return outage;
    }

    /// <summary>The outage that goes on at a moment; null when none does.</summary>
    /// <param name="now">Seconds from the drill's beginning.</param>
    /// <param name="oldest">When the oldest I/O in flight was started; null without any.</param>
    public Outage? Current(double now, double? oldest)
    {
        var since = Math.Min(oldest ?? double.MaxValue, _firstFailed ?? double.MaxValue);
        var begin = Math.Max(_lastDone, since);
        return since == double.MaxValue || now - begin < Shortest ? null : Make(begin, now, isOver: false);
    }

    /// <summary>All outages up to a moment, in order, with one that goes on and with windows of errors among I/Os that were done.</summary>
    public IReadOnlyList<Outage> All(double now, double? oldest)
    {
        List<Outage> all = [.. _outages];
        if (Current(now, oldest) is { } current)
            all.Add(current);
        List<Failure> rest =
        [
            .. _failures
                .Where(failure =>
                    !failure.IsOfOutage
                    && !all.Exists(outage => failure.Ended >= outage.Begin - 1e-9 && failure.Ended <= outage.Begin + outage.Seconds + 1e-9)
                )
                .OrderBy(failure => failure.Ended),
        ];
        for (var i = 0; i < rest.Count; )
        {
            var last = i;
            while (last + 1 < rest.Count && rest[last + 1].Ended - rest[last].Ended <= Together)
                last++;
            var begin = rest.GetRange(i, last - i + 1).Min(failure => failure.Started);
            all.Add(new Outage(begin, rest[last].Ended - begin, OutageKind.SomeErrors, last - i + 1));
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
                Kind = last.Kind == OutageKind.Silence ? OutageKind.SilenceAndErrors : last.Kind,
            };
            return;
        }
        _firstFailed ??= io.Started;
        if (_failures.Count < MaxRemembered)
            _failures.Add(new Failure(io.Started, io.Ended));
    }

    private Outage Make(double begin, double end, bool isOver)
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
        var silent = ends.Zip(ends.Skip(1), (one, next) => next - one).Max();
        return new Outage(
            begin,
            end - begin,
            errors == 0 ? OutageKind.Silence
                : silent < Together ? OutageKind.Errors
                : OutageKind.SilenceAndErrors,
            errors,
            isOver
        );
    }

    private readonly record struct Failure(double Started, double Ended, bool IsOfOutage = false);
}
