namespace IoBench.Engine.Tests;

public class ProcessPriorityTests
{
    private const int BelowNormalClass = 0x4000, NormalClass = 0x20, HighClass = 0x80, Low = 1, LowMemory = 4, Normal = 2, NormalMemory = 5, ReducedSpeed = 1;

    /// <summary>As Task Scheduler starts its tasks.</summary>
    private readonly ModelPriorities _calls = new() { [PriorityKind.Class] = BelowNormalClass, [PriorityKind.Io] = Low, [PriorityKind.Memory] = LowMemory, [PriorityKind.Throttling] = 0 };

    [Fact]
    public void What_is_low_is_normal_for_the_run_and_low_again_afterwards()
    {
        using (var raised = WindowsPriorities.Raise(_calls))
        {
            Assert.Equal([NormalClass, Normal, NormalMemory, 0], _calls.Values);
            Assert.Equal(WarningCodes.LowPriority, raised.Warning!.Code);
            Assert.StartsWith("this process was started below normal priority (class below normal, I/O low, memory low): it was set to normal", raised.Warning!.Text.ToString(), StringComparison.Ordinal);
        }
        Assert.Equal([BelowNormalClass, Low, LowMemory, 0], _calls.Values);
    }

    [Fact]
    public void Power_saving_is_off_for_the_run()
    {
        (_calls[PriorityKind.Class], _calls[PriorityKind.Io], _calls[PriorityKind.Memory], _calls[PriorityKind.Throttling]) = (NormalClass, Normal, NormalMemory, ReducedSpeed);
        using var raised = WindowsPriorities.Raise(_calls);
        Assert.Equal(0, _calls[PriorityKind.Throttling]);
        Assert.Contains("power saving on", raised.Warning!.Text.ToString(), StringComparison.Ordinal);
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
        Assert.Equal([NormalClass, Low, NormalMemory, 0], _calls.Values);
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
    public void Linux_says_nice_and_the_class_of_IO(int io, string? stat, string text, bool? isLow)
        => Assert.Equal(new ProcessPriority(text, isLow), LinuxPriority.Describe(io, stat));

    [Fact]
    public void A_result_says_how_the_process_was_started() => Assert.False(string.IsNullOrEmpty(HostFacts.All["Priority"]));

    private sealed class ModelPriorities : Dictionary<PriorityKind, int?>, IPriorityCalls
    {
        public PriorityKind? Refuses { get; set; }

        public new int?[] Values => [.. Enum.GetValues<PriorityKind>().Select(kind => this[kind])];

        public int? Get(PriorityKind kind) => this[kind];

        public bool Set(PriorityKind kind, int value)
        {
            if (kind == Refuses)
                return false;
            this[kind] = value;
            return true;
        }
    }
}
