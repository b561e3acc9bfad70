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

    private List<(int Slot, int Result)> Go(long until, params int[] ready)
    {
        for (var i = 0; i < ready.Length; i++)
            _ready[i] = ready[i];
        var got = _backend.SubmitAndReap(_ready, ready.Length, until, _completions);
        return [.. Enumerable.Range(0, got).Select(i => (_completions[i].Slot, _completions[i].Result))];
    }

    [Fact]
    public void Offsets_beyond_4_GB_reach_both_halves()
    {
        _script.Batches.Enqueue([(0, 0)]);
        Go(long.MaxValue, 3);
        Assert.Equal(0x3_0000_2000L, _script.Started[0]);
    }

    [Fact]
    public void Out_of_order_and_in_parts()
    {
        _script.Batches.Enqueue([(2, 0), (0, 0)]);
        _script.Batches.Enqueue([(3, 0)]);
        _script.Batches.Enqueue([(1, 0)]);
        Assert.Equal([(2, 8192), (0, 8192)], Go(long.MaxValue, 0, 1, 2, 3));
        Assert.Equal(2, _backend.Outstanding);
        Assert.Equal([(3, 8192)], Go(long.MaxValue));
        Assert.Equal([(1, 8192)], Go(long.MaxValue));
        Assert.Equal(0, _backend.Outstanding);
    }

    [Fact]
    public void A_failure_at_once_without_a_packet_is_one_completion()
    {
        _script.FailAtOnce[0] = DiskFull;
        Assert.Equal([(1, -DiskFull)], Go(long.MaxValue, 1));
        Assert.Equal(0, _backend.Outstanding);
        Assert.Empty(Go(0));
    }

    [Fact]
    public void A_failure_at_once_with_a_packet_is_told_once_and_never_taken_for_the_next_io()
    {
        _script.FailAtOnce[0] = DeviceError;
        Assert.Equal([(2, -DeviceError)], Go(long.MaxValue, 2));
        // The same slot is used again: the late packet of its first I/O comes before the packet of the second.
        _script.Batches.Enqueue([(0, DeviceError)]);
        _script.Batches.Enqueue([(1, 0)]);
        Assert.Equal([(2, 8192)], Go(long.MaxValue, 2));
        Assert.Equal(0, _backend.Outstanding);
    }

    [Fact]
    public void A_failure_among_others_leaves_the_others_on_their_way()
    {
        _script.FailAtOnce[1] = DiskFull;
        Assert.Equal([(1, -DiskFull)], Go(long.MaxValue, 0, 1, 2));
        Assert.Equal(2, _backend.Outstanding);
        _script.Batches.Enqueue([(2, 0), (0, 0)]);
        Assert.Equal([(2, 8192), (0, 8192)], Go(long.MaxValue));
    }

    [Fact]
    public void Errors_in_packets_are_negated()
    {
        _script.Batches.Enqueue([(0, DeviceError)]);
        Assert.Equal([(0, -DeviceError)], Go(long.MaxValue, 0));
    }

    [Fact]
    public void A_flush_holds_up_neither_its_batch_nor_completions()
    {
        using var released = new ManualResetEventSlim();
        _script.OnFlush = () => released.Wait(TimeSpan.FromSeconds(60)) ? 0 : DeviceError;
        MakeFlush(1);
        _script.Batches.Enqueue([(1, 0), (0, 0)]);
        Assert.Equal([(2, 8192), (0, 8192)], Go(long.MaxValue, 0, 1, 2));
        // The worker continues while the device still flushes.
        _script.Batches.Enqueue([(2, 0)]);
        Assert.Equal([(0, 8192)], Go(long.MaxValue, 0));
        Assert.Equal(1, _backend.Outstanding);
        released.Set();
        Assert.Equal([(1, 0)], Go(long.MaxValue));
        Assert.Equal(0, _backend.Outstanding);
    }

    [Fact]
    public void Flushes_end_one_after_the_other_each_with_its_own_error()
    {
        var errors = new Queue<int>([0, DeviceError, 0]);
        _script.OnFlush = errors.Dequeue;
        for (var i = 0; i < 3; i++)
            MakeFlush(i);
        var ended = Go(long.MaxValue, 0, 1, 2);
        while (ended.Count < 3)
            ended.AddRange(Go(long.MaxValue));
        Assert.Equal([(0, 0), (1, -DeviceError), (2, 0)], ended);
    }

    [Fact]
    public void What_is_handed_over_early_comes_back_with_the_wait_also_when_it_failed_at_once()
    {
        _script.FailAtOnce[0] = DiskFull;
        (_ready[0], _ready[1]) = (3, 1);
        Assert.Equal(2, _backend.Submit(_ready, 2));
        _script.Batches.Enqueue([(1, 0), (2, 0)]);
        Assert.Equal([(3, -DiskFull), (1, 8192), (0, 8192)], Go(long.MaxValue, 0));
        Assert.Equal(0, _backend.Outstanding);
    }

    private void MakeFlush(int slot)
    {
        _slots[slot].Operation = SlotOperation.Flush;
        _slots[slot].Length = 0;
    }

    [Fact]
    public void The_wait_ends_at_its_moment() => Assert.Empty(Go(Clock.Now + 3_000_000, 0));

    [Fact]
    public void Late_packets_after_cancel_are_awaited_before_memory_is_given_back()
    {
        Go(0, 0, 1);
        _script.OnCancel = () =>
        {
            _script.Batches.Enqueue([]);
            _script.Batches.Enqueue([(1, Aborted)]);
            _script.Batches.Enqueue([(0, 0)]); // finished just before it could be cancelled
        };
        _backend.Close();
        Assert.Equal(1, _script.Cancels);
        Assert.True(_script.Closed);
        Assert.Equal(0, _backend.Outstanding);
        Assert.Empty(_script.Batches);
    }

    [Fact]
    public void What_is_on_its_way_is_given_up_and_awaited_after_a_failure()
    {
        _script.OnCancel = () => _script.Batches.Enqueue([(0, Aborted), (1, Aborted)]);
        Go(0, 0, 1);
        Assert.Equal(2, _backend.Outstanding);
        Assert.True(_backend.TryDrain());
        Assert.Equal((0, 1), (_backend.Outstanding, _script.Cancels));
        Assert.Equal(2, _backend.Starts!.Value.Started);
    }

    [Fact]
    public void What_no_packet_comes_for_keeps_its_memory()
    {
        Go(0, 0);
        Assert.False(_backend.TryDrain());
        Assert.Equal(1, _backend.Outstanding);
        _script.Batches.Enqueue([(0, Aborted)]);
    }
}
