using System.Runtime.CompilerServices;

namespace IoBench.Engine;

internal sealed unsafe partial class Worker
{
    private void Run()
    {
        _recorder = new WorkerRecorder(_control, _streams, Counters, IsOpenLoop ? null : Intervals, _memory!);
        foreach (var stream in _streams)
            stream.SetTimes(_control, Intervals);
        _clock.WaitUntil(_control.IoStart);
        StartedAt = _clock.Now;
        for (var i = 0; i < _plan.SlotCount; i++)
            _scheduler!.PrepareNext(_pipeline!.Slots + i, i);
        // Each batch is a call, because the runtime recompiles methods with all optimizations, but not a running loop.
        // The type argument is known when the method is compiled, so a test without verification pays nothing for it.
        if (_isChecked)
            while (RunBatch<WithVerification>()) { }
        else
            while (RunBatch<WithoutVerification>()) { }
        _recorder.RecordAllocations();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool RunBatch<TChecks>()
        where TChecks : struct
    {
        var pipeline = _pipeline!;
        var scheduler = _scheduler!;
        var recorder = _recorder!;
        var until = scheduler.IsPaced && !_finishing ? scheduler.PrepareDue(_clock.Now) : long.MaxValue;
        if (_finishing && pipeline.IsIdle)
            return false;
        var got = pipeline.SubmitAndReap(until);

        var now = _clock.Now;
        if (!_finishing && (_control.IsStopRequested || now >= _control.IoEnd))
            _finishing = true;
        recorder.BeginBatch(now, got, _finishing);
        var completion = pipeline.Completions;
        for (var end = completion + got; completion < end; completion++)
        {
            var slot = pipeline.Slots + completion->Slot;
            if (completion->Result != slot->Length)
            {
                if (!_isGivenUp && !pipeline.TryRetry(completion->Slot, completion->Result))
                    Fail(slot, completion->Result, now);
                continue;
            }
            if (typeof(TChecks) == typeof(WithVerification))
                _streams[slot->Stream].Checks!.OnCompleted(slot);
            recorder.Record(slot);
            if (!_finishing)
                scheduler.PrepareNext(slot, completion->Slot);
        }
        if (_finishing)
            pipeline.DiscardReady();
        recorder.EndBatch(pipeline.Outstanding);
        return !_finishing || pipeline.Outstanding > 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Fail(IoSlot* slot, int result, long now)
    {
        if (_control.Error is null)
            _control.Fail(FileErrors.FromIO(slot, result, _targets[_streams[slot->Stream].Plan.TargetIndex].Path), now);
        _finishing = true;
        _recorder!.StopCounting();
    }

    private struct WithVerification;

    private struct WithoutVerification;
}
