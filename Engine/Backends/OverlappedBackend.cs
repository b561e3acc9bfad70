using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>
/// Overlapped I/O with a completion port: the way SQL Server and DiskSpd do their I/O on Windows.
/// Packets are taken in batches; each I/O is found by the address of its OVERLAPPED, so nothing is looked up or allocated.
/// </summary>
/// <typeparam name="TPort">The port; a struct, so that its calls are direct.</typeparam>
internal sealed unsafe class OverlappedBackend<TPort> : IoBackend where TPort : struct, ICompletionPort
{
    private const long Millisecond = 1_000_000;

    private TPort _port;
    private IoSlot* _slots;
    private OverlappedBlock* _overlapped;
    private byte* _side;
    private byte* _busy;
    private CompletionPacket* _packets;
    private int _slotCount;
    private int _outstanding;
    private bool _open;

    /// <summary>A backend over a port.</summary>
    public OverlappedBackend(TPort port) => _port = port;

    /// <inheritdoc/>
    public override IoBackendKind Kind => IoBackendKind.Overlapped;

    /// <inheritdoc/>
    public override string Details => "one completion port per worker";

    /// <summary>I/Os whose packet has not come.</summary>
    internal int Outstanding => _outstanding;

    /// <inheritdoc/>
    public override void Open(BackendSetup setup)
    {
        _port.Open(setup.Targets);
        _open = true;
        _slots = setup.Slots;
        _slotCount = setup.SlotCount;
        // Two structures per slot, used in turn after a failure: should a packet for the failed I/O come after all, it differs from the next I/O's.
        _overlapped = (OverlappedBlock*)NativeMemory.AllocZeroed((nuint)_slotCount * 2, (nuint)sizeof(OverlappedBlock));
        _side = (byte*)NativeMemory.AllocZeroed((nuint)_slotCount);
        _busy = (byte*)NativeMemory.AllocZeroed((nuint)_slotCount);
        _packets = (CompletionPacket*)NativeMemory.AllocZeroed(ICompletionPort.MaxPackets, (nuint)sizeof(CompletionPacket));
        if (OperatingSystem.IsWindows())
            _ = WindowsCalls.timeBeginPeriod(1); // Waits of a pacer would else be rounded up to 15.6 ms.
    }

    /// <inheritdoc/>
    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        var done = 0;
        // A flush waits for the device here: the others of its batch are on their way by then.
        for (var i = 0; i < count; i++)
            if (_slots[ready[i]].Operation != SlotOperation.Flush)
                done += Start(ready[i], completions + done);
        for (var i = 0; i < count; i++)
            if (_slots[ready[i]].Operation == SlotOperation.Flush)
                done += Start(ready[i], completions + done);
        // What failed or finished at once goes back first; a look at the port costs little and keeps latencies of the others right.
        while (true)
        {
            done += Take(completions + done, done > 0 ? 0 : Patience(until));
            if (done > 0 || _outstanding == 0 && until == long.MaxValue || until != long.MaxValue && Clock.Now >= until)
                return done;
        }
    }

    /// <inheritdoc/>
    public override void Close()
    {
        if (!_open)
            return;
        _open = false;
        if (OperatingSystem.IsWindows())
            _ = WindowsCalls.timeEndPeriod(1);
        if (_outstanding > 0)
        {
            _port.Cancel();
            // The kernel still owns these structures and buffers: they are only freed once every packet has come.
            for (var patience = 0; _outstanding > 0 && patience < 200; patience++)
                Drain(10);
        }
        _port.Close();
        NativeMemory.Free(_packets);
        if (_outstanding > 0)
            return;
        NativeMemory.Free(_overlapped);
        NativeMemory.Free(_side);
        NativeMemory.Free(_busy);
    }

    /// <summary>Starts a slot's I/O; 1 when it is over already and its completion was written.</summary>
    private int Start(int index, IoCompletion* completion)
    {
        var slot = _slots + index;
        if (slot->Operation == SlotOperation.Flush)
        {
            completion->Slot = index;
            completion->Result = -_port.Flush(slot->Target);
            return 1;
        }
        var overlapped = _overlapped + 2 * index + _side[index];
        *overlapped = default;
        overlapped->OffsetLow = (uint)slot->Offset;
        overlapped->OffsetHigh = (uint)(slot->Offset >> 32);
        _busy[index] = 1;
        _outstanding++;
        var error = _port.Start(slot, overlapped);
        if (error == 0)
            return 0;
        _busy[index] = 0;
        _side[index] ^= 1;
        _outstanding--;
        completion->Slot = index;
        completion->Result = -error;
        return 1;
    }

    private int Take(IoCompletion* completions, uint milliseconds)
    {
        if (_outstanding == 0 && milliseconds == 0)
            return 0;
        var got = _port.Dequeue(_packets, Math.Min(ICompletionPort.MaxPackets, _slotCount), milliseconds);
        var done = 0;
        for (var i = 0; i < got; i++)
        {
            var position = _packets[i].Overlapped - _overlapped;
            var index = (int)(position >> 1);
            // A second report of a failure that was told at once, or a packet from before: nobody waits for it.
            if (position < 0 || index >= _slotCount || _busy[index] == 0 || (position & 1) != _side[index])
                continue;
            _busy[index] = 0;
            _outstanding--;
            completions[done].Slot = index;
            completions[done].Result = _packets[i].Error == 0 ? (int)_packets[i].Bytes : -_packets[i].Error;
            done++;
        }
        return done;
    }

    private void Drain(uint milliseconds)
    {
        var completions = stackalloc IoCompletion[ICompletionPort.MaxPackets];
        _ = Take(completions, milliseconds);
    }

    /// <summary>How long to wait in the kernel: its timer is a millisecond coarse, so the last one is spent asking again and again.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Patience(long until)
    {
        if (until == long.MaxValue)
            return uint.MaxValue;
        var left = until - Clock.Now;
        return left <= 2 * Millisecond ? 0 : (uint)Math.Min(left / Millisecond - 1, 1000);
    }
}
