namespace IoBench.Application.Fleet.Control;

/// <summary>Where a host of a fleet is.</summary>
public enum FleetPhase
{
    /// <summary>Its line is not opened yet.</summary>
    Waiting,

    /// <summary>Its line is being opened.</summary>
    Connecting,

    /// <summary>It makes its files, or gets ready.</summary>
    Preparing,

    /// <summary>It is armed.</summary>
    Armed,

    /// <summary>It runs a test.</summary>
    Running,

    /// <summary>It is through.</summary>
    Ended,

    /// <summary>It is lost or cannot go on.</summary>
    Failed,
}

/// <summary>What the controller knows of a host.</summary>
/// <param name="tests">Number of the host's tests.</param>
internal sealed class FleetSeat(FleetHost host, int tests)
{
    public FleetHost Host { get; } = host;
    public int Tests { get; } = tests;
    public FleetPhase Phase { get; set; }
    public ClockOffset Offset { get; } = new();

    /// <summary>The test before which its clock was asked last, when all were armed; 0 = none yet.</summary>
    public int AskedFor { get; set; }

    /// <summary>Its calendar was compared with the controller's.</summary>
    public bool IsClockJudged { get; set; }
    public long Heard { get; set; }
    public string? Computer { get; set; }
    public string? Machine { get; set; }
    public IReadOnlyList<string> Files { get; set; } = [];

    /// <summary>The test it is armed for or runs, from 1; 0 = none yet.</summary>
    public int Test { get; set; }
    public double? Iops { get; set; }
    public double? MBps { get; set; }
    public double? Percent { get; set; }

    /// <summary>Tests it gave a result of.</summary>
    public HashSet<int> Results { get; } = [];
    public Dictionary<int, FleetFailure> Failures { get; } = [];

    /// <summary>Tests it was let go into.</summary>
    public HashSet<int> Gone { get; } = [];

    public bool IsOut => Phase is FleetPhase.Ended or FleetPhase.Failed;

    public bool Has(int test) => Results.Contains(test) || Failures.ContainsKey(test);

    /// <summary>Whether a test waits for it: it has that test before it, or runs an earlier one.</summary>
    public bool IsExpected(int test) => !IsOut && test <= Tests && !Has(test);
}
