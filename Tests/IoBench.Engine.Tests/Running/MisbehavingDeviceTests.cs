namespace IoBench.Engine.Tests;

public class MisbehavingDeviceTests
{
    private const int Eio = 5,
        Eagain = 11,
        Enospc = 28;

    [LinuxTheory]
    [InlineData(Eio, 0, "read of 8192 bytes at offset ")]
    [InlineData(Enospc, 100, "write of 8192 bytes at offset ")]
    public void IO_error_ends_the_run_with_offset_and_advice(int error, int writePercent, string text)
    {
        var result = Run(new ScriptedBackend { ErrorAfter = 1000, Error = error }, s => s.WritePercent = writePercent);
        Assert.Equal(IoResultStatus.Failed, result.Status);
        Assert.Equal("IoBench.IoFailed", result.ErrorId);
        Assert.StartsWith(text, result.ErrorMessage, StringComparison.Ordinal);
        Assert.Contains($"({error}). ", result.ErrorMessage, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', result.ErrorMessage!);
        Assert.True(result.IOCount > 0, "what was measured before is kept");
        Assert.True(result.DurationSeconds < 300, "the run did not go on to its end");
    }

    [Fact]
    public void Partial_transfer_is_continued_and_counted()
    {
        var result = Run(
            new ScriptedBackend
            {
                ErrorAfter = 100,
                Error = -4096,
                FailsOnce = true,
                Time = new VirtualClock(),
            },
            s => s.Duration = TimeSpan.FromMilliseconds(100)
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal(result.IOCount * 8192, result.ByteCount);
        Assert.Contains(result.Warnings, w => w.StartsWith("1 transfer completed only part of an I/O", StringComparison.Ordinal));
        Assert.True(result.HasWarning(WarningCodes.PartTransfers));
    }

    [Fact]
    public void Transfer_of_zero_bytes_fails_the_run()
    {
        var result = Run(new ScriptedBackend { ErrorAfter = 100, Error = 0 });
        Assert.Equal(IoResultStatus.Failed, result.Status);
        Assert.Contains("only 0 bytes were transferred", result.ErrorMessage, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Busy_IO_is_retried()
    {
        var script = new ScriptedBackend
        {
            ErrorAfter = 50,
            Error = Eagain,
            FailsOnce = true,
            Time = new VirtualClock(),
        };
        var result = Run(script, s => s.Duration = TimeSpan.FromMilliseconds(100));
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.True(script.HasFailed);
        Assert.True(script.Completed > 1000);
        Assert.True(result.HasWarning(WarningCodes.BusyAnswers));
    }

    [LinuxFact]
    public void Latency_of_a_busy_IO_counts_from_the_first_attempt()
    {
        // One I/O at a time. The device holds it for 40 ms and then returns EAGAIN. The second attempt completes at once.
        var script = new ScriptedBackend
        {
            ErrorAfter = 50,
            Error = Eagain,
            FailsOnce = true,
            ErrorDelayMs = 40,
            Time = new VirtualClock(),
        };
        var result = Run(script, s => (s.OutstandingIO, s.Duration) = (1, TimeSpan.FromMilliseconds(300)));
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.InRange(result.MaxLatencyMs!.Value, 40, 41);
    }

    [LinuxFact]
    public void Busy_IO_at_the_end_of_the_run_is_not_a_failure()
    {
        // All I/Os are busy from some time on. Then the run is canceled.
        var script = new ScriptedBackend { ErrorAfter = 50, Error = Eagain };
        using var run = StartRun(script);
        while (!script.HasFailed)
            Assert.False(run.Wait(TimeSpan.FromMilliseconds(1)));
        run.Cancel();
        Assert.True(run.Wait(TimeSpan.FromSeconds(30)));
        Assert.Equal(IoResultStatus.Cancelled, run.GetResult().Status);
    }

    [Fact]
    public void Cancel_abandons_hung_IO_and_keeps_its_buffers()
    {
        var script = new ScriptedBackend { HangAfter = 100 };
        using var run = StartRun(script);
        while (!script.IsHanging)
            Assert.False(run.Wait(TimeSpan.FromMilliseconds(5)));
        run.Cancel();
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        var result = run.GetResult();
        Assert.Equal(IoResultStatus.Cancelled, result.Status);
        Assert.Contains(result.Warnings, w => w.Contains("4 I/Os did not complete", StringComparison.Ordinal));
        Assert.False(script.IsClosed, "nothing may be freed while the device may still write into it");
        script.Release();
    }

    [Fact]
    public void Run_fails_before_it_starts_if_a_worker_cannot_open()
    {
        using var run = StartRun(new ScriptedBackend { RefusesToOpen = true });
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        Assert.Equal("IoBench.NoIoUring", Assert.Throws<IoBenchException>(run.GetResult).ErrorId);
    }

    [Fact]
    public void Run_stops_when_latency_exceeds_the_limit()
    {
        // On a busy computer the worker can get no CPU for three intervals. Then the run reports that no I/O completed.
        var specification = CreateSpecification();
        (specification.NullDevice, specification.TimelineInterval, specification.StopAboveMs) = (
            new NullDeviceModel(0, 20),
            TimeSpan.FromMilliseconds(50),
            5
        );
        var result = TestRun.Run(specification);
        Assert.Equal(IoResultStatus.Cancelled, result.Status);
        Assert.Contains(
            result.Warnings,
            w => w.StartsWith("IoBench ended the run", StringComparison.Ordinal) && w.Contains("limit", StringComparison.Ordinal)
        );
        Assert.True(result.DurationSeconds >= 0.15, "three intervals are looked at");
    }

    [Fact]
    public void Run_stops_when_no_IO_completes()
    {
        var script = new ScriptedBackend { HangAfter = 0 };
        using var run = StartRun(script, s => (s.TimelineInterval, s.StopAboveMs) = (TimeSpan.FromMilliseconds(50), 5));
        while (run.GetProgress().Phase < RunPhase.Draining)
            run.Wait(TimeSpan.FromMilliseconds(1));
        script.Release();
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        var result = run.GetResult();
        Assert.Equal(IoResultStatus.Cancelled, result.Status);
        Assert.Contains("IoBench ended the run, because no I/O completed for 0.15 s (outstanding I/Os: 4; limit: 5 ms).", result.Warnings);
    }

    [Fact]
    public void Run_does_not_stop_while_it_waits_for_scheduled_IO()
    {
        // One I/O in two seconds: dozens of intervals pass without outstanding I/O.
        var result = TestTimeouts.RetryUntil(
            r => r.Status == IoResultStatus.Complete,
            () =>
                Run(
                    new ScriptedBackend(),
                    s =>
                    {
                        (s.TargetIops, s.OutstandingIO, s.Duration) = (0.5, 1, TimeSpan.FromMilliseconds(400));
                        (s.TimelineInterval, s.StopAboveMs) = (TimeSpan.FromMilliseconds(10), 20);
                    }
                )
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
    }

    [Fact]
    public void Flushes_follow_every_n_writes_and_are_counted_separately()
    {
        var specification = CreateSpecification();
        (specification.WritePercent, specification.FlushEvery, specification.Duration) = (100, 10, TimeSpan.FromSeconds(2));
        specification.NullDevice = new NullDeviceModel(0, 0.1);
        var result = ModeledRun.RunToEnd(specification);
        var flushes = long.Parse(result.Host["Flushes"].Split(',')[0], System.Globalization.CultureInfo.InvariantCulture);
        Assert.InRange(flushes / (double)result.IOCount!.Value, 0.09, 0.11);
        Assert.Equal(result.IOCount * 8192, result.ByteCount);
    }

    [Fact]
    public void Warning_reports_a_busy_CPU()
    {
        // A device that completes immediately keeps the worker's CPU busy.
        var specification = CreateSpecification();
        (specification.Processors, specification.Duration) = ([ProcessorTopology.GetAvailableProcessors()[0]], TimeSpan.FromSeconds(1));
        var result = TestTimeouts.RetryUntil(r => r.Processors.Any(p => p.UsagePercent >= 95), () => TestRun.Run(specification));
        Assert.Contains(
            result.Warnings,
            w =>
                w.Contains("busy all the time. This CPU, not the storage, might be the bottleneck", StringComparison.Ordinal)
                || w.StartsWith("All CPUs were busy", StringComparison.Ordinal)
        );
        Assert.Contains(result.Processors, p => p.UsagePercent >= 95);
        // The CPU can be busy because of the test or because of other load on the computer.
        Assert.Matches(
            @"(An I/O costs [\d.]+ us of CPU time, so IoBench can drive about [\d.]+ M IOPS per core on this computer\. The test reached \d+% of this rate on \d+ cores?|IoBench used \d+% of the time of (this CPU|these CPUs)\. The operating system and other programs used the rest)\.$",
            result.Warnings.First(w => w.Contains(", not the storage, might be", StringComparison.Ordinal))
        );
    }

    [Fact]
    public void Warning_reports_unsteady_IOPS()
    {
        var specification = CreateSpecification();
        (specification.NullDevice, specification.Duration) = (
            new NullDeviceModel(1, 1, NullServiceTime.Bimodal, SlowMs: 700, SlowPercent: 0.05),
            TimeSpan.FromSeconds(20)
        );
        Assert.Contains(ModeledRun.RunToEnd(specification).Warnings, w => w.StartsWith("IOPS were not steady", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(true), InlineData(false)]
    public void Flushes_do_not_count_toward_the_target_rate(bool open)
    {
        var specification = CreateSpecification();
        (specification.WritePercent, specification.FlushEvery, specification.Duration) = (100, 1, TimeSpan.FromSeconds(10));
        specification.TargetIops = open ? 1000 : null;
        specification.MaxIopsPerThread = open ? null : 1000;
        specification.NullDevice = new NullDeviceModel(0, 0.1);
        Assert.InRange(ModeledRun.RunToEnd(specification).WriteIOPS!.Value, 995, 1005);
    }

    [LinuxFact]
    public void Low_IO_priority_is_set_in_the_kernel()
    {
        var seen = (Before: 0, After: 0);
        var thread = new Thread(() =>
        {
            seen.Before = ProcessPriority.GetIOPriority();
            ProcessPriority.SetIOPriority(IoPriority.Normal);
            Assert.Equal(seen.Before, ProcessPriority.GetIOPriority());
            ProcessPriority.SetIOPriority(IoPriority.VeryLow);
            seen.After = ProcessPriority.GetIOPriority();
        });
        thread.Start();
        thread.Join();
        Assert.Equal(3 << 13, seen.After);
        Assert.NotEqual(seen.Before, seen.After);
    }

    [Fact]
    public void Affinity_uses_one_CPU_per_thread_by_list_and_all_by_mask()
    {
        var list = new IoPattern { Processors = [1, 3] };
        Assert.Equal([1], ProcessorTopology.GetProcessors(list, 0));
        Assert.Equal([3], ProcessorTopology.GetProcessors(list, 1));
        Assert.Equal([1], ProcessorTopology.GetProcessors(list, 2));
        Assert.Equal([1, 3], ProcessorTopology.GetProcessors(new IoPattern { Processors = [1, 3], AffinityMode = IoAffinityMode.Mask }, 5));
        Assert.Empty(ProcessorTopology.GetProcessors(new IoPattern(), 0));
        var all = ProcessorTopology.GetAvailableProcessors();
        Assert.Equal([all[1 % all.Length]], ProcessorTopology.GetProcessors(new IoPattern { AffinityMode = IoAffinityMode.RoundRobin }, 1));

        var specification = CreateSpecification();
        (specification.Processors, specification.Duration) = ([100_000], TimeSpan.FromMilliseconds(50));
        Assert.Equal("IoBench.InvalidAffinity", Assert.Throws<IoBenchException>(() => TestRun.Run(specification)).ErrorId);
    }

    private static IoTestSpecification CreateSpecification() =>
        new()
        {
            Targets = [new IoTargetSpecification("imagined")],
            Backend = NullBackend.Name,
            ThreadCount = 1,
            OutstandingIO = 4,
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromMinutes(5),
        };

    private static TestRun StartRun(ScriptedBackend script, Action<IoTestSpecification>? change = null)
    {
        var specification = CreateSpecification();
        change?.Invoke(specification);
        var run = new TestRun(specification, null, script.Time) { BackendFactory = () => script };
        run.Start();
        return run;
    }

    private static IoTestResult Run(ScriptedBackend script, Action<IoTestSpecification>? change = null)
    {
        using var run = StartRun(script, change);
        run.Wait(Timeout.InfiniteTimeSpan);
        return run.GetResult();
    }

    private sealed unsafe class ScriptedBackend : IoBackend
    {
        private volatile bool _released;
        private readonly List<int> _held = [];
        private IoSlot* _slots;
        private long? _first;

        public int ErrorAfter { get; init; } = int.MaxValue;
        public int HangAfter { get; init; } = int.MaxValue;

        /// <summary>Error number; a negative value = number of transferred bytes without an error.</summary>
        public int Error { get; init; }
        public bool FailsOnce { get; init; }

        /// <summary>Duration of an error in milliseconds on the virtual clock.</summary>
        public int ErrorDelayMs { get; init; }
        public bool RefusesToOpen { get; init; }
        public long Completed { get; private set; }
        public bool IsHanging { get; private set; }
        public bool IsClosed { get; private set; }

        public bool HasFailed { get; private set; }

        /// <summary>Virtual clock that the backend advances; null = the real clock.</summary>
        public VirtualClock? Time { get; init; }

        public override BackendDescriptor Kind => NullBackend.Descriptor;

        public override VirtualClock? VirtualClock => Time;

        public void Release() => _released = true;

        public override void Open(BackendSetup setup)
        {
            if (RefusesToOpen)
                throw IoBenchException.Failure("IoBench.NoIoUring", "refused by the script.");
            _slots = setup.Slots;
        }

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
        {
            for (var i = 0; i < count; i++)
                _held.Add(ready[i]);
            AdvanceClock(100_000);
            _first ??= Now;
            if (Completed >= HangAfter)
            {
                IsHanging = true;
                while (!_released)
                    Thread.Sleep(1);
            }
            var got = 1 + (int)(Completed % 2);
            got = Math.Min(got, _held.Count);
            for (var i = 0; i < got; i++)
            {
                var slot = _held[^1];
                _held.RemoveAt(_held.Count - 1);
                completions[i].Slot = slot;
                completions[i].Result = _slots[slot].Length;
                // The fault must occur within the measured time.
                if (++Completed > ErrorAfter && Now - _first > 50_000_000 && !(FailsOnce && HasFailed))
                {
                    HasFailed = true;
                    AdvanceClock(ErrorDelayMs * 1_000_000L);
                    completions[i].Result = -Error;
                }
            }
            return got;
        }

        public override void Close() => IsClosed = true;

        private long Now => Time?.Now ?? Clock.Now;

        private void AdvanceClock(long nanoseconds)
        {
            if (Time is not null)
                Time.Now += nanoseconds;
        }
    }
}
