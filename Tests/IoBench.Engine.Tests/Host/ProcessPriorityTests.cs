namespace IoBench.Engine.Tests;

public class ProcessPriorityTests
{
    private const int BelowNormalClass = 0x4000,
        NormalClass = 0x20,
        HighClass = 0x80,
        Low = 1,
        LowMemory = 4,
        Normal = 2,
        NormalMemory = 5;
    private const uint Speed = 1,
        Timers = 4;

    /// <summary>The priorities with which Task Scheduler starts its tasks.</summary>
    private readonly ModelPriorities _calls = new()
    {
        [PriorityKind.Class] = BelowNormalClass,
        [PriorityKind.Io] = Low,
        [PriorityKind.Memory] = LowMemory,
    };

    [Fact]
    public void What_is_low_is_normal_for_the_run_and_low_again_afterwards()
    {
        using (var raised = WindowsPriorities.Raise(_calls))
        {
            Assert.Equal([NormalClass, Normal, NormalMemory], _calls.Values);
            Assert.Equal(WarningCodes.LowPriority, raised.Warning!.Code);
            Assert.StartsWith(
                "this process was started below normal priority (class below normal, I/O low, memory low): it was set to normal",
                raised.Warning!.Text.ToString(),
                StringComparison.Ordinal
            );
        }
        Assert.Equal([BelowNormalClass, Low, LowMemory], _calls.Values);
    }

    [Fact]
    public void Power_saving_is_off_for_the_run_and_on_again_afterwards()
    {
        (_calls[PriorityKind.Class], _calls[PriorityKind.Io], _calls[PriorityKind.Memory]) = (NormalClass, Normal, NormalMemory);
        _calls.Throttling = new(Speed, Speed);
        using (var raised = WindowsPriorities.Raise(_calls))
        {
            Assert.Equal(new Throttling(Speed | Timers, 0), _calls.Throttling);
            Assert.Contains("power saving on", raised.Warning!.Text.ToString(), StringComparison.Ordinal);
        }
        Assert.Equal(new Throttling(Speed, Speed), _calls.Throttling);
    }

    [Fact]
    public void Windows_may_neither_lower_the_clock_nor_pass_over_fine_timers_by_itself_during_a_run()
    {
        (_calls[PriorityKind.Class], _calls[PriorityKind.Io], _calls[PriorityKind.Memory]) = (NormalClass, Normal, NormalMemory);
        using (var raised = WindowsPriorities.Raise(_calls))
        {
            Assert.Equal(new Throttling(Speed | Timers, 0), _calls.Throttling);
            Assert.Null(raised.Warning);
        }
        // Windows decides again.
        Assert.Equal(default(Throttling), _calls.Throttling);
    }

    [Fact]
    public void Before_Windows_11_the_clock_alone_is_decided()
    {
        _calls.Knows = Speed;
        using (WindowsPriorities.Raise(_calls))
            Assert.Equal(new Throttling(Speed, 0), _calls.Throttling);
        Assert.Equal([new(Speed | Timers, 0), new(Speed, 0), default], _calls.Asked);
    }

    [Fact]
    public void A_Windows_without_power_throttling_is_not_asked()
    {
        _calls.Throttling = null;
        using (WindowsPriorities.Raise(_calls))
            Assert.Empty(_calls.Asked);
        Assert.Empty(_calls.Asked);
    }

    [Fact]
    public void Power_saving_that_cannot_be_turned_off_is_said()
    {
        (_calls.Throttling, _calls.Knows) = (new(Speed, Speed), 0);
        using var raised = WindowsPriorities.Raise(_calls);
        Assert.Contains("does not let it raise itself", raised.Warning!.Text.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Who_was_started_higher_stays_so()
    {
        (_calls[PriorityKind.Class], _calls[PriorityKind.Io], _calls[PriorityKind.Memory]) = (HighClass, Normal, NormalMemory);
        using var raised = WindowsPriorities.Raise(_calls);
        Assert.Equal(HighClass, _calls[PriorityKind.Class]);
        Assert.Null(raised.Warning);
        Assert.Equal("class above normal, I/O normal, memory normal", WindowsPriorities.Describe(_calls).Text);
    }

    [Fact]
    public void A_refusal_is_said()
    {
        _calls.Refuses = PriorityKind.Io;
        using var raised = WindowsPriorities.Raise(_calls);
        Assert.Contains("does not let it raise itself", raised.Warning!.Text.ToString(), StringComparison.Ordinal);
        Assert.Equal([NormalClass, Low, NormalMemory], _calls.Values);
    }

    [Fact]
    public void What_the_system_does_not_say_is_unknown()
    {
        _calls[PriorityKind.Class] = NormalClass;
        (_calls[PriorityKind.Io], _calls[PriorityKind.Memory]) = (null, NormalMemory);
        Assert.Equal(new ProcessPriority("class normal, I/O unknown, memory normal", null), WindowsPriorities.Describe(_calls));
        _calls[PriorityKind.Memory] = LowMemory;
        Assert.True(WindowsPriorities.Describe(_calls).IsLow);
    }

    [Theory]
    [InlineData(0, "1 (a) b) S 1 1 1 0 -1 4194560 1 0 0 0 1 1 0 0 20 0 1 0 9", "nice 0, I/O normal", false)]
    [InlineData(0, "1 (iobench) S 1 1 1 0 -1 4194560 1 0 0 0 1 1 0 0 30 10 1 0 9", "nice 10, I/O normal", true)]
    [InlineData(3 << 13, "1 (iobench) S 1 1 1 0 -1 4194560 1 0 0 0 1 1 0 0 15 -5 1 0 9", "nice -5, I/O low", true)]
    [InlineData(2 << 13 | 7, null, "nice unknown, I/O low", true)]
    [InlineData(2 << 13 | 4, null, "nice unknown, I/O normal", null)]
    public void Linux_says_nice_and_the_class_of_IO(int io, string? stat, string text, bool? isLow) =>
        Assert.Equal(new ProcessPriority(text, isLow), LinuxPriority.Describe(io, stat));

    [Fact]
    public void A_result_says_how_the_process_was_started() => Assert.False(string.IsNullOrEmpty(HostFacts.All["Priority"]));

    private sealed class ModelPriorities : Dictionary<PriorityKind, int?>, IPriorityCalls
    {
        public PriorityKind? Refuses { get; set; }

        /// <summary>Current throttling state; null for a Windows version without power throttling.</summary>
        public Throttling? Throttling { get; set; } = default(Throttling);

        public uint Knows { get; set; } = Speed | Timers;

        public List<Throttling> Asked { get; } = [];

        public new int?[] Values => [.. Enum.GetValues<PriorityKind>().Select(kind => this[kind])];

        public int? Get(PriorityKind kind) => this[kind];

        public bool Set(PriorityKind kind, int value)
        {
            if (kind == Refuses)
                return false;
            this[kind] = value;
            return true;
        }

        public Throttling? GetThrottling() => Throttling;

        public bool SetThrottling(Throttling throttling)
        {
            Asked.Add(throttling);
            if ((throttling.Control & ~Knows) != 0)
                return false;
            Throttling = throttling;
            return true;
        }
    }
}
