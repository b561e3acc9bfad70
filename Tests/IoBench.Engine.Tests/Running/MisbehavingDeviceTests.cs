namespace IoBench.Engine.Tests;

public class MisbehavingDeviceTests
{
    private const int Eio = 5,
        Eagain = 11,
        Enospc = 28;

    [LinuxTheory]
    [InlineData(Eio, 0, "read of 8192 bytes at offset ")]
    [InlineData(Enospc, 100, "write of 8192 bytes at offset ")]
    public void An_error_ends_the_run_with_its_place_and_what_to_do(int error, int writePercent, string text)
    {
        var result = Run(new Script { ErrorAfter = 1000, Error = error }, s => s.WritePercent = writePercent);
        Assert.Equal(IoResultStatus.Failed, result.Status);
        Assert.Equal("IoBench.IoFailed", result.ErrorId);
        Assert.StartsWith(text, result.ErrorMessage, StringComparison.Ordinal);
        Assert.Contains($"({error}). ", result.ErrorMessage, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', result.ErrorMessage!);
        Assert.True(result.IOCount > 0, "what was measured before is kept");
        Assert.True(result.DurationSeconds < 300, "the run did not go on to its end");
    }

    [Fact]
    public void A_transfer_of_a_part_is_carried_on_and_counted()
    {
        var result = Run(
            new Script
            {
                ErrorAfter = 100,
                Error = -4096,
                Once = true,
                Time = new VirtualClock(),
            },
            s => s.Duration = TimeSpan.FromMilliseconds(100)
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal(result.IOCount * 8192, result.ByteCount);
        Assert.Contains(result.Warnings, w => w.StartsWith("1 transfer moved only part of an I/O", StringComparison.Ordinal));
        Assert.True(result.HasWarning(WarningCodes.PartTransfers));
    }

    [Fact]
    public void Where_nothing_more_is_moved_the_run_ends()
    {
        var result = Run(new Script { ErrorAfter = 100, Error = 0 });
        Assert.Equal(IoResultStatus.Failed, result.Status);
        Assert.Contains("only 0 bytes were moved", result.ErrorMessage, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Busy_is_not_an_error()
    {
        var script = new Script
        {
            ErrorAfter = 50,
            Error = Eagain,
            Once = true,
            Time = new VirtualClock(),
        };
        var result = Run(script, s => s.Duration = TimeSpan.FromMilliseconds(100));
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.True(script.HasFailed);
        Assert.True(script.Completed > 1000);
        Assert.True(result.HasWarning(WarningCodes.BusyAnswers));
    }

    [LinuxFact]
    public void What_was_sent_back_as_busy_counts_from_the_first_try()
    {
        // One I/O at a time. The device holds it for 40 ms and then returns EAGAIN. The second attempt completes at once.
        var script = new Script
        {
            ErrorAfter = 50,
            Error = Eagain,
            Once = true,
            ErrorTakes = 40,
            Time = new VirtualClock(),
        };
        var result = Run(script, s => (s.OutstandingIO, s.Duration) = (1, TimeSpan.FromMilliseconds(300)));
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.InRange(result.MaxLatencyMs!.Value, 40, 41);
    }

    [LinuxFact]
    public void What_is_sent_back_as_busy_at_the_very_end_is_no_failure()
    {
        // All I/Os are busy from some time on. Then the run is canceled.
        var script = new Script { ErrorAfter = 50, Error = Eagain };
        using var run = Start(script);
        while (!script.HasFailed)
            Assert.False(run.Wait(TimeSpan.FromMilliseconds(1)));
        run.Cancel();
        Assert.True(run.Wait(TimeSpan.FromSeconds(30)));
        Assert.Equal(IoResultStatus.Cancelled, run.GetResult().Status);
    }

    [Fact]
    public void A_device_that_never_answers_is_given_up_after_a_cancel_and_its_buffers_stay()
    {
        var script = new Script { HangAfter = 100 };
        using var run = Start(script);
        while (!script.Hangs)
            Assert.False(run.Wait(TimeSpan.FromMilliseconds(5)));
        run.Cancel();
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        var result = run.GetResult();
        Assert.Equal(IoResultStatus.Cancelled, result.Status);
        Assert.Contains(result.Warnings, w => w.Contains("4 I/Os did not come back", StringComparison.Ordinal));
        Assert.False(script.Closed, "nothing may be freed while the device may still write into it");
        script.Release();
    }

    [Fact]
    public void A_worker_that_cannot_get_ready_ends_the_run_before_it_begins()
    {
        using var run = Start(new Script { RefuseToOpen = true });
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        Assert.Equal("IoBench.NoIoUring", Assert.Throws<IoBenchException>(run.GetResult).ErrorId);
    }

    [Fact]
    public void A_run_ends_itself_when_latency_harms_others()
    {
        // On a busy computer the worker can get no CPU for three intervals. Then the run reports that no I/O completed.
        var specification = Specification();
        (specification.NullDevice, specification.TimelineInterval, specification.StopAboveMs) = (
            new NullDeviceModel(0, 20),
            TimeSpan.FromMilliseconds(50),
            5
        );
        var result = TestRun.Run(specification);
        Assert.Equal(IoResultStatus.Cancelled, result.Status);
        Assert.Contains(
            result.Warnings,
            w => w.StartsWith("the run was ended: ", StringComparison.Ordinal) && w.Contains("limit", StringComparison.Ordinal)
        );
        Assert.True(result.DurationSeconds >= 0.15, "three intervals are looked at");
    }

    [Fact]
    public void A_run_ends_itself_when_nothing_comes_back()
    {
        var script = new Script { HangAfter = 0 };
        using var run = Start(script, s => (s.TimelineInterval, s.StopAboveMs) = (TimeSpan.FromMilliseconds(50), 5));
        while (run.GetProgress().Phase < RunPhase.Draining)
            run.Wait(TimeSpan.FromMilliseconds(1));
        script.Release();
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        var result = run.GetResult();
        Assert.Equal(IoResultStatus.Cancelled, result.Status);
        Assert.Contains("the run was ended: no I/O completed for 0.15 s, with 4 outstanding (limit 5 ms).", result.Warnings);
    }

    [Fact]
    public void A_run_that_waits_for_its_next_moment_does_not_end_itself()
    {
        // One I/O in two seconds: dozens of intervals pass without outstanding I/O.
        var result = Patience.Until(
            r => r.Status == IoResultStatus.Complete,
            () =>
                Run(
                    new Script(),
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
    public void Flushes_come_after_so_many_writes_and_are_told_apart()
    {
        var specification = Specification();
        (specification.WritePercent, specification.FlushEvery, specification.Duration) = (100, 10, TimeSpan.FromSeconds(2));
        specification.NullDevice = new NullDeviceModel(0, 0.1);
        var result = ModelledRun.Of(specification);
        var flushes = long.Parse(result.Host["Flushes"].Split(',')[0], System.Globalization.CultureInfo.InvariantCulture);
        Assert.InRange(flushes / (double)result.IOCount!.Value, 0.09, 0.11);
        Assert.Equal(result.IOCount * 8192, result.ByteCount);
    }

    [Fact]
    public void A_processor_that_is_busy_all_the_time_is_told()
    {
        // A device that completes immediately keeps the worker's CPU busy.
        var specification = Specification();
        (specification.Processors, specification.Duration) = ([ThreadAffinity.Available()[0]], TimeSpan.FromSeconds(1));
        var result = Patience.Until(r => r.Processors.Any(p => p.UsagePercent >= 95), () => TestRun.Run(specification));
        Assert.Contains(
            result.Warnings,
            w =>
                w.Contains("busy all the time: it, not the storage, may be the limit", StringComparison.Ordinal)
                || w.StartsWith("all processors were busy", StringComparison.Ordinal)
        );
        Assert.Contains(result.Processors, p => p.UsagePercent >= 95);
        // The CPU can be busy because of the test or because of other load on the computer.
        Assert.Matches(
            @"(At [\d.]+ us of processor time per I/O this program can drive about [\d.]+ M IOPS per core here; the test reached \d+ % of that on \d+ cores?|IoBench took \d+ % of (its|their) time; the rest is the system's own work, and what else runs on this computer)\.$",
            result.Warnings.First(w => w.Contains("not the storage", StringComparison.Ordinal))
        );
    }

    [Fact]
    public void Rates_that_vary_are_told()
    {
        var specification = Specification();
        (specification.NullDevice, specification.Duration) = (
            new NullDeviceModel(1, 1, NullServiceTime.Bimodal, SlowMs: 700, SlowPercent: 0.05),
            TimeSpan.FromSeconds(20)
        );
        Assert.Contains(ModelledRun.Of(specification).Warnings, w => w.StartsWith("IOPS were not steady", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(true), InlineData(false)]
    public void Flushes_take_no_place_in_a_schedule(bool open)
    {
        var specification = Specification();
        (specification.WritePercent, specification.FlushEvery, specification.Duration) = (100, 1, TimeSpan.FromSeconds(10));
        specification.TargetIops = open ? 1000 : null;
        specification.MaxIopsPerThread = open ? null : 1000;
        specification.NullDevice = new NullDeviceModel(0, 0.1);
        Assert.InRange(ModelledRun.Of(specification).WriteIOPS!.Value, 995, 1005);
    }

    [LinuxFact]
    public void A_low_priority_reaches_the_kernel()
    {
        var seen = (Before: 0, After: 0);
        var thread = new Thread(() =>
        {
            seen.Before = LinuxPriority.Get();
            LinuxPriority.Set(IoPriority.Normal);
            Assert.Equal(seen.Before, LinuxPriority.Get());
            LinuxPriority.Set(IoPriority.VeryLow);
            seen.After = LinuxPriority.Get();
        });
        thread.Start();
        thread.Join();
        Assert.Equal(3 << 13, seen.After);
        Assert.NotEqual(seen.Before, seen.After);
    }

    [Fact]
    public void Affinity_is_in_turn_by_list_and_whole_by_mask()
    {
        var list = new IoPattern { Processors = [1, 3] };
        Assert.Equal([1], ThreadAffinity.ProcessorsOf(list, 0));
        Assert.Equal([3], ThreadAffinity.ProcessorsOf(list, 1));
        Assert.Equal([1], ThreadAffinity.ProcessorsOf(list, 2));
        Assert.Equal([1, 3], ThreadAffinity.ProcessorsOf(new IoPattern { Processors = [1, 3], AffinityMode = IoAffinityMode.Mask }, 5));
        Assert.Empty(ThreadAffinity.ProcessorsOf(new IoPattern(), 0));
        var all = ThreadAffinity.Available();
        Assert.Equal([all[1 % all.Length]], ThreadAffinity.ProcessorsOf(new IoPattern { AffinityMode = IoAffinityMode.RoundRobin }, 1));

        var specification = Specification();
        (specification.Processors, specification.Duration) = ([100_000], TimeSpan.FromMilliseconds(50));
        Assert.Equal("IoBench.InvalidAffinity", Assert.Throws<IoBenchException>(() => TestRun.Run(specification)).ErrorId);
    }

    private static IoTestSpecification Specification() =>
        new()
        {
            Targets = [new IoTargetSpecification("imagined")],
            Backend = NullBackend.Name,
            ThreadCount = 1,
            OutstandingIO = 4,
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromMinutes(5),
        };

    private static TestRun Start(Script script, Action<IoTestSpecification>? change = null)
    {
        var specification = Specification();
        change?.Invoke(specification);
        var run = new TestRun(specification, null, null, script.Time) { BackendFactory = () => script };
        run.Start();
        return run;
    }

    private static IoTestResult Run(Script script, Action<IoTestSpecification>? change = null)
    {
        using var run = Start(script, change);
        run.Wait(Timeout.InfiniteTimeSpan);
        return run.GetResult();
    }

    private sealed unsafe class Script : IoBackend
    {
        private volatile bool _released;
        private readonly List<int> _held = [];
        private IoSlot* _slots;
        private long? _first;

        public int ErrorAfter { get; init; } = int.MaxValue;
        public int HangAfter { get; init; } = int.MaxValue;

        /// <summary>Error number; a negative value = number of transferred bytes without an error.</summary>
        public int Error { get; init; }
        public bool Once { get; init; }

        /// <summary>Duration of an error in milliseconds on the virtual clock.</summary>
        public int ErrorTakes { get; init; }
        public bool RefuseToOpen { get; init; }
        public long Completed { get; private set; }
        public bool Hangs { get; private set; }
        public bool Closed { get; private set; }

        public bool HasFailed { get; private set; }

        /// <summary>Virtual clock that the backend advances; null = the real clock.</summary>
        public VirtualClock? Time { get; init; }

        public override BackendDescriptor Kind => NullBackend.Descriptor;

        public override VirtualClock? VirtualClock => Time;

        public void Release() => _released = true;

        public override void Open(BackendSetup setup)
        {
            if (RefuseToOpen)
                throw IoBenchException.Failure("IoBench.NoIoUring", "refused by the script.");
            _slots = setup.Slots;
        }

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
        {
            for (var i = 0; i < count; i++)
                _held.Add(ready[i]);
            Pass(100_000);
            _first ??= Now;
            if (Completed >= HangAfter)
            {
                Hangs = true;
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
                if (++Completed > ErrorAfter && Now - _first > 50_000_000 && !(Once && HasFailed))
                {
                    HasFailed = true;
                    Pass(ErrorTakes * 1_000_000L);
                    completions[i].Result = -Error;
                }
            }
            return got;
        }

        public override void Close() => Closed = true;

        private long Now => Time?.Now ?? Clock.Now;

        private void Pass(long nanoseconds)
        {
            if (Time is not null)
                Time.Now += nanoseconds;
        }
    }
}
