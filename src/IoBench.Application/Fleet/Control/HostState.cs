using IoBench.Analysis;

namespace IoBench.Application;

public enum FleetHostPhase
{
    /// <summary>The connection is not opened yet.</summary>
    Waiting,

    Connecting,

    /// <summary>The host creates its files or prepares the next test.</summary>
    Preparing,

    /// <summary>The host is ready and waits for the start.</summary>
    Armed,

    Running,

    Ended,

    /// <summary>The host is lost or cannot continue.</summary>
    Failed,
}

internal sealed class HostState(FleetHost host, int tests)
{
    public FleetHost Host { get; } = host;
    public int TestCount { get; } = tests;
    public FleetHostPhase Phase { get; set; }
    public ClockOffset ClockOffset { get; } = new();

    /// <summary>Number of the test before which the clock was last measured with all hosts armed; 0 if none.</summary>
    public int LastClockTest { get; set; }

    public bool IsCalendarChecked { get; set; }
    public long LastMessageTime { get; set; }
    public string? Computer { get; set; }
    public string? Machine { get; set; }
    public IReadOnlyList<MemberFile> Files { get; set; } = [];

    /// <summary>Number of the test that the host is armed for or runs, starting at 1; 0 if none.</summary>
    public int CurrentTest { get; set; }
    public double? Iops { get; set; }
    public double? MBps { get; set; }

    public HashSet<int> CompletedTests { get; } = [];
    public Dictionary<int, FleetFailure> Failures { get; } = [];

    public HashSet<int> StartedTests { get; } = [];

    public bool IsFinished => Phase is FleetHostPhase.Ended or FleetHostPhase.Failed;

    public bool HasFinished(int test) => CompletedTests.Contains(test) || Failures.ContainsKey(test);

    public bool IsExpected(int test) => !IsFinished && test <= TestCount && !HasFinished(test);
}
