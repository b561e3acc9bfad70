namespace IoBench.Engine.Tests;

public class ThreadIntervalTests
{
    private static IoTestResult Run(bool gather, NullDeviceModel model, Action<IoTestSpecification>? change = null)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("modelled")],
            Backend = NullBackend.Name,
            NullDevice = model,
            ThreadCount = 1,
            OutstandingIO = 4,
            WritePercent = 25,
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromSeconds(5),
            ThreadTimelines = gather,
        };
        change?.Invoke(specification);
        return ModeledRun.RunToEnd(specification);
    }

    [Fact]
    public void Each_interval_has_minimum_maximum_average_and_deviation()
    {
        var result = Run(gather: true, new NullDeviceModel(0, 1, NullServiceTime.Bimodal, SlowMs: 5, SlowPercent: 10));
        var thread = Assert.Single(result.Threads);
        Assert.Equal([1, 2, 3, 4, 5], thread.Timeline.Select(p => p.Seconds));
        foreach (var point in thread.Timeline)
        {
            var (read, write) = (point.ReadLatency!, point.WriteLatency!);
            Assert.Equal((1, 5, 1, 5), (read.MinMs, read.MaxMs, write.MinMs, write.MaxMs));
            // With a fraction p of slow I/Os: mean 1 + 4p, standard deviation 4 sqrt(p (1 - p)).
            var slow = (read.AverageMs!.Value - 1) / 4;
            Assert.InRange(slow, 0.07, 0.13);
            Assert.Equal(4 * Math.Sqrt(slow * (1 - slow)), read.StdDevMs!.Value, 1e-6);
            Assert.Equal(
                point.AverageLatencyMs!.Value,
                (read.AverageMs.Value * point.ReadIOPS!.Value + write.AverageMs!.Value * point.WriteIOPS!.Value) / point.IOPS!.Value,
                1e-9
            );
        }
        // With one thread, the intervals of the run are those of the thread.
        Assert.Equal(
            result.Timeline.Select(p => (p.Seconds, p.IOPS, p.MBps, p.ReadLatency, p.WriteLatency)),
            thread.Timeline.Select(p => (p.Seconds, p.IOPS, p.MBps, p.ReadLatency, p.WriteLatency))
        );
    }

    [Fact]
    public void Operation_without_IOs_has_no_latency()
    {
        var result = Run(gather: true, new NullDeviceModel(0, 1), s => s.WritePercent = 100);
        Assert.All(result.Threads[0].Timeline, p => Assert.True(p is { ReadLatency: null, ReadIOPS: 0, WriteLatency: not null }));
    }

    /// <summary>Only DiskSpd's -D needs thread timelines. Without it, results and their JSON stay small.</summary>
    [Fact]
    public void Thread_timelines_are_recorded_only_on_request()
    {
        var result = Run(gather: false, new NullDeviceModel(0, 1));
        Assert.Empty(result.Threads[0].Timeline);
        Assert.All(result.Timeline, p => Assert.True(p is { ReadLatency: null, WriteLatency: null }));
    }

    [Fact]
    public void Open_loop_records_response_times_and_thread_timelines()
    {
        var result = Run(gather: true, new NullDeviceModel(0, 1), s => (s.TargetIops, s.WritePercent) = (500, 0));
        Assert.Equal(1, result.Threads[0].Timeline[2].ReadLatency!.AverageMs!.Value, 0.01);
        Assert.InRange(result.ResponseAverageMs!.Value, 1, 1.5);
    }

    [Fact]
    public void Threads_of_a_run_list_their_targets_and_CPUs()
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("a"), new IoTargetSpecification("b")],
            Backend = NullBackend.Name,
            NullDevice = new NullDeviceModel(0, 1),
            ThreadCount = 2,
            AffinityMode = IoAffinityMode.RoundRobin,
            Processors = [0],
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromSeconds(1),
        };
        using var run = new TestRun(specification, null, new VirtualClock());
        Assert.Empty(run.Threads);
        run.Start();
        Assert.True(run.Wait(TimeSpan.FromMinutes(1)));
        Assert.Equal(
            [(0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 1, 1)],
            run.Threads.Select(t => (t.Number, t.NumberOfTarget, Assert.Single(t.Targets)))
        );
        Assert.All(run.Threads, t => Assert.Equal([0], t.Processors));
    }
}
