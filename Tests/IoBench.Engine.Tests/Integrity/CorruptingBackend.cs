namespace IoBench.Engine.Tests;

/// <summary>
/// The backend of a worker on a <see cref="CorruptingDevice"/>. It executes I/Os in any order, some time after their submission.
/// </summary>
internal sealed unsafe class CorruptingBackend(CorruptingDevice device) : IoBackend
{
    private readonly List<(int Slot, CorruptingDevice.SubmissionState Submission)> _pending = [];
    private readonly List<CorruptingDevice.ExecutedIO> _answers = [];
    private readonly Random _random = new(device.GetNextSeed());
    private IoSlot* _slots;
    private TargetHandle[] _targets = [];
    private long _returned;

    public override BackendDescriptor Kind => ThreadsBackend.Descriptor;

    public override void Open(BackendSetup setup)
    {
        _slots = setup.Slots;
        _targets = setup.Targets;
    }

    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        MarkCompletionsVerified();
        for (var i = 0; i < count; i++)
            _pending.Add((ready[i], device.RecordSubmission(_slots + ready[i], _returned)));
        var got = 0;
        for (var want = _random.Next(1, 6); want > 0 && _pending.Count > 0; want--)
        {
            var at = _random.Next(_pending.Count);
            var (slot, submission) = _pending[at];
            if (
                device.TryExecute(_slots + slot, _targets[_slots[slot].HandleIndex], submission, isAlone: _pending.Count == 1)
                is not { } answer
            )
                continue;
            _pending.RemoveAt(at);
            _answers.Add(answer);
            completions[got++] = new IoCompletion { Slot = slot, Result = _slots[slot].Length };
        }
        _returned = device.GetNextTime();
        return got;
    }

    // The worker has ended, so it has verified all completions.
    public override void Close() => MarkCompletionsVerified();

    /// <summary>The worker has returned, so it has verified the reads of the last call, and its writes are acknowledged.</summary>
    private void MarkCompletionsVerified()
    {
        device.MarkVerified(_answers);
        _answers.Clear();
    }
}
