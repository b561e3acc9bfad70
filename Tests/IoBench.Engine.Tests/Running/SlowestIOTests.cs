namespace IoBench.Engine.Tests;

public class SlowestIOTests
{
    private const double ServiceMs = 0.5;

    [Fact]
    public void Heap_keeps_the_slowest_IOs_in_any_order_of_addition()
    {
        var heap = new SlowestIOs();
        var random = new Random(7);
        long[] latencies = [.. Enumerable.Range(1, 5000).Select(number => (long)number)];
        random.Shuffle(latencies);
        foreach (var latency in latencies)
            heap.Add(new SlowIO { Latency = latency });
        Assert.Equal(Enumerable.Range(4901, 100).Select(number => (long)number), heap.All.ToArray().Select(io => io.Latency).Order());
        Assert.Equal(4901, heap.Threshold);
    }

    [Fact]
    public void Slowest_IOs_are_those_outstanding_during_a_stall()
    {
        var result = Run(new NullDeviceModel(4, ServiceMs, StallAtSeconds: 3, StallSeconds: 2), s => s.WritePercent = 50);
        Assert.Equal(IoSlowIO.MaxCount, result.SlowestIOs.Count);
        Assert.Equal(result.MaxLatencyMs!.Value, result.SlowestIOs[0].LatencyMs, 1e-6);
        Assert.Equal(result.SlowestIOs.Select(io => io.LatencyMs).OrderDescending(), result.SlowestIOs.Select(io => io.LatencyMs));
        // 8 I/Os were outstanding when the device stalled, so up to 7 others were outstanding with each of them.
        Assert.All(
            result.SlowestIOs.Take(8),
            io =>
            {
                Assert.InRange(io.Seconds, 1.99, 2.01);
                Assert.InRange(io.LatencyMs, 2000, 2005);
                Assert.InRange(io.InFlight, 3, 7);
                Assert.Equal((8192, 0, null, null), (io.Size, io.Target, io.QueuedMs, io.IsLost));
                Assert.Equal(0, io.Offset % 8192);
            }
        );
        Assert.All(result.SlowestIOs.Skip(8), io => Assert.InRange(io.LatencyMs, 0, 5));
        Assert.Equal([IoRequestKind.Read, IoRequestKind.Write], result.SlowestIOs.Select(io => io.Kind).Distinct().Order());
    }

    [Fact]
    public void Open_loop_reports_queued_time_separately()
    {
        var result = Run(new NullDeviceModel(4, ServiceMs, StallAtSeconds: 3, StallSeconds: 2), s => s.TargetIops = 1000);
        Assert.True(result.SlowestIOs[0].LatencyMs < 2001);
        Assert.Contains(result.SlowestIOs, io => io.QueuedMs > 1000);
    }

    [Fact]
    public void Slow_flush_is_listed_without_offset_and_size()
    {
        var result = Run(new NullDeviceModel(1, ServiceMs), s => (s.WritePercent, s.FlushEvery, s.OutstandingIO) = (100, 3, 1));
        var flush = Assert.Single(result.SlowestIOs.Where(io => io.Kind == IoRequestKind.Flush).Take(1));
        Assert.Equal((null, null), (flush.Offset, flush.Size));
    }

    [Fact]
    public void Slowest_IOs_and_stalls_exclude_the_warm_up()
    {
        var result = Run(
            new NullDeviceModel(4, ServiceMs, StallAtSeconds: 0.2, StallSeconds: 0.5),
            s => s.WarmUp = TimeSpan.FromSeconds(1)
        );
        Assert.True(result.SlowestIOs[0].LatencyMs < 5);
        Assert.Empty(result.Stalls);
    }

    [Theory]
    [InlineData(1, null)]
    [InlineData(4, null)]
    // One thread at a rate, because threads that share a virtual clock can each advance it past the due time of another thread's I/O.
    [InlineData(1, 400.0)]
    public void Stalls_are_found_with_start_and_length(int threads, double? rate)
    {
        var result = Run(
            new NullDeviceModel(4, ServiceMs, StallAtSeconds: 3, StallSeconds: 0.3, StallEverySeconds: 2),
            s => (s.ThreadCount, s.TargetIops, s.Duration) = (threads, rate, TimeSpan.FromSeconds(9)),
            realClock: false
        );
        Assert.Equal([2.0, 4.0, 6.0, 8.0], result.Stalls.Select(stall => Math.Round(stall.Seconds, 1)));
        Assert.All(result.Stalls, stall => Assert.InRange(stall.LengthSeconds, 0.28, 0.31));
    }

    [Fact]
    public void Pause_without_outstanding_IO_is_not_a_stall() =>
        Assert.Empty(Run(new NullDeviceModel(4, ServiceMs), s => (s.TargetIops, s.Duration) = (2, TimeSpan.FromSeconds(60))).Stalls);

    [Fact]
    public void Stalls_of_a_run_are_common_to_all_workers()
    {
        static WorkerStall Of(double from, double busy, double to) => new((long)(from * 1e9), (long)(busy * 1e9), (long)(to * 1e9));
        var common = StallLog.FindCommonStalls(
            [
                [Of(1, 1.2, 3), Of(5, 5, 6)],
                [Of(0.5, 0.6, 2), Of(2.1, 2.1, 2.9), Of(7, 7, 8)],
            ],
            0,
            (long)10e9
        );
        Assert.Equal([Of(1, 1, 2), Of(2.1, 2.1, 2.9)], common);
    }

    [Fact]
    public void Progress_shows_a_hung_IO()
    {
        var backend = new HangingBackend();
        using var run = new TestRun(
            CreateSpecification(
                new NullDeviceModel(4, ServiceMs),
                s => (s.OutstandingIO, s.WritePercent, s.WarmUp, s.Duration) = (1, 100, TimeSpan.Zero, TimeSpan.FromMinutes(5))
            ),
            null,
            null
        )
        {
            BackendFactory = () => backend,
        };
        run.Start();
        var seen = TestTimeouts.RetryUntil(
            waiting => waiting is not null,
            () =>
            {
                run.Wait(TimeSpan.FromMilliseconds(100));
                return run.GetProgress().Waiting;
            }
        );
        Assert.Equal((IoRequestKind.Write, "modelled", 8192, 1, 1), (seen!.Kind, seen.Path, seen.Size, seen.Count, seen.InFlight));
        Assert.True(seen.Seconds >= 1);
        run.Cancel();
        run.Wait(TimeSpan.FromSeconds(30));
        var result = run.GetResult();
        Assert.True(result.SlowestIOs[0].IsLost);
        Assert.True(Assert.Single(result.Stalls).LengthSeconds >= 1);
        backend.Release();
    }

    private static IoTestSpecification CreateSpecification(NullDeviceModel model, Action<IoTestSpecification>? change)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("modelled")],
            Backend = NullBackend.Name,
            NullDevice = model,
            ThreadCount = 1,
            OutstandingIO = 8,
            WarmUp = TimeSpan.FromSeconds(1),
            Duration = TimeSpan.FromSeconds(10),
        };
        change?.Invoke(specification);
        return specification;
    }

    private static IoTestResult Run(NullDeviceModel model, Action<IoTestSpecification>? change = null, bool realClock = false)
    {
        using var run = new TestRun(CreateSpecification(model, change), null, realClock ? null : new VirtualClock());
        run.Start();
        run.Wait(Timeout.InfiniteTimeSpan);
        return run.GetResult();
    }

    /// <summary>
    /// Completes no I/O until it is released. It uses a flag instead of an event because its thread can still run after the test has ended.
    /// </summary>
    private sealed unsafe class HangingBackend : IoBackend
    {
        private volatile bool _released;

        public void Release() => _released = true;

        public override BackendDescriptor Kind => NullBackend.Descriptor;

        public override void Open(BackendSetup setup) { }

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
        {
            while (!_released)
                Thread.Sleep(5);
            return 0;
        }

        public override void Close() { }
    }
}
