namespace IoBench.Engine;

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

    /// <summary>Seed of the stamps.</summary>
    ulong ContentSeed { get; }

    /// <summary>The file as it is open at the beginning.</summary>
    DrillGeneration Open();

    /// <summary>
    /// Tries to open the file by its name again, and proves it. Never waits: what takes time goes on elsewhere, and its outcome comes with a later call. Null while
    /// there is nothing new.
    /// </summary>
    /// <param name="isFailing">I/Os on the open handle fail, so that a new one may help though the name leads to the same file.</param>
    (DrillGeneration? Generation, DrillTargetState State, string Text)? TryReopen(bool isFailing);
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
    private const long ReopenEvery = 20_000_000;
    private const long LongestWait = 5_000_000;
    private const int MaxTries = 16;

    private readonly DrillLoadSettings _settings;
    private readonly IDrillTarget _target;
    private readonly IDrillEvents _events;
    private readonly VirtualClock? _modelled;
    private readonly WorkerClock _clock;
    private readonly DrillLedger _ledger;
    private readonly WriteContent _content;
    private readonly List<DrillGeneration> _lost = [];
    private RandomSource _random;
    private DrillGeneration _current;
    private DrillTargetState _state;
    private long _begin;
    private long _lastDone;
    private long _lastFailed;
    private long _nextTry;

    /// <summary>A drill on a target.</summary>
    public DrillLoop(DrillLoadSettings settings, IDrillTarget target, IDrillEvents events, VirtualClock? clock = null)
    {
        (_settings, _target, _events, _modelled, _clock) = (settings, target, events, clock, new WorkerClock(clock));
        _ledger = new DrillLedger(target.Size, settings.BlockSize, target.ContentSeed);
        _content = new WriteContent(new IoPattern { BlockSize = settings.BlockSize, WritePercent = 100 }, target.ContentSeed, null);
        _random = new RandomSource(settings.Seed, 0, 0);
        _current = target.Open();
    }

    /// <summary>Runs until it is told to stop, then reads back what was written and acknowledged.</summary>
    /// <param name="duration">Seconds at most.</param>
    /// <param name="stop">Asked every few milliseconds; null = runs to its end.</param>
    /// <param name="patience">Seconds to wait for what is in flight at the end, and for reading back.</param>
    public void Run(double duration, Func<bool>? stop, double patience)
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
        ReadBack(patience);
        Close();
    }

    private bool TryPrepare(bool write, int? wanted = null)
    {
        if (!_current.HasRoom)
            return false;
        var block = wanted ?? (int)_random.Below(_ledger.Count);
        for (var tries = 0; !_ledger.TryTake(block); tries++)
        {
            // One I/O is at a block at a time; a file of few blocks may have no other.
            if (wanted is not null || tries == MaxTries)
                return false;
            block = (int)_random.Below(_ledger.Count);
        }
        var slot = _current.Slot(_current.Take());
        slot->Operation = write ? SlotOperation.Write : SlotOperation.Read;
        (slot->Offset, slot->Length) = ((long)block * _settings.BlockSize, _settings.BlockSize);
        if (write)
        {
            _content.Fill(Bytes(slot), ref _random);
            _content.Prepare(slot);
            _ledger.Issue(block, Bytes(slot));
        }
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
            var error = completion.Result < 0 ? -completion.Result : completion.Result < slot->Length ? Errno.EIO : 0;
            var io = new DrillIO(Seconds(slot->Started), Seconds(now), Seconds(oldest), (IoRequestKind)slot->Operation, slot->Offset, error);
            Judge(slot, io);
            if (io.IsDone)
                _lastDone = now;
            else
                _lastFailed = now;
            generation.Release(completion.Slot);
            _events.OnIO(io);
        }
    }

    private void Judge(IoSlot* slot, DrillIO io)
    {
        var block = (int)(slot->Offset / _settings.BlockSize);
        if (slot->Operation == SlotOperation.Write)
            _ledger.EndWrite(block, io.IsDone);
        else if (_ledger.EndRead(block, io.IsDone && _modelled is null ? Bytes(slot) : []) is { } wrong)
            _events.OnMismatch(new DrillMismatch(io.Ended, io.Offset, wrong));
    }

    private void TryReopen()
    {
        var now = _clock.Now;
        var (isFailing, without) = (now - _lastFailed < ReopenAfter, now - _lastDone);
        if (without < (isFailing ? ReopenAfterErrors : ReopenAfter))
        {
            if (_state is DrillTargetState.Gone or DrillTargetState.Foreign)
                Tell(DrillTargetState.Open, "I/Os are done again");
            return;
        }
        if (now < _nextTry)
            return;
        _nextTry = now + ReopenEvery;
        if (_target.TryReopen(isFailing && (without > Clock.Second || _state == DrillTargetState.Gone)) is not { } found)
            return;
        if (found.Generation is { } generation)
        {
            _lost.Add(_current);
            _current = generation;
        }
        if (found.State != _state || found.Generation is not null)
            Tell(found.State, found.Text);
    }

    private void Tell(DrillTargetState state, string text)
    {
        _state = state == DrillTargetState.Reopened ? DrillTargetState.Open : state;
        _events.OnTarget(new DrillTargetChange(Seconds(_clock.Now), state, text));
    }

    private void Drain(double patience)
    {
        var until = _clock.Now + (long)(patience * Clock.Second);
        while (_clock.Now < until && _lost.Append(_current).Any(generation => generation.Outstanding > 0))
            Step(start: false, Math.Min(until, _clock.Now + LongestWait));
        var now = _clock.Now;
        foreach (var generation in _lost.Append(_current))
            foreach (var index in generation.InFlight)
                Tell(generation.Slot(index), now);
    }

    private void Tell(IoSlot* slot, long now)
        => _events.OnIO(new DrillIO(Seconds(slot->Started), Seconds(now), Seconds(slot->Started), (IoRequestKind)slot->Operation, slot->Offset, 0, IsBack: false));

    /// <summary>Reads every block that must hold an acknowledged write; a drill that ends in an outage has nothing to read.</summary>
    private void ReadBack(double patience)
    {
        if (_modelled is not null || _lost.Append(_current).Any(generation => generation.Outstanding > 0))
            return;
        var until = _clock.Now + (long)(patience * Clock.Second);
        foreach (var block in _ledger.Written)
        {
            if (_clock.Now > until || !TryPrepare(write: false, block))
                return;
            var count = _current.SubmitAndReap(start: true, until);
            if (count == 0)
                return;
            ReapReadBack(count);
        }
    }

    private void ReapReadBack(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var completion = _current.Completion(i);
            var slot = _current.Slot(completion.Slot);
            Judge(slot, new DrillIO(Seconds(slot->Started), Seconds(_clock.Now), 0, IoRequestKind.Read, slot->Offset, completion.Result == slot->Length ? 0 : Errno.EIO));
            _current.Release(completion.Slot);
        }
    }

    private void Close()
    {
        foreach (var generation in _lost.Append(_current))
            generation.TryClose();
    }

    private static Span<byte> Bytes(IoSlot* slot) => new(slot->Buffer, slot->Length);

    private double Seconds(long moment) => (moment - _begin) / (double)Clock.Second;
}
