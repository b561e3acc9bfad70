using IoBench.Analysis;

namespace IoBench.Application;

/// <summary>State of a host in a fleet.</summary>
public enum FleetPhase
{
    /// <summary>The connection is not opened yet.</summary>
    Waiting,

    /// <summary>The connection is being opened.</summary>
    Connecting,

    /// <summary>The host creates its files or prepares the next test.</summary>
    Preparing,

    /// <summary>The host is ready and waits for the start.</summary>
    Armed,

    /// <summary>The host runs a test.</summary>
    Running,

    /// <summary>The host has finished.</summary>
    Ended,

    /// <summary>The host is lost or cannot continue.</summary>
    Failed,
}

internal sealed class FleetSeat(FleetHost host, int tests)
{
    public FleetHost Host { get; } = host;
    public int Tests { get; } = tests;
    public FleetPhase Phase { get; set; }
    public ClockOffset Offset { get; } = new();

    /// <summary>Number of the test before which the clock was last measured with all hosts armed; 0 if none.</summary>
    public int AskedFor { get; set; }

    public bool IsClockJudged { get; set; }
    public long Heard { get; set; }
    public string? Computer { get; set; }
    public string? Machine { get; set; }
    public IReadOnlyList<string> Files { get; set; } = [];

    /// <summary>Number of the test that the host is armed for or runs, starting at 1; 0 if none.</summary>
    public int Test { get; set; }
    public double? Iops { get; set; }
    public double? MBps { get; set; }
    public double? Percent { get; set; }

    public HashSet<int> Results { get; } = [];
    public Dictionary<int, FleetFailure> Failures { get; } = [];

    public HashSet<int> Gone { get; } = [];

    public bool IsOut => Phase is FleetPhase.Ended or FleetPhase.Failed;

    public bool Has(int test) => Results.Contains(test) || Failures.ContainsKey(test);

    public bool IsExpected(int test) => !IsOut && test <= Tests && !Has(test);
}
