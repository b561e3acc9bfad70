namespace IoBench.Engine.Tests;

public class SubmissionBatchTests
{
    private const long CallNanoseconds = 10_000;
    private const int Outstanding = 32;

    [Theory]
    [InlineData(0, int.MaxValue, "1 3 7 15 31 32")]
    [InlineData(100, int.MaxValue, "1 3 7 15 31 32")]
    [InlineData(100, 4, "1 3 7 11 15 19 23 27 31 32")]
    [InlineData(30, 1, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32")]
    [InlineData(100, 0, "32")]
    public void Batches_grow_after_a_burst_of_completions(int writePercent, int maxPortion, string handedOver)
    {
        var device = new BurstBackend(maxPortion);
        Run(device, s => s.WritePercent = writePercent);
        Assert.True(device.Rounds.Count > 10);
        // Number of prepared I/Os at each submission: not more than the batch includes.
        Assert.All(device.Rounds, round => Assert.Equal(handedOver, string.Join(' ', round)));
    }

    [Fact]
    public void Synchronous_device_gets_all_IOs_in_one_batch()
    {
        var device = new BurstBackend(int.MaxValue, doneAtOnce: true);
        Run(device, _ => { });
        Assert.True(device.Rounds.Count > 10);
        // The first I/O shows that the device is synchronous.
        Assert.Equal([1, 32], device.Rounds[0]);
        Assert.All(device.Rounds.Skip(1), round => Assert.Equal([32], round));
    }

    [Fact]
    public void Small_batches_return_when_a_device_is_asynchronous_again()
    {
        var device = new BurstBackend(int.MaxValue, doneAtOnce: true);
        device.AfterRound = () => device.IsDoneAtOnce = device.Rounds.Count < 10;
        device.RemainingCount = () => device.Rounds.Count == 10 ? 1 : 0;
        Run(device, _ => { });
        Assert.Equal([32], device.Rounds[9]);
        Assert.Equal([1, 3, 7, 15, 31, 32], device.Rounds[^1]);
    }

    [Theory]
    [InlineData(24, "32")]
    [InlineData(16, "32")]
    [InlineData(4, "8 16 32")]
    public void First_batch_is_as_large_as_the_remaining_queue(int left, string handedOver)
    {
        var device = new BurstBackend(int.MaxValue) { RemainingCount = () => left };
        Run(device, _ => { });
        Assert.True(device.Rounds.Count > 10);
        Assert.All(device.Rounds.Skip(1), round => Assert.Equal(handedOver, string.Join(' ', round)));
    }

    [Fact]
    public void Start_time_of_an_IO_is_the_submission_of_its_batch()
    {
        var device = new BurstBackend(int.MaxValue);
        Run(device, s => s.WritePercent = 50);
        Assert.NotEmpty(device.Started);
        Assert.All(device.Started, s => Assert.Equal(s.HandedOver, s.Started));
    }

    [Fact]
    public void Latency_counts_from_the_submission_of_its_own_batch()
    {
        // A burst ends with the last of six calls, so the first batch takes the time of six calls and the last batch that of one.
        var result = Run(new BurstBackend(int.MaxValue), _ => { });
        Assert.Equal(CallNanoseconds / 1e6, result.MinLatencyMs!.Value, 9);
        Assert.Equal(6 * CallNanoseconds / 1e6, result.MaxLatencyMs!.Value, 9);
    }

    [Theory]
    [InlineData(null)]
    [InlineData(1_000_000.0)]
    public void IOs_with_a_target_rate_are_also_submitted_in_batches(double? rate)
    {
        var device = new BurstBackend(int.MaxValue);
        Run(device, s => s.TargetIops = rate);
        Assert.Contains(device.Rounds, round => round.Count > 1);
    }

    [Fact]
    public unsafe void Verified_IOs_of_a_synchronous_device_complete_a_few_at_a_time()
    {
        var device = new BurstBackend(int.MaxValue, doneAtOnce: true);
        var memory = new WorkerMemory(Outstanding, Outstanding * 4096, largePages: false);
        try
        {
            device.Open(
                new BackendSetup
                {
                    Slots = memory.Slots,
                    SlotCount = Outstanding,
                    Buffers = memory.Buffers,
                    BufferBytes = memory.BufferBytes,
                    Targets = [],
                }
            );
            // The CPU cache has room for two blocks of 128 KB.
            var pipeline = new WorkerPipeline(device, memory, new WorkerCounters(), streams: [], largestBlock: 128 << 10);
            var (counts, order) = (new List<int>(), new List<int>());
            for (var i = 0; i < Outstanding; i++)
                Next(i);
            while (order.Count < 3 * Outstanding)
                Round();
            Assert.Equal(3, counts[0]);
            Assert.All(counts.Skip(1), count => Assert.Equal(2, count));
            // Round robin: no I/O waits longer than the others.
            Assert.Equal(Enumerable.Range(0, order.Count).Select(i => i % Outstanding), order);

            device.RemainingCount = () => 1;
            Round();
            Round();
            // One I/O was left outstanding: the device got all others in the next call and returned all but one.
            Assert.Equal(Outstanding - 1, counts[^1]);

            void Round()
            {
                var got = pipeline.SubmitAndReap(long.MaxValue);
                counts.Add(got);
                int[] slots =
                [
                    .. new ReadOnlySpan<IoCompletion>(pipeline.Completions, got).ToArray().Select(completion => completion.Slot),
                ];
                order.AddRange(slots);
                Array.ForEach(slots, Next);
            }

            void Next(int slot)
            {
                (memory.Slots[slot].Operation, memory.Slots[slot].Length, memory.Slots[slot].Offset) = (IoRequestKind.Write, 4096, 0);
                pipeline.SubmitFullBatch();
                pipeline.AddReady(slot);
            }
        }
        finally
        {
            memory.Free();
        }
    }

    private static IoTestResult Run(BurstBackend device, Action<IoTestSpecification> change)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("imagined")],
            Backend = NullBackend.Name,
            ThreadCount = 1,
            OutstandingIO = Outstanding,
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromMilliseconds(100),
        };
        change(specification);
        using var run = new TestRun(specification, null, device.Time) { BackendFactory = () => device };
        run.Start();
        run.Wait(Timeout.InfiniteTimeSpan);
        return run.GetResult();
    }

    private sealed unsafe class BurstBackend(int maxPortion, bool doneAtOnce = false) : IoBackend
    {
        private const long NotPrepared = -1;
        private readonly List<int> _held = [];
        private List<int> _round = [];
        private IoSlot* _slots;
        private int _slotCount;
        private int _handedOver;
        private int _left;

        public VirtualClock Time { get; } = new();
        public List<List<int>> Rounds { get; } = [];
        public List<(long HandedOver, long Started)> Started { get; } = [];
        public bool IsDoneAtOnce { get; set; } = doneAtOnce;

        public Func<int> RemainingCount { get; set; } = () => 0;
        public Action AfterRound { get; set; } = () => { };

        public override BackendDescriptor Kind => NullBackend.Descriptor;
        public override VirtualClock? VirtualClock => Time;
        public override int MaxSubmissionBatch => maxPortion;
        public override bool HasCompletions => IsDoneAtOnce && _held.Count > 0;

        public override void Open(BackendSetup setup)
        {
            _slots = setup.Slots;
            _slotCount = setup.SlotCount;
            for (var i = 0; i < _slotCount; i++)
                _slots[i].Offset = NotPrepared;
        }

        public override int Submit(int* ready, int count)
        {
            if (maxPortion == 0)
                return 0;
            AcceptIOs(ready, count);
            return count;
        }

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
        {
            AcceptIOs(ready, count);
            if (_held.Count == 0)
                Time.Now = until;
            if (_round.Count > 0 && _handedOver + _left == Outstanding)
            {
                Rounds.Add(_round);
                AfterRound();
            }
            (_round, _handedOver) = ([], 0);
            // At the end, all I/Os complete.
            _left = count == 0 ? 0 : Math.Min(RemainingCount(), _held.Count - 1);
            var got = _held.Count - _left;
            for (var i = 0; i < got; i++)
            {
                completions[i] = new IoCompletion { Slot = _held[i], Result = _slots[_held[i]].Length };
                _slots[_held[i]].Offset = NotPrepared;
            }
            _held.RemoveRange(0, got);
            return got;
        }

        public override void Close() { }

        private void AcceptIOs(int* ready, int count)
        {
            var prepared = 0;
            for (var i = 0; i < _slotCount; i++)
                prepared += _slots[i].Offset != NotPrepared ? 1 : 0;
            for (var i = 0; i < count; i++)
            {
                _held.Add(ready[i]);
                Started.Add((Time.Now, _slots[ready[i]].Started));
            }
            _handedOver += count;
            if (count > 0)
                _round.Add(prepared);
            Time.Now += CallNanoseconds;
        }
    }
}
