namespace IoBench.Engine;

/// <summary>Completes I/Os at once, to measure the cost of IoBench, or at the times of a <see cref="NullDevice"/>.</summary>
internal sealed unsafe class NullBackend : IoBackend
{
    public const string Name = "Null";

    public static BackendDescriptor Descriptor { get; } =
        new()
        {
            Name = Name,
            DisplayName = "a modeled device",
            IsModeled = true,
            Create = (device, clock) => new NullBackend(device, clock),
        };

    private readonly NullDevice? _device;
    private readonly PriorityQueue<int, long> _due = new();
    private int[] _over = [];
    private int _overCount;
    private IoSlot* _slots;

    public NullBackend(NullDevice? device = null, VirtualClock? clock = null)
    {
        _device = device;
        VirtualClock = clock;
    }

    public override BackendDescriptor Kind => Descriptor;

    public override VirtualClock? VirtualClock { get; }

    public override void Open(BackendSetup setup)
    {
        _slots = setup.Slots;
        _due.EnsureCapacity(setup.SlotCount);
        _over = new int[setup.SlotCount];
    }

    public override int Submit(int* ready, int count)
    {
        for (var i = 0; i < count && _device is null; i++)
            _over[_overCount++] = ready[i];
        for (var i = 0; i < count && _device is not null; i++)
            StartIO(ready[i]);
        return count;
    }

    public override bool HasCompletions => _overCount > 0;

    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        if (_device is null)
        {
            if (count + _overCount == 0 && until != long.MaxValue)
                WaitUntil(until);
            for (var i = 0; i < count; i++)
                FillCompletion(completions + i, ready[i]);
            while (_overCount > 0)
                FillCompletion(completions + count++, _over[--_overCount]);
            return count;
        }

        for (var i = 0; i < count; i++)
            StartIO(ready[i]);
        var next = _due.TryPeek(out _, out var first) ? Math.Min(first, until) : until;
        WaitUntil(next);
        var now = VirtualClock?.Now ?? Clock.Now;
        var got = 0;
        while (_due.TryPeek(out var slot, out var due) && due <= now)
        {
            _due.Dequeue();
            FillCompletion(completions + got++, slot);
        }
        return got;
    }

    public override void Close() { }

    private void StartIO(int slot) => _due.Enqueue(slot, _device!.GetCompletionTime(_slots[slot].Started, _slots[slot].Length));

    private void FillCompletion(IoCompletion* completion, int slot)
    {
        completion->Slot = slot;
        completion->Result = _slots[slot].Operation == IoRequestKind.Flush ? 0 : _slots[slot].Length;
    }

    private void WaitUntil(long moment)
    {
        if (VirtualClock is null)
            Clock.WaitUntil(moment);
        else if (moment > VirtualClock.Now)
            VirtualClock.Now = moment;
    }
}
