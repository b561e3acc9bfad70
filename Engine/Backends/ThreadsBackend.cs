using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>Positional reads and writes with one helper thread per outstanding I/O, or without helpers for a single slot.</summary>
/// <param name="handleEach">Whether each helper gets its own handle; null = if the system needs it.</param>
internal sealed unsafe class ThreadsBackend(bool? handleEach = null) : IoBackend
{
    public const string Name = "Threads";

    public static BackendDescriptor Descriptor { get; } =
        new()
        {
            Name = Name,
            DisplayName = "a thread per I/O",
            HasThreadPerIO = true,
            Create = (_, _) => new ThreadsBackend(),
        };

    // Windows executes one I/O at a time on a synchronous handle. Linux has no such limit.
    private readonly bool _handleEach = handleEach ?? OperatingSystem.IsWindows();
    private readonly object _queueGate = new();
    private readonly object _doneGate = new();
    private TargetHandle[] _targets = [];
    private IoSlot* _slots;
    private int[] _queue = [];
    private IoCompletion[] _done = [];
    private Thread[] _helpers = [];
    private TargetHandle[][] _handles = [];
    private readonly List<TargetHandle> _own = [];
    private int _queueHead;
    private int _queueCount;
    private int _doneCount;
    private bool _closing;

    public override BackendDescriptor Kind => Descriptor;

    public override void Open(BackendSetup setup)
    {
        _slots = setup.Slots;
        if (setup.SlotCount > 1)
        {
            _queue = new int[setup.SlotCount];
            _done = new IoCompletion[setup.SlotCount];
            _handles = new TargetHandle[setup.SlotCount][];
        }
        // Before a helper starts, so that no thread has to be ended if a file cannot be opened again.
        AttachTargets(setup.Targets);
        _helpers = new Thread[_handles.Length];
        for (var i = 0; i < _helpers.Length; i++)
        {
            var helper = i;
            _helpers[i] = new Thread(() => RunHelper(helper), 256 * 1024) { IsBackground = true, Name = "IoBench I/O" };
            _helpers[i].Start();
        }
    }

    /// <summary>Must be called before the first I/O. If it throws, the handles that it opened are closed.</summary>
    public void AttachTargets(TargetHandle[] targets)
    {
        _targets = targets;
        try
        {
            for (var i = 0; i < _handles.Length; i++)
                _handles[i] = i > 0 && _handleEach ? Array.ConvertAll(targets, ReopenTarget) : targets;
        }
        catch
        {
            CloseOwnHandles();
            throw;
        }
    }

    public override int Submit(int* ready, int count)
    {
        // With a single slot, the worker executes the I/O itself when it waits for it.
        if (_helpers.Length == 0)
            return 0;
        lock (_queueGate)
        {
            for (var i = 0; i < count; i++)
            {
                _queue[(_queueHead + _queueCount++) % _queue.Length] = ready[i];
                Monitor.Pulse(_queueGate);
            }
        }
        return count;
    }

    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        if (_helpers.Length == 0)
            return ExecuteOnCaller(ready, count, until, completions);
        if (count > 0)
            _ = Submit(ready, count);
        lock (_doneGate)
        {
            while (_doneCount == 0)
            {
                if (until == long.MaxValue)
                {
                    Monitor.Wait(_doneGate);
                    continue;
                }
                var left = until - Clock.Now;
                if (left <= 0)
                    return 0;
                Monitor.Wait(_doneGate, (int)Math.Min(1 + left / 1_000_000, 1000));
            }
            var got = _doneCount;
            for (var i = 0; i < got; i++)
                completions[i] = _done[i];
            _doneCount = 0;
            return got;
        }
    }

    public override void Close()
    {
        lock (_queueGate)
        {
            _closing = true;
            Monitor.PulseAll(_queueGate);
        }
        foreach (var helper in _helpers)
            helper?.Join();
        CloseOwnHandles();
    }

    private TargetHandle ReopenTarget(TargetHandle target)
    {
        var handle = target.Reopen!();
        _own.Add(handle);
        return handle;
    }

    private void CloseOwnHandles()
    {
        _own.ForEach(handle => handle.Dispose());
        _own.Clear();
    }

    private int ExecuteOnCaller(int* ready, int count, long until, IoCompletion* completions)
    {
        if (count == 0)
        {
            Clock.WaitUntil(until);
            return 0;
        }
        completions[0].Slot = ready[0];
        completions[0].Result = ThreadsBackend.ExecuteIO(_slots + ready[0], _targets[_slots[ready[0]].HandleIndex]);
        return 1;
    }

    private void RunHelper(int helper)
    {
        while (true)
        {
            int slot;
            lock (_queueGate)
            {
                while (_queueCount == 0)
                {
                    if (_closing)
                        return;
                    Monitor.Wait(_queueGate);
                }
                slot = _queue[_queueHead];
                _queueHead = (_queueHead + 1) % _queue.Length;
                _queueCount--;
            }
            var result = ThreadsBackend.ExecuteIO(_slots + slot, _handles[helper][_slots[slot].HandleIndex]);
            lock (_doneGate)
            {
                _done[_doneCount++] = new IoCompletion { Slot = slot, Result = result };
                Monitor.Pulse(_doneGate);
            }
        }
    }

    public static int ExecuteIO(IoSlot* slot, TargetHandle target) =>
        OperatingSystem.IsLinux() ? ExecuteOnLinux(slot, (int)target.RawHandle) : ExecuteOnWindows(slot, target.RawHandle);

    private static int ExecuteOnLinux(IoSlot* slot, int descriptor)
    {
        while (true)
        {
            var result = slot->Operation switch
            {
                IoRequestKind.Read => (int)LinuxCalls.Pread(descriptor, slot->Buffer, (nuint)slot->Length, slot->Offset),
                IoRequestKind.Write => (int)LinuxCalls.Pwrite(descriptor, slot->Buffer, (nuint)slot->Length, slot->Offset),
                _ => LinuxCalls.Fdatasync(descriptor),
            };
            if (result >= 0)
                return result;
            var error = Marshal.GetLastSystemError();
            if (error != LinuxCalls.EINTR)
                return -error;
        }
    }

    // On a synchronous handle, the call returns when the I/O is complete, so no event is needed.
    private static int ExecuteOnWindows(IoSlot* slot, nint file)
    {
        if (slot->Operation == IoRequestKind.Flush)
            return WindowsCalls.FlushFileBuffers(file) != 0 ? 0 : -Marshal.GetLastSystemError();
        var place = new OverlappedBlock { OffsetLow = (uint)slot->Offset, OffsetHigh = (uint)(slot->Offset >> 32) };
        uint moved = 0;
        var done =
            slot->Operation == IoRequestKind.Read
                ? WindowsCalls.ReadFile(file, slot->Buffer, (uint)slot->Length, &moved, &place)
                : WindowsCalls.WriteFile(file, slot->Buffer, (uint)slot->Length, &moved, &place);
        return done != 0 ? (int)moved : -Marshal.GetLastSystemError();
    }
}
