namespace IoBench.Engine.Tests;

public unsafe class WarmBuffersTests
{
    private const int Outstanding = 8;
    private const int AtOnce = 2;

    [Fact]
    public void Few_buffers_are_reused_and_never_shared_by_two_slots()
    {
        var memory = new WorkerMemory(Outstanding, Outstanding * 4096, largePages: false);
        try
        {
            InitializeSlots(memory);
            var queue = Enumerable.Range(0, Outstanding).ToList();
            var used = new HashSet<nint>();
            for (var round = 0; round < 20; round++)
            {
                SwapInWarmBuffers(memory, queue, AtOnce);
                var started = queue.GetRange(0, AtOnce);
                started.ForEach(slot => used.Add((nint)memory.Slots[slot].Buffer));
                queue.RemoveRange(0, AtOnce);
                queue.AddRange(started);
                Assert.Equal(
                    Outstanding,
                    Enumerable.Range(0, Outstanding).Select(slot => (nint)memory.Slots[slot].ReadBuffer).Distinct().Count()
                );
                Assert.All(
                    Enumerable.Range(0, Outstanding),
                    slot => Assert.True(memory.Slots[slot].Buffer == memory.Slots[slot].ReadBuffer)
                );
            }
            Assert.Equal(AtOnce, used.Count);
        }
        finally
        {
            memory.Free();
        }
    }

    [Theory]
    [InlineData("write")]
    [InlineData("stream")]
    [InlineData("piece")]
    public void Buffers_of_another_kind_are_not_swapped(string difference)
    {
        var memory = new WorkerMemory(Outstanding, Outstanding * 4096, largePages: false);
        try
        {
            InitializeSlots(memory);
            ref var last = ref memory.Slots[Outstanding - 1];
            switch (difference)
            {
                case "write":
                    last.Operation = IoRequestKind.Write;
                    break;
                case "stream":
                    last.Stream = 1;
                    break;
                default:
                    last.RegisteredBuffer = 1;
                    break;
            }
            var (first, other) = ((nint)memory.Slots[0].ReadBuffer, (nint)last.ReadBuffer);
            SwapInWarmBuffers(memory, [.. Enumerable.Range(0, Outstanding)], 1);
            Assert.Equal((first, other), ((nint)memory.Slots[0].ReadBuffer, (nint)memory.Slots[Outstanding - 1].ReadBuffer));
        }
        finally
        {
            memory.Free();
        }
    }

    private static void InitializeSlots(WorkerMemory memory)
    {
        for (var i = 0; i < Outstanding; i++)
        {
            memory.Slots[i].Operation = IoRequestKind.Read;
            memory.Slots[i].ReadBuffer = memory.Slots[i].Buffer = memory.Buffers + i * 4096;
        }
    }

    private static void SwapInWarmBuffers(WorkerMemory memory, List<int> queue, int count)
    {
        fixed (int* ready = queue.ToArray())
            WorkerPipeline.SwapInWarmBuffers(memory.Slots, ready, queue.Count, count);
    }
}
