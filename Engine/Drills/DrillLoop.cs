namespace IoBench.Engine;

internal interface IReopenableTarget
{
    long Size { get; }

    /// <summary>Verification of the reads; null for a modeled device, which has no content.</summary>
    DrillVerification? Verification { get; }

    OpenDrillFile Open();

    /// <summary>
    /// Opens and verifies the file by its name in the background. A later call returns the outcome; null = no new outcome.
    /// </summary>
    /// <param name="trySame">Whether to reopen the same file too, because the open handle can be unusable.</param>
    DrillReopenResult? TryReopen(bool trySame);

    void CancelReopening();
}

/// <param name="Generation">The verified, open file; null if it was not opened.</param>
internal sealed record DrillReopenResult(OpenDrillFile? Generation, DrillTargetReason Reason, string? Path = null, string? Detail = null)
{
    /// <summary>The target of another file that has taken the name; null if the same file was reopened.</summary>
    public OpenTarget? Target { get; init; }
    public OpenFile? File { get; init; }
    public IReadOnlyList<(long Offset, long Began, long Ended)> Reads { get; init; } = [];
}

/// <summary>
/// Steady load that continues during outages: errors are counted, hanging I/Os stay pending, and a lost file is reopened and verified.
/// Single-threaded, so that a modeled device and clock give reproducible results.
/// </summary>
public sealed unsafe class DrillLoop
{
    public const int MaxOutstanding = 64;

    // Nanoseconds without a completed I/O after which the drill checks the file's name.
    private const long ReopenAfter = 250_000_000;
    private const long ReopenAfterErrors = 50_000_000;
    private const long ReopenEvery = 5_000_000;
    private const long LongestWait = 5_000_000;

    // If a new handle on the same file does not help, the next one rarely does.
    private const long SameEvery = 5 * Clock.Second;
    private const int MaxTries = 16;
    private const long LongestReadBack = 60 * Clock.Second;

    private readonly double _rate;
    private readonly int _writePercent;
    private readonly int _blockSize;
    private readonly IReopenableTarget _target;
    private readonly IDrillLoopObserver _events;
    private readonly WorkerClock _clock;
    private readonly Func<long, (long Begin, long End)?>? _takeGap;
    private readonly StreamVerifier? _checks;
    private readonly long _blocks;
    private readonly List<OpenDrillFile> _lost = [];
    private RandomSource _random;
    private OpenDrillFile _current;
    private DrillTargetState _state;
    private long _begin;

    // Nanoseconds by which scheduling gaps have delayed the load.
    private long _delay;
    private long _lastDone;
    private long _lastFailed;
    private long _nextTry;
    private long _reopened;
    private bool _isReopening;

    /// <param name="test">Its target rate (I/Os per second, evenly spaced), write percentage, block size, and seed apply.</param>
    /// <param name="gaps">Periods in which the host did not run the process; null = not detected.</param>
    public DrillLoop(IoTestSpecification test, DrillTarget target, IDrillLoopObserver events, SchedulingGapMonitor? gaps)
        : this(test, target, events, clock: null, gaps is null ? null : gaps.TakeGap) { }

    internal DrillLoop(
        IoTestSpecification test,
        IReopenableTarget target,
        IDrillLoopObserver events,
        VirtualClock? clock = null,
        Func<long, (long Begin, long End)?>? takeGap = null
    )
    {
        _takeGap = takeGap;
        var pattern = test.GetPattern(test.Targets[0]);
        _rate = test.TargetIops!.Value;
        _writePercent = pattern.WritePercent;
        _blockSize = (int)pattern.BlockSize;
        _target = target;
        _events = events;
        _checks = target.Verification?.Stream;
        _clock = new WorkerClock(clock);
        _blocks = target.Size / _blockSize;
        _random = new RandomSource(test.Seed, 0, 0);
        _current = target.Open();
    }

    /// <param name="stop">Polled every few milliseconds; null = run to the end.</param>
    /// <param name="patience">Seconds to wait for pending I/Os at the end, and for each I/O of the final pass.</param>
    /// <param name="readsBack">Whether to continue the final pass, polled before each of its I/Os; null = always.</param>
    public void Run(double duration, Func<bool>? stop, double patience, Func<bool>? readsBack = null)
    {
        _begin = Math.Max(1, _clock.Now);
        _lastDone = _begin;
        var end = _begin + (long)(duration * Clock.Second);
        var interval = Clock.Second / _rate;
        var due = 0L;
        for (var now = _begin; now < end && stop?.Invoke() != true; now = _clock.Now)
        {
            var missed = 0;
            var started = false;
            for (; _begin + _delay + (long)(due * interval) <= now && !started; due++)
            {
                started = TryPrepare(write: _random.NextBelow(100) < _writePercent);
                if (!started)
                    missed++;
            }
            if (missed > 0)
                _events.OnSkipped(missed);
            var next = _begin + _delay + (long)(due * interval);
            SubmitAndReap(started, Math.Min(Math.Min(next, end), now + LongestWait));
            TryReopen();
        }
        Drain(patience);
        RunFinalPass(patience, readsBack);
        CloseFiles();
    }

    private bool TryPrepare(bool write)
    {
        if (!_current.HasFreeSlot)
            return false;
        var slot = _current.GetSlot(_current.AcquireSlot());
        slot->Operation = write ? IoRequestKind.Write : IoRequestKind.Read;
        for (var tries = 0; tries < MaxTries; tries++)
            if (TryPrepareAt(slot, _random.NextBelow(_blocks) * _blockSize))
                return true;
        // Each of these offsets has a pending write. A file of few blocks can have no other.
        _current.ReturnSlot();
        return false;
    }

    private bool TryPrepareAt(IoSlot* slot, long offset)
    {
        slot->Offset = offset;
        slot->Length = _blockSize;
        if (_checks is not null && slot->Operation == IoRequestKind.Read)
        {
            StreamVerifier.MarkBuffer(slot->Buffer, slot->Length);
            _checks.BeginRead(slot);
        }
        else if (_checks?.TryBeginWrite(slot) == false)
            return false;
        slot->Started = _clock.Now;
        return true;
    }

    private void SubmitAndReap(bool start, long until)
    {
        Reap(_current, _current.SubmitAndReap(start, until));
        for (var i = _lost.Count - 1; i >= 0; i--)
        {
            Reap(_lost[i], _lost[i].SubmitAndReap(start: false, _clock.Now));
            if (_lost[i].TryClose())
                _lost.RemoveAt(i);
        }
        _events.OnTick(ToSeconds(ReadClock()), OldestStarted is { } oldest ? ToSeconds(oldest) : null);
    }

    /// <summary>Reports the scheduling gaps until now before anything that happened after them.</summary>
    private long ReadClock()
    {
        var now = _clock.Now;
        while (_takeGap?.Invoke(now) is { } gap)
        {
            var begin = Math.Max(gap.Begin, _begin);
            if (gap.End <= begin)
                continue;
            _delay += gap.End - begin;
            _events.OnPaused(new DrillPause(ToSeconds(begin), (gap.End - begin) / (double)Clock.Second));
        }
        return now;
    }

    private long? OldestStarted => _lost.Append(_current).Min(generation => generation.OldestStarted);

    private void Reap(OpenDrillFile generation, int count)
    {
        var now = ReadClock();
        var oldest = OldestStarted ?? now;
        for (var i = 0; i < count; i++)
        {
            var completion = generation.GetCompletion(i);
            var slot = generation.GetSlot(completion.Slot);
            // A short transfer counts as an error, because the file is shorter than it was.
            var error =
                completion.Result < 0 ? -completion.Result
                : completion.Result < slot->Length ? LinuxCalls.EIO
                : 0;
            var source = generation == _current ? DrillIOSource.Load : DrillIOSource.Lost;
            var io = new DrillIO(
                ToSeconds(slot->Started),
                ToSeconds(now),
                ToSeconds(oldest),
                slot->Operation,
                slot->Offset,
                error,
                Source: source
            );
            VerifyIO(slot, io.IsDone);
            if (io.IsDone)
                _lastDone = now;
            else
                _lastFailed = now;
            generation.ReleaseSlot(completion.Slot);
            _events.OnIO(io);
        }
    }

    private void VerifyIO(IoSlot* slot, bool isDone)
    {
        if (isDone)
            _checks?.OnCompleted(slot);
        else
            _checks?.OnFailed(slot);
    }

    private void TryReopen()
    {
        var now = _clock.Now;
        var isFailing = now - _lastFailed < ReopenAfter;
        var without = now - _lastDone;
        if (without < (isFailing ? ReopenAfterErrors : ReopenAfter))
        {
            if (_isReopening)
                _target.CancelReopening();
            _isReopening = false;
            if (_state is DrillTargetState.Gone or DrillTargetState.Foreign)
                ReportChange(DrillTargetReason.DoneAgain);
            return;
        }
        if (now < _nextTry)
            return;
        _nextTry = now + ReopenEvery;
        _isReopening = true;
        if (_target.TryReopen(isFailing && (_lastDone > _reopened || now - _reopened > SameEvery)) is not { } found)
            return;
        if (found.Generation is { } generation)
        {
            // These reads completed. The outage ends with the first of them, and a gap between two of them is an outage too.
            foreach (var read in found.Reads)
                _events.OnIO(
                    new DrillIO(
                        ToSeconds(read.Began),
                        ToSeconds(read.Ended),
                        ToSeconds(read.Began),
                        IoRequestKind.Read,
                        read.Offset,
                        0,
                        Source: DrillIOSource.Proof
                    )
                );
            _lost.Add(_current);
            _current = generation;
            _reopened = now;
            _isReopening = false;
        }
        if (DrillTargetChange.GetState(found.Reason) != _state || found.Generation is not null)
            ReportChange(found.Reason, found.Path, found.Detail);
    }

    private void ReportChange(DrillTargetReason reason, string? path = null, string? detail = null)
    {
        var change = new DrillTargetChange(ToSeconds(_clock.Now), reason, path, detail);
        _state = change.State == DrillTargetState.Reopened ? DrillTargetState.Open : change.State;
        _events.OnTargetChanged(change);
    }

    private void Drain(double patience)
    {
        var until = _clock.Now + (long)(patience * Clock.Second);
        while (_clock.Now < until && _lost.Append(_current).Any(generation => generation.Outstanding > 0))
            SubmitAndReap(start: false, Math.Min(until, _clock.Now + LongestWait));
        var now = _clock.Now;
        foreach (var generation in _lost.Append(_current))
        foreach (var index in generation.PendingSlots)
            ReportPendingIO(generation.GetSlot(index), now);
    }

    private void ReportPendingIO(IoSlot* slot, long now) =>
        _events.OnIO(
            new DrillIO(ToSeconds(slot->Started), ToSeconds(now), ToSeconds(slot->Started), slot->Operation, slot->Offset, 0, IsBack: false)
        );

    /// <summary>Returns early if the drill ended during an outage.</summary>
    private void RunFinalPass(double patience, Func<bool>? isWanted)
    {
        if (
            _target.Verification is not { } checks
            || isWanted?.Invoke() == false
            || _lost.Append(_current).Any(generation => generation.Outstanding > 0)
        )
            return;
        checks.BeginFinalPass();
        var end = _clock.Now + LongestReadBack;
        var next = 0L;
        var done = 0L;
        while (done < _blocks)
        {
            var start = next < _blocks && _current.HasFreeSlot;
            if (start)
            {
                var slot = _current.GetSlot(_current.AcquireSlot());
                slot->Operation = IoRequestKind.Read;
                start = TryPrepareAt(slot, next++ * _blockSize);
            }
            var count = _current.SubmitAndReap(start, start ? _clock.Now : Math.Min(end, _clock.Now + (long)(patience * Clock.Second)));
            if (!start && count == 0 || !TryReapFinalReads(count) || isWanted?.Invoke() == false)
                return;
            done += count;
            checks.FinalPassBytes = done * _blockSize;
        }
        checks.EndFinalPass(_blocks * _blockSize);
    }

    private bool TryReapFinalReads(int count)
    {
        var all = true;
        for (var i = 0; i < count; i++)
        {
            var completion = _current.GetCompletion(i);
            var slot = _current.GetSlot(completion.Slot);
            var isDone = completion.Result == slot->Length;
            all &= isDone;
            VerifyIO(slot, isDone);
            _current.ReleaseSlot(completion.Slot);
        }
        return all;
    }

    private void CloseFiles()
    {
        foreach (var generation in _lost.Append(_current))
            generation.TryClose();
    }

    private double ToSeconds(long moment) => (moment - _begin) / (double)Clock.Second;
}
