namespace IoBench.Engine.Backends;

/// <summary>
/// No device: I/Os complete at once (what remains is the cost of our own code) or when a <see cref="NullDevice"/> says so (a device
/// whose figures are known beforehand). Touches no file.
/// </summary>
internal sealed unsafe class NullBackend : IoBackend
{
    /// <summary>What <c>-Backend</c> calls it, and a result that it measured.</summary>
    public const string Name = "Null";

    /// <summary>All that the rest of IoBench knows about it.</summary>
    public static BackendDescriptor Descriptor { get; } =
        new()
        {
            Name = Name,
            Words = "a modelled device",
            IsModelled = true,
            Create = (device, clock) => new NullBackend(device, clock),
        };

    private readonly NullDevice? _device;
    private readonly PriorityQueue<int, long> _due = new();
    private int[] _over = [];
    private int _overCount;
    private IoSlot* _slots;

    /// <summary>At once when <paramref name="device"/> is null; on a clock of its own when one is given.</summary>
    public NullBackend(NullDevice? device = null, VirtualClock? clock = null)
    {
        _device = device;
        VirtualClock = clock;
    }

    /// <inheritdoc/>
    public override BackendDescriptor Kind => Descriptor;

    /// <inheritdoc/>
    public override VirtualClock? VirtualClock { get; }

    /// <inheritdoc/>
    public override void Open(BackendSetup setup)
    {
        _slots = setup.Slots;
        _due.EnsureCapacity(setup.SlotCount);
        _over = new int[setup.SlotCount];
    }

    /// <inheritdoc/>
    public override int Submit(int* ready, int count)
    {
        for (var i = 0; i < count && _device is null; i++)
            _over[_overCount++] = ready[i];
        for (var i = 0; i < count && _device is not null; i++)
            Serve(ready[i]);
        return count;
    }

    /// <inheritdoc/>
    public override bool HasCompletions => _overCount > 0;

    /// <inheritdoc/>
    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        if (_device is null)
        {
            if (count + _overCount == 0 && until != long.MaxValue)
                WaitUntil(until);
            for (var i = 0; i < count; i++)
                Complete(completions + i, ready[i]);
            while (_overCount > 0)
                Complete(completions + count++, _over[--_overCount]);
            return count;
        }

        for (var i = 0; i < count; i++)
            Serve(ready[i]);
        var next = _due.TryPeek(out _, out var first) ? Math.Min(first, until) : until;
        WaitUntil(next);
        var now = VirtualClock?.Now ?? Clock.Now;
        var got = 0;
        while (_due.TryPeek(out var slot, out var due) && due <= now)
        {
            _due.Dequeue();
            Complete(completions + got++, slot);
        }
        return got;
    }

    /// <inheritdoc/>
    public override void Close() { }

    private void Serve(int slot) => _due.Enqueue(slot, _device!.Serve(_slots[slot].Started, _slots[slot].Length));

    private void Complete(IoCompletion* completion, int slot)
    {
        completion->Slot = slot;
        completion->Result = _slots[slot].Operation == SlotOperation.Flush ? 0 : _slots[slot].Length;
    }

    private void WaitUntil(long moment)
    {
        if (VirtualClock is null)
            Clock.WaitUntil(moment);
        else if (moment > VirtualClock.Now)
            VirtualClock.Now = moment;
    }
}
