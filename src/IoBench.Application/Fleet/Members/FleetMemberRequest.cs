namespace IoBench.Application.Fleet.Members;

/// <summary>What a member of a fleet runs, and when.</summary>
public sealed record FleetMemberRequest
{
    /// <summary>Room between two tests of a member that starts at fixed times: the next files are opened in it.</summary>
    public static readonly TimeSpan Gap = TimeSpan.FromSeconds(10);

    /// <summary>So long after its last test a member that nobody watches ends, whatever hangs.</summary>
    public static readonly TimeSpan Grace = TimeSpan.FromMinutes(2);

    /// <summary>The tests, in order.</summary>
    public required IReadOnlyList<IoTestSpecification> Tests { get; init; }

    /// <summary>Names the group; in each result.</summary>
    public required string Group { get; init; }

    /// <summary>The member's name in it.</summary>
    public required string Member { get; init; }

    /// <summary>When the first test begins, by this computer's calendar; null = each test begins when an order says so.</summary>
    public DateTimeOffset? StartAt { get; init; }

    /// <summary>What the tests may do.</summary>
    public SuiteSettings Settings { get; init; } = new();

    /// <summary>The user said yes for the whole group: a server may be slowed down, its files may be read.</summary>
    public bool IsConfirmed { get; init; }

    /// <summary>Hosts of the group, where they are known beforehand; null = an order says them.</summary>
    public int? Hosts { get; init; }

    /// <summary>A member that orders lead ends when none came for so long: a controller says every ten seconds that it is there.</summary>
    public TimeSpan LineSilence { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>It only goes the way of a test once, so that its code is compiled.</summary>
    internal bool IsRehearsal { get; init; }

    /// <summary>When a test begins at fixed times: every member works it out alone, and all come to the same.</summary>
    /// <param name="test">Number of the test, from 0.</param>
    public DateTimeOffset StartOf(int test)
    {
        var start = StartAt ?? throw new InvalidOperationException("No start was given.");
        for (var i = 0; i < test; i++)
            start += LengthOf(Tests[i]) + Gap + Tests[i + 1].RestBefore;
        return start;
    }

    /// <summary>When a member that nobody watches is through or ends itself.</summary>
    public DateTimeOffset HardEnd => StartOf(Tests.Count - 1) + LengthOf(Tests[^1]) + Grace;

    private static TimeSpan LengthOf(IoTestSpecification test) => test.WarmUp + test.Duration + test.CoolDown;
}
