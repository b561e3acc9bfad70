namespace IoBench.Engine.Tests;

public unsafe class SeedTests
{
    private const int WriteCount = 600;
    private const int BlockCount = (64 << 20) / 8192;

    [Fact]
    public void Runs_with_different_seeds_share_no_more_blocks_than_chance()
    {
        // Each run writes 600 of 8,192 blocks. By chance, 600 x 600 / 8,192 = 43.9 blocks are in both runs, with a standard deviation of
        // 6.3.
        var expected = WriteCount * (double)WriteCount / BlockCount;
        for (var round = 1; round <= 10; round++)
        {
            var first = GetWriteOffsets(IoTestSpecification.DeriveSeed(1, 0, round));
            Assert.InRange(
                GetWriteOffsets(IoTestSpecification.DeriveSeed(1, 0, round + 1)).Count(new HashSet<long>(first).Contains),
                expected - 5 * 6.3,
                expected + 5 * 6.3
            );
        }
    }

    [Theory]
    [InlineData(IoAccessPattern.Random)]
    [InlineData(IoAccessPattern.Sequential)]
    [InlineData(IoAccessPattern.PartRandom)]
    public void Runs_with_the_same_seed_write_the_same_blocks_in_order(IoAccessPattern order) =>
        Assert.Equal(GetWriteOffsets(42, order), GetWriteOffsets(42, order));

    private static List<long> GetWriteOffsets(ulong seed, IoAccessPattern order = IoAccessPattern.Random)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("modelled") { FileSize = 64 << 20 }],
            Backend = NullBackend.Name,
            ThreadCount = 1,
            OutstandingIO = 4,
            WritePercent = 100,
            AccessPattern = order,
            RandomPercent = 50,
            Seed = seed,
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromSeconds(1),
        };
        var clock = new VirtualClock();
        var backend = new RecordingBackend(clock);
        using var run = new TestRun(specification, null, clock) { BackendFactory = () => backend };
        run.Start();
        run.Wait(Timeout.InfiniteTimeSpan);
        Assert.Equal(IoResultStatus.Complete, run.GetResult().Status);
        return backend.Offsets[..WriteCount];
    }

    private sealed class RecordingBackend(VirtualClock clock) : IoBackend
    {
        private IoSlot* _slots;

        public List<long> Offsets { get; } = [];
        public override BackendDescriptor Kind => NullBackend.Descriptor;
        public override VirtualClock VirtualClock => clock;

        public override void Open(BackendSetup setup) => _slots = setup.Slots;

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
        {
            clock.Now += 1_000_000;
            for (var i = 0; i < count; i++)
            {
                Offsets.Add(_slots[ready[i]].Offset);
                completions[i] = new IoCompletion { Slot = ready[i], Result = _slots[ready[i]].Length };
            }
            return count;
        }

        public override void Close() { }
    }
}
