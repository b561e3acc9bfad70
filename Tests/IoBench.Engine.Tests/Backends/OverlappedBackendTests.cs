using System.Runtime.InteropServices;

namespace IoBench.Engine.Tests;

public sealed unsafe class OverlappedBackendTests : IDisposable
{
    private const int Slots = 4;
    private const int Aborted = 995,
        DiskFull = 112,
        DeviceError = 1117;
    private readonly PortScript _script = new();
    private readonly OverlappedBackend<ScriptedPort> _backend;
    private readonly IoSlot* _slots = (IoSlot*)NativeMemory.AllocZeroed(Slots, (nuint)sizeof(IoSlot));
    private readonly IoCompletion* _completions = (IoCompletion*)NativeMemory.AllocZeroed(Slots, (nuint)sizeof(IoCompletion));
    private readonly int* _ready = (int*)NativeMemory.AllocZeroed(Slots, sizeof(int));

    public OverlappedBackendTests()
    {
        _backend = new OverlappedBackend<ScriptedPort>(new ScriptedPort(_script));
        for (var i = 0; i < Slots; i++)
        {
            _slots[i].Offset = 0x1_0000_0000L * i + 8192;
            _slots[i].Length = 8192;
        }
        _backend.Open(
            new BackendSetup
            {
                Slots = _slots,
                SlotCount = Slots,
                Buffers = null,
                BufferBytes = 0,
                Targets = [],
                HasFlushes = true,
            }
        );
    }

    public void Dispose()
    {
        _backend.Close();
        NativeMemory.Free(_slots);
        NativeMemory.Free(_completions);
        NativeMemory.Free(_ready);
    }

    private List<(int Slot, int Result)> SubmitAndReap(long until, params int[] ready)
    {
        for (var i = 0; i < ready.Length; i++)
            _ready[i] = ready[i];
        var got = _backend.SubmitAndReap(_ready, ready.Length, until, _completions);
        return [.. Enumerable.Range(0, got).Select(i => (_completions[i].Slot, _completions[i].Result))];
    }

    [Fact]
    public void Offsets_beyond_4_GB_set_both_halves()
    {
        _script.PacketBatches.Enqueue([(0, 0)]);
        SubmitAndReap(long.MaxValue, 3);
        Assert.Equal(0x3_0000_2000L, _script.StartedOffsets[0]);
    }

    [Fact]
    public void Completions_are_returned_out_of_order_and_in_batches()
    {
        _script.PacketBatches.Enqueue([(2, 0), (0, 0)]);
        _script.PacketBatches.Enqueue([(3, 0)]);
        _script.PacketBatches.Enqueue([(1, 0)]);
        Assert.Equal([(2, 8192), (0, 8192)], SubmitAndReap(long.MaxValue, 0, 1, 2, 3));
        Assert.Equal(2, _backend.Outstanding);
        Assert.Equal([(3, 8192)], SubmitAndReap(long.MaxValue));
        Assert.Equal([(1, 8192)], SubmitAndReap(long.MaxValue));
        Assert.Equal(0, _backend.Outstanding);
    }

    [Fact]
    public void Immediate_failure_without_a_packet_is_one_completion()
    {
        _script.ImmediateErrors[0] = DiskFull;
        Assert.Equal([(1, -DiskFull)], SubmitAndReap(long.MaxValue, 1));
        Assert.Equal(0, _backend.Outstanding);
        Assert.Empty(SubmitAndReap(0));
    }

    [Fact]
    public void Late_packet_of_an_immediate_failure_does_not_complete_the_next_IO()
    {
        _script.ImmediateErrors[0] = DeviceError;
        Assert.Equal([(2, -DeviceError)], SubmitAndReap(long.MaxValue, 2));
        // The same slot is used again: the late packet of its first I/O comes before the packet of the second.
        _script.PacketBatches.Enqueue([(0, DeviceError)]);
        _script.PacketBatches.Enqueue([(1, 0)]);
        Assert.Equal([(2, 8192)], SubmitAndReap(long.MaxValue, 2));
        Assert.Equal(0, _backend.Outstanding);
    }

    [Fact]
    public void Immediate_failure_leaves_other_IOs_outstanding()
    {
        _script.ImmediateErrors[1] = DiskFull;
        Assert.Equal([(1, -DiskFull)], SubmitAndReap(long.MaxValue, 0, 1, 2));
        Assert.Equal(2, _backend.Outstanding);
        _script.PacketBatches.Enqueue([(2, 0), (0, 0)]);
        Assert.Equal([(2, 8192), (0, 8192)], SubmitAndReap(long.MaxValue));
    }

    [Fact]
    public void Packet_errors_become_negative_results()
    {
        _script.PacketBatches.Enqueue([(0, DeviceError)]);
        Assert.Equal([(0, -DeviceError)], SubmitAndReap(long.MaxValue, 0));
    }

    [Fact]
    public void Flush_blocks_neither_its_batch_nor_completions()
    {
        using var released = new ManualResetEventSlim();
        _script.OnFlush = () => released.Wait(TimeSpan.FromSeconds(60)) ? 0 : DeviceError;
        SetFlush(1);
        _script.PacketBatches.Enqueue([(1, 0), (0, 0)]);
        Assert.Equal([(2, 8192), (0, 8192)], SubmitAndReap(long.MaxValue, 0, 1, 2));
        // The worker continues while the device still flushes.
        _script.PacketBatches.Enqueue([(2, 0)]);
        Assert.Equal([(0, 8192)], SubmitAndReap(long.MaxValue, 0));
        Assert.Equal(1, _backend.Outstanding);
        released.Set();
        Assert.Equal([(1, 0)], SubmitAndReap(long.MaxValue));
        Assert.Equal(0, _backend.Outstanding);
    }

    [Fact]
    public void Flushes_complete_in_order_with_their_own_errors()
    {
        var errors = new Queue<int>([0, DeviceError, 0]);
        _script.OnFlush = errors.Dequeue;
        for (var i = 0; i < 3; i++)
            SetFlush(i);
        var ended = SubmitAndReap(long.MaxValue, 0, 1, 2);
        while (ended.Count < 3)
            ended.AddRange(SubmitAndReap(long.MaxValue));
        Assert.Equal([(0, 0), (1, -DeviceError), (2, 0)], ended);
    }

    [Fact]
    public void Early_submissions_complete_with_the_next_wait_even_if_they_failed()
    {
        _script.ImmediateErrors[0] = DiskFull;
        (_ready[0], _ready[1]) = (3, 1);
        Assert.Equal(2, _backend.Submit(_ready, 2));
        _script.PacketBatches.Enqueue([(1, 0), (2, 0)]);
        Assert.Equal([(3, -DiskFull), (1, 8192), (0, 8192)], SubmitAndReap(long.MaxValue, 0));
        Assert.Equal(0, _backend.Outstanding);
    }

    private void SetFlush(int slot)
    {
        _slots[slot].Operation = IoRequestKind.Flush;
        _slots[slot].Length = 0;
    }

    [Fact]
    public void Wait_ends_at_its_deadline() => Assert.Empty(SubmitAndReap(Clock.Now + 3_000_000, 0));

    [Fact]
    public void Close_waits_for_late_packets_of_canceled_IOs()
    {
        SubmitAndReap(0, 0, 1);
        _script.OnCancel = () =>
        {
            _script.PacketBatches.Enqueue([]);
            _script.PacketBatches.Enqueue([(1, Aborted)]);
            _script.PacketBatches.Enqueue([(0, 0)]); // finished just before it could be cancelled
        };
        _backend.Close();
        Assert.Equal(1, _script.Cancels);
        Assert.True(_script.IsClosed);
        Assert.Equal(0, _backend.Outstanding);
        Assert.Empty(_script.PacketBatches);
    }

    [Fact]
    public void TryDrain_cancels_and_awaits_outstanding_IOs()
    {
        _script.OnCancel = () => _script.PacketBatches.Enqueue([(0, Aborted), (1, Aborted)]);
        SubmitAndReap(0, 0, 1);
        Assert.Equal(2, _backend.Outstanding);
        Assert.True(_backend.TryDrain());
        Assert.Equal((0, 1), (_backend.Outstanding, _script.Cancels));
        Assert.Equal(2, _backend.SynchronousStarts!.Value.Started);
    }

    [Fact]
    public void TryDrain_fails_while_an_IO_has_no_packet()
    {
        SubmitAndReap(0, 0);
        Assert.False(_backend.TryDrain());
        Assert.Equal(1, _backend.Outstanding);
        _script.PacketBatches.Enqueue([(0, Aborted)]);
    }
}
