namespace IoBench.Engine.Drills;

/// <summary>What a drill does.</summary>
/// <param name="Rate">I/Os due per second, evenly.</param>
/// <param name="WritePercent">Share of writes.</param>
/// <param name="BlockSize">Bytes of an I/O.</param>
/// <param name="Seed">Fixes what is read and written where.</param>
internal sealed record DrillLoadSettings(double Rate, int WritePercent, int BlockSize, ulong Seed)
{
    /// <summary>I/Os in flight at most: what is due beyond is counted, not started.</summary>
    public int MaxOutstanding { get; init; } = 64;
}

/// <summary>Where a drill gets its file from, and gets it again.</summary>
internal interface IDrillTarget
{
    /// <summary>Bytes that are used.</summary>
    long Size { get; }

    /// <summary>The checks of what is read; null = of a modelled device, which has no content.</summary>
    DrillChecks? Checks { get; }

    /// <summary>The file as it is open at the beginning.</summary>
    DrillGeneration Open();

    /// <summary>
    /// Tries to open the file by its name again, and proves it. Never waits: what takes time goes on elsewhere, and its outcome comes with a later call. Null while
    /// there is nothing new.
    /// </summary>
    /// <param name="trySame">The open handle may be dead: a new one may help though the name leads to the same file.</param>
    DrillReopening? TryReopen(bool trySame);

    /// <summary>I/Os are done again: what is being opened is not needed.</summary>
    void EndReopening();
}

/// <summary>What came of an attempt to open a drill's file again.</summary>
/// <param name="Generation">The file, proved and open; null when it was not opened.</param>
/// <param name="Reason">What was seen.</param>
/// <param name="Path">The file.</param>
/// <param name="Detail">As in <see cref="DrillTargetChange"/>.</param>
internal sealed record DrillReopening(DrillGeneration? Generation, DrillTargetReason Reason, string? Path = null, string? Detail = null)
{
    /// <summary>The reads that proved it, by the clock of the drill, in order.</summary>
    public IReadOnlyList<TimedRead> Reads { get; init; } = [];
}

/// <summary>
/// A steady load that goes on whatever happens: an error is counted, a hang waited for, a file that was lost is opened again once it is proved. Single-threaded, so
/// that a modelled device and clock show exactly what it does.
/// </summary>
internal sealed unsafe class DrillLoop
{
    // Without an I/O that was done for so long, the name is asked; again after each such time.
    private const long ReopenAfter = 250_000_000;
    private const long ReopenAfterErrors = 50_000_000;
    private const long ReopenEvery = 5_000_000;
    private const long LongestWait = 5_000_000;

    // A new handle on the same file that does not help either: most do not.
    private const long SameEvery = 5 * Clock.Second;
    private const int MaxTries = 16;
    private const long LongestReadBack = 60 * Clock.Second;

    private readonly DrillLoadSettings _settings;
    private readonly IDrillTarget _target;
    private readonly IDrillEvents _events;
    private readonly WorkerClock _clock;
    private readonly StreamChecks? _checks;
    private readonly long _blocks;
    private readonly List<DrillGeneration> _lost = [];
    private RandomSource _random;
    private DrillGeneration _current;
    private DrillTargetState _state;
    private long _begin;
    private long _lastDone;
    private long _lastFailed;
    private long _nextTry;
    private long _reopened;
    private bool _isReopening;

    /// <summary>A drill on a target.</summary>
    public DrillLoop(DrillLoadSettings settings, IDrillTarget target, IDrillEvents events, VirtualClock? clock = null)
    {
        (_settings, _target, _events, _checks, _clock) = (settings, target, events, target.Checks?.Stream, new WorkerClock(clock));
        _blocks = target.Size / settings.BlockSize;
        _random = new RandomSource(settings.Seed, 0, 0);
        _current = target.Open();
    }

    /// <summary>Runs until it is told to stop, then reads the file once more.</summary>
    /// <param name="duration">Seconds at most.</param>
    /// <param name="stop">Asked every few milliseconds; null = runs to its end.</param>
    /// <param name="patience">Seconds to wait for what is in flight at the end, and for an I/O of the last reading.</param>
    /// <param name="readsBack">Whether the file is read once more, asked before each of those I/Os; null = it is.</param>
    public void Run(double duration, Func<bool>? stop, double patience, Func<bool>? readsBack = null)
    {
        _begin = _lastDone = Math.Max(1, _clock.Now);
        var (end, interval) = (_begin + (long)(duration * Clock.Second), Clock.Second / _settings.Rate);
        var due = 0L;
        for (var now = _begin; now < end && stop?.Invoke() != true; now = _clock.Now)
        {
            var missed = 0;
            var started = false;
            for (; _begin + (long)(due * interval) <= now && !started; due++)
                if (!(started = TryPrepare(write: _random.Below(100) < _settings.WritePercent)))
                    missed++;
            if (missed > 0)
                _events.OnNotStarted(missed);
            var next = _begin + (long)(due * interval);
            Step(started, Math.Min(Math.Min(next, end), now + LongestWait));
            TryReopen();
        }
        Drain(patience);
        ReadBack(patience, readsBack);
        Close();
    }

    private bool TryPrepare(bool write)
    {
        if (!_current.HasRoom)
            return false;
        var slot = _current.Slot(_current.Take());
        slot->Operation = write ? SlotOperation.Write : SlotOperation.Read;
        for (var tries = 0; tries < MaxTries; tries++)
            if (TryPlace(slot, _random.Below(_blocks) * _settings.BlockSize))
                return true;
        // Writes are on their way to each of these places: a file of few blocks may have no other.
        _current.GiveBack();
        return false;
    }

    private bool TryPlace(IoSlot* slot, long offset)
    {
        (slot->Offset, slot->Length) = (offset, _settings.BlockSize);
        if (_checks is not null && slot->Operation == SlotOperation.Read)
        {
            Poison.Put(slot->Buffer, slot->Length);
            _checks.BeginRead(slot);
        }
        else if (_checks?.TryBeginWrite(slot) == false)
            return false;
        slot->Started = _clock.Now;
        return true;
    }

    private void Step(bool start, long until)
    {
        Reap(_current, _current.SubmitAndReap(start, until));
        for (var i = _lost.Count - 1; i >= 0; i--)
        {
            Reap(_lost[i], _lost[i].SubmitAndReap(start: false, _clock.Now));
            if (_lost[i].TryClose())
                _lost.RemoveAt(i);
        }
        _events.OnLook(Seconds(_clock.Now), Oldest is { } oldest ? Seconds(oldest) : null);
    }

    private long? Oldest => _lost.Append(_current).Min(generation => generation.Oldest);

    private void Reap(DrillGeneration generation, int count)
    {
        var now = _clock.Now;
        var oldest = Oldest ?? now;
        for (var i = 0; i < count; i++)
        {
            var completion = generation.Completion(i);
            var slot = generation.Slot(completion.Slot);
            // A part only is as much as nothing: the file is shorter than it was.
            var error =
                completion.Result < 0 ? -completion.Result
                : completion.Result < slot->Length ? Errno.EIO
                : 0;
            var source = generation == _current ? DrillIOSource.Load : DrillIOSource.Lost;
            var io = new DrillIO(
                Seconds(slot->Started),
                Seconds(now),
                Seconds(oldest),
                (IoRequestKind)slot->Operation,
                slot->Offset,
                error,
                Source: source
            );
            Check(slot, io.IsDone);
            if (io.IsDone)
                _lastDone = now;
            else
                _lastFailed = now;
            generation.Release(completion.Slot);
            _events.OnIO(io);
        }
    }

    private void Check(IoSlot* slot, bool isDone)
    {
        if (isDone)
            _checks?.Completed(slot);
        else
            _checks?.Failed(slot);
    }

    private void TryReopen()
    {
        var now = _clock.Now;
        var (isFailing, without) = (now - _lastFailed < ReopenAfter, now - _lastDone);
        if (without < (isFailing ? ReopenAfterErrors : ReopenAfter))
        {
            if (_isReopening)
                _target.EndReopening();
            _isReopening = false;
            if (_state is DrillTargetState.Gone or DrillTargetState.Foreign)
                Report(DrillTargetReason.DoneAgain);
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
            // An I/O that is done: with the first of them the outage is over, and a gap between them is one.
            foreach (var read in found.Reads)
                _events.OnIO(
                    new DrillIO(
                        Seconds(read.Began),
                        Seconds(read.Ended),
                        Seconds(read.Began),
                        IoRequestKind.Read,
                        read.Offset,
                        0,
                        Source: DrillIOSource.Proof
                    )
                );
            _lost.Add(_current);
            (_current, _reopened, _isReopening) = (generation, now, false);
        }
        if (DrillText.StateOf(found.Reason) != _state || found.Generation is not null)
            Report(found.Reason, found.Path, found.Detail);
    }

    private void Report(DrillTargetReason reason, string? path = null, string? detail = null)
    {
        var change = new DrillTargetChange(Seconds(_clock.Now), reason, path, detail);
        _state = change.State == DrillTargetState.Reopened ? DrillTargetState.Open : change.State;
        _events.OnTarget(change);
    }

    private void Drain(double patience)
    {
        var until = _clock.Now + (long)(patience * Clock.Second);
        while (_clock.Now < until && _lost.Append(_current).Any(generation => generation.Outstanding > 0))
            Step(start: false, Math.Min(until, _clock.Now + LongestWait));
        var now = _clock.Now;
        foreach (var generation in _lost.Append(_current))
        foreach (var index in generation.InFlight)
            ReportNotBack(generation.Slot(index), now);
    }

    private void ReportNotBack(IoSlot* slot, long now) =>
        _events.OnIO(
            new DrillIO(
                Seconds(slot->Started),
                Seconds(now),
                Seconds(slot->Started),
                (IoRequestKind)slot->Operation,
                slot->Offset,
                0,
                IsBack: false
            )
        );

    /// <summary>Reads all of the file once more, in order; a drill that ends in an outage has nothing to read.</summary>
    private void ReadBack(double patience, Func<bool>? isWanted)
    {
        if (
            _target.Checks is not { } checks
            || isWanted?.Invoke() == false
            || _lost.Append(_current).Any(generation => generation.Outstanding > 0)
        )
            return;
        checks.BeginFinalPass();
        var end = _clock.Now + LongestReadBack;
        for (var (next, done) = (0L, 0L); done < _blocks; )
        {
            var start = next < _blocks && _current.HasRoom;
            if (start)
            {
                var slot = _current.Slot(_current.Take());
                slot->Operation = SlotOperation.Read;
                start = TryPlace(slot, next++ * _settings.BlockSize);
            }
            var count = _current.SubmitAndReap(start, start ? _clock.Now : Math.Min(end, _clock.Now + (long)(patience * Clock.Second)));
            if (!start && count == 0 || !AreRead(count) || isWanted?.Invoke() == false)
                return;
            done += count;
            checks.FinalDone = done * _settings.BlockSize;
        }
        checks.EndFinalPass(_blocks * _settings.BlockSize);
    }

    private bool AreRead(int count)
    {
        var all = true;
        for (var i = 0; i < count; i++)
        {
            var completion = _current.Completion(i);
            var slot = _current.Slot(completion.Slot);
            var isDone = completion.Result == slot->Length;
            all &= isDone;
            Check(slot, isDone);
            _current.Release(completion.Slot);
        }
        return all;
    }

    private void Close()
    {
        foreach (var generation in _lost.Append(_current))
            generation.TryClose();
    }

    private double Seconds(long moment) => (moment - _begin) / (double)Clock.Second;
}
