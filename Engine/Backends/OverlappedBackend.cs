using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal static class OverlappedBackend
{
    public const string Name = "Overlapped";

    public static BackendDescriptor Descriptor { get; } =
        new()
        {
            Name = Name,
            DisplayName = "overlapped I/O",
            RunsOn = OSPlatform.Windows,
            HasOverlappedHandles = true,
            Create = (_, _) => new OverlappedBackend<WindowsCompletionPort>(default),
        };
}

/// <summary>Overlapped I/O with a completion port, as in SQL Server. The address of an OVERLAPPED identifies the I/O.</summary>
internal sealed unsafe class OverlappedBackend<TPort> : IoBackend
    where TPort : struct, ICompletionPort
{
    private const long Millisecond = 1_000_000;

    private TPort _port;
    private IoSlot* _slots;
    private OverlappedBlock* _overlapped;
    private byte* _side;
    private byte* _busy;
    private int* _flushErrors;
    private IoCompletion* _over;
    private int _overCount;
    private FlushThread<TPort>? _flusher;
    private CompletionPacket* _packets;
    private int _slotCount;
    private int _outstanding;
    private long _started;
    private bool _open;

    public OverlappedBackend(TPort port) => _port = port;

    public override BackendDescriptor Kind => OverlappedBackend.Descriptor;

    public override IReadOnlyList<string> FeatureNames => ["one completion port per worker"];

    // Windows starts one I/O per call.
    public override int MaxSubmissionBatch => 1;

    internal int Outstanding => _outstanding;

    public override void Open(BackendSetup setup)
    {
        _port.Open(setup.Targets);
        _open = true;
        _slots = setup.Slots;
        _slotCount = setup.SlotCount;
        // Each slot has two structures, used in turn after a failure, so that a late packet for a failed I/O is recognized.
        _overlapped = (OverlappedBlock*)NativeMemory.AllocZeroed((nuint)_slotCount * 2, (nuint)sizeof(OverlappedBlock));
        _side = (byte*)NativeMemory.AllocZeroed((nuint)_slotCount);
        _busy = (byte*)NativeMemory.AllocZeroed((nuint)_slotCount);
        _flushErrors = (int*)NativeMemory.AllocZeroed((nuint)_slotCount, sizeof(int));
        _over = (IoCompletion*)NativeMemory.AllocZeroed((nuint)_slotCount, (nuint)sizeof(IoCompletion));
        if (setup.HasFlushes)
            _flusher = new FlushThread<TPort>(_port, _slotCount);
        _packets = (CompletionPacket*)NativeMemory.AllocZeroed(ICompletionPort.MaxPackets, (nuint)sizeof(CompletionPacket));
    }

    public override int Submit(int* ready, int count)
    {
        for (var i = 0; i < count; i++)
            Start(ready[i]);
        return count;
    }

    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        _ = Submit(ready, count);
        var done = _overCount;
        for (var i = 0; i < done; i++)
            completions[i] = _over[i];
        _overCount = 0;
        // No packet can arrive, so wait with a timer that is finer than that of the port.
        if (done == 0 && _outstanding == 0 && until != long.MaxValue)
        {
            Clock.WaitUntil(until);
            return 0;
        }
        // Return I/Os that failed at once first. The check of the port costs little and keeps the latency of the other I/Os exact.
        while (true)
        {
            done += DequeueCompletions(completions + done, done > 0 ? 0 : GetWaitMilliseconds(until));
            if (done > 0 || _outstanding == 0 && until == long.MaxValue || until != long.MaxValue && Clock.Now >= until)
                return done;
        }
    }

    public override (long Started, long DoneAtOnce)? SynchronousStarts => (_started, _port.SynchronousCompletions);

    public override void Cancel() => _port.Cancel();

    public override bool TryDrain()
    {
        if (_outstanding > 0)
            _port.Cancel();
        for (var attempts = 0; _outstanding > 0 && attempts < 200; attempts++)
            Drain(10);
        return _outstanding == 0;
    }

    public override void Close()
    {
        if (!_open)
            return;
        _open = false;
        // The kernel owns these structures and buffers until their packets have arrived.
        _ = TryDrain();
        NativeMemory.Free(_packets);
        NativeMemory.Free(_over);
        // A flush that never completed still uses the port, its error field, and its structure.
        if (_outstanding == 0)
            _flusher?.Close();
        if (_outstanding == 0 || _flusher is null)
            _port.Close();
        if (_outstanding > 0)
            return;
        NativeMemory.Free(_flushErrors);
        NativeMemory.Free(_overlapped);
        NativeMemory.Free(_side);
        NativeMemory.Free(_busy);
    }

    private void Start(int index)
    {
        var slot = _slots + index;
        var overlapped = _overlapped + 2 * index + _side[index];
        *overlapped = default;
        overlapped->OffsetLow = (uint)slot->Offset;
        overlapped->OffsetHigh = (uint)(slot->Offset >> 32);
        _busy[index] = 1;
        _outstanding++;
        if (slot->Operation == IoRequestKind.Flush)
        {
            _flusher!.QueueFlush(slot->HandleIndex, overlapped, _flushErrors + index);
            return;
        }
        _started++;
        var error = _port.Start(slot, overlapped);
        if (error == 0)
            return;
        _busy[index] = 0;
        _side[index] ^= 1;
        _outstanding--;
        _over[_overCount++] = new IoCompletion { Slot = index, Result = -error };
    }

    private int DequeueCompletions(IoCompletion* completions, uint milliseconds)
    {
        if (_outstanding == 0 && milliseconds == 0)
            return 0;
        var got = _port.Dequeue(_packets, Math.Min(ICompletionPort.MaxPackets, _slotCount), milliseconds);
        var done = 0;
        for (var i = 0; i < got; i++)
        {
            var position = _packets[i].Overlapped - _overlapped;
            var index = (int)(position >> 1);
            // Ignore a second report of a failure that was reported at once, and a packet of an earlier I/O.
            if (position < 0 || index >= _slotCount || _busy[index] == 0 || (position & 1) != _side[index])
                continue;
            _busy[index] = 0;
            _outstanding--;
            completions[done].Slot = index;
            if (_slots[index].Operation == IoRequestKind.Flush)
                completions[done].Result = -_flushErrors[index];
            else
                completions[done].Result = _packets[i].Error == 0 ? (int)_packets[i].Bytes : -_packets[i].Error;
            done++;
        }
        return done;
    }

    private void Drain(uint milliseconds)
    {
        var completions = stackalloc IoCompletion[ICompletionPort.MaxPackets];
        _ = DequeueCompletions(completions, milliseconds);
    }

    /// <summary>The kernel's timer has a resolution of a millisecond, so the last millisecond is spent polling.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint GetWaitMilliseconds(long until)
    {
        if (until == long.MaxValue)
            return uint.MaxValue;
        var left = until - Clock.Now;
        return left <= 2 * Millisecond ? 0 : (uint)Math.Min(left / Millisecond - 1, 1000);
    }
}
