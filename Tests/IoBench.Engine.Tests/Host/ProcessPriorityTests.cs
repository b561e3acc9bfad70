namespace IoBench.Engine.Tests;

public sealed class ProcessPriorityTests : IDisposable
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
    private readonly SimulatedPriorityCalls _calls = new()
    {
        [ProcessPriorityProperty.Class] = BelowNormalClass,
        [ProcessPriorityProperty.Io] = Low,
        [ProcessPriorityProperty.Memory] = LowMemory,
    };

    public void Dispose() => _calls.Dispose();

    [Fact]
    public void Low_priorities_are_raised_for_the_run_and_restored()
    {
        using (var raised = _calls.RaiseToNormal())
        {
            Assert.Equal([NormalClass, Normal, NormalMemory], _calls.Values);
            Assert.Equal(WarningCodes.LowPriority, raised.Warning!.Code);
            Assert.StartsWith(
                "This process was started below normal priority (class below normal, I/O low, memory low). IoBench set it to normal for the test.",
                raised.Warning!.Text.ToString(),
                StringComparison.Ordinal
            );
        }
        Assert.Equal([BelowNormalClass, Low, LowMemory], _calls.Values);
    }

    [Fact]
    public void Power_throttling_is_disabled_for_the_run_and_restored()
    {
        (_calls[ProcessPriorityProperty.Class], _calls[ProcessPriorityProperty.Io], _calls[ProcessPriorityProperty.Memory]) = (
            NormalClass,
            Normal,
            NormalMemory
        );
        _calls.Throttling = new(Speed, Speed);
        using (var raised = _calls.RaiseToNormal())
        {
            Assert.Equal((Speed | Timers, 0u), _calls.Throttling);
            Assert.Contains("power saving on", raised.Warning!.Text.ToString(), StringComparison.Ordinal);
        }
        Assert.Equal((Speed, Speed), _calls.Throttling);
    }

    [Fact]
    public void Automatic_power_throttling_is_disabled_for_the_run()
    {
        (_calls[ProcessPriorityProperty.Class], _calls[ProcessPriorityProperty.Io], _calls[ProcessPriorityProperty.Memory]) = (
            NormalClass,
            Normal,
            NormalMemory
        );
        using (var raised = _calls.RaiseToNormal())
        {
            Assert.Equal((Speed | Timers, 0u), _calls.Throttling);
            Assert.Null(raised.Warning);
        }
        // Windows decides again.
        Assert.Equal(default((uint Control, uint State)), _calls.Throttling);
    }

    [Fact]
    public void Only_speed_throttling_is_disabled_before_Windows_11()
    {
        _calls.SupportedFlags = Speed;
        using (_calls.RaiseToNormal())
            Assert.Equal((Speed, 0u), _calls.Throttling);
        Assert.Equal([new(Speed | Timers, 0), new(Speed, 0), default], _calls.Requests);
    }

    [Fact]
    public void Power_throttling_is_not_changed_if_Windows_lacks_it()
    {
        _calls.Throttling = null;
        using (_calls.RaiseToNormal())
            Assert.Empty(_calls.Requests);
        Assert.Empty(_calls.Requests);
    }

    [Fact]
    public void Warning_reports_power_throttling_that_cannot_be_disabled()
    {
        (_calls.Throttling, _calls.SupportedFlags) = (new(Speed, Speed), 0);
        using var raised = _calls.RaiseToNormal();
        Assert.Contains("does not allow a higher priority", raised.Warning!.Text.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Higher_priority_is_kept()
    {
        (_calls[ProcessPriorityProperty.Class], _calls[ProcessPriorityProperty.Io], _calls[ProcessPriorityProperty.Memory]) = (
            HighClass,
            Normal,
            NormalMemory
        );
        using var raised = _calls.RaiseToNormal();
        Assert.Equal(HighClass, _calls[ProcessPriorityProperty.Class]);
        Assert.Null(raised.Warning);
        Assert.Equal("class above normal, I/O normal, memory normal", _calls.Describe().Text);
    }

    [Fact]
    public void Warning_reports_a_priority_that_cannot_be_raised()
    {
        _calls.Refuses = ProcessPriorityProperty.Io;
        using var raised = _calls.RaiseToNormal();
        Assert.Contains("does not allow a higher priority", raised.Warning!.Text.ToString(), StringComparison.Ordinal);
        Assert.Equal([NormalClass, Low, NormalMemory], _calls.Values);
    }

    [Fact]
    public void Unreadable_priority_is_unknown()
    {
        _calls[ProcessPriorityProperty.Class] = NormalClass;
        (_calls[ProcessPriorityProperty.Io], _calls[ProcessPriorityProperty.Memory]) = (null, NormalMemory);
        Assert.Equal(new ProcessPriority("class normal, I/O unknown, memory normal", null), _calls.Describe());
        _calls[ProcessPriorityProperty.Memory] = LowMemory;
        Assert.True(_calls.Describe().IsLow);
    }

    [Theory]
    [InlineData(0, "1 (a) b) S 1 1 1 0 -1 4194560 1 0 0 0 1 1 0 0 20 0 1 0 9", "nice 0, I/O normal", false)]
    [InlineData(0, "1 (iobench) S 1 1 1 0 -1 4194560 1 0 0 0 1 1 0 0 30 10 1 0 9", "nice 10, I/O normal", true)]
    [InlineData(3 << 13, "1 (iobench) S 1 1 1 0 -1 4194560 1 0 0 0 1 1 0 0 15 -5 1 0 9", "nice -5, I/O low", true)]
    [InlineData(2 << 13 | 7, null, "nice unknown, I/O low", true)]
    [InlineData(2 << 13 | 4, null, "nice unknown, I/O normal", null)]
    public void Linux_priority_describes_nice_and_IO_class(int io, string? stat, string text, bool? isLow) =>
        Assert.Equal(new ProcessPriority(text, isLow), ProcessPriority.DescribeLinux(io, stat));

    [Fact]
    public void Host_facts_contain_the_priority() => Assert.False(string.IsNullOrEmpty(HostFacts.All["Priority"]));

    private sealed class SimulatedPriorityCalls : WindowsPriorityScope
    {
        private readonly Dictionary<ProcessPriorityProperty, int?> _values = [];

        public int? this[ProcessPriorityProperty kind]
        {
            get => _values[kind];
            set => _values[kind] = value;
        }

        public ProcessPriorityProperty? Refuses { get; set; }

        /// <summary>Current throttling state; null for a Windows version without power throttling.</summary>
        public (uint Control, uint State)? Throttling { get; set; } = default((uint Control, uint State));

        public uint SupportedFlags { get; set; } = Speed | Timers;

        public List<(uint Control, uint State)> Requests { get; } = [];

        public int?[] Values => [.. Enum.GetValues<ProcessPriorityProperty>().Select(kind => this[kind])];

        internal override int? Get(ProcessPriorityProperty kind) => this[kind];

        internal override bool Set(ProcessPriorityProperty kind, int value)
        {
            if (kind == Refuses)
                return false;
            this[kind] = value;
            return true;
        }

        internal override (uint Control, uint State)? GetThrottling() => Throttling;

        internal override bool SetThrottling((uint Control, uint State) throttling)
        {
            Requests.Add(throttling);
            if ((throttling.Control & ~SupportedFlags) != 0)
                return false;
            Throttling = throttling;
            return true;
        }
    }
}
