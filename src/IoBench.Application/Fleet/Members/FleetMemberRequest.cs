using IoBench.Engine;

namespace IoBench.Application;

public sealed record FleetMemberRequest
{
    /// <summary>Time between two tests of a member with fixed start times. The files of the next test are opened in it.</summary>
    public static readonly TimeSpan Gap = TimeSpan.FromSeconds(10);

    /// <summary>Time after its last test at which a member without a controller ends, even if a call hangs.</summary>
    public static readonly TimeSpan Grace = TimeSpan.FromMinutes(2);

    public required IReadOnlyList<IoTestSpecification> Tests { get; init; }

    public required string Group { get; init; }

    public required string Member { get; init; }

    /// <summary>Start of the first test by the calendar of this computer; null if a command starts each test.</summary>
    public DateTimeOffset? StartAt { get; init; }

    public SuiteSettings Settings { get; init; } = new();

    /// <summary>Whether the user confirmed for the whole group that servers may slow down and files may be read.</summary>
    public bool IsConfirmed { get; init; }

    /// <summary>Number of hosts in the group; null if commands report it.</summary>
    public int? Hosts { get; init; }

    /// <summary>Silence of the controller after which the member ends. The controller sends a keep-alive every 10 seconds.</summary>
    public TimeSpan LineSilence { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>True for a host of <c>Invoke-IoTest -Session</c>: the permissions in <see cref="Settings"/> apply as on this computer,
    /// and the member sends notes and log lines, and removes its test files or describes the kept ones.</summary>
    public bool IsSuite { get; init; }

    /// <summary>Numbers of the tests that are not run, starting at 1.</summary>
    public IReadOnlyList<int> CompletedTests { get; init; } = [];

    /// <summary>Results of this host in an earlier run.</summary>
    public IReadOnlyList<IoTestResult> EarlierResults { get; init; } = [];

    /// <summary>Checks names from a command line, which become names of files and parts of other commands.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.FleetMember</c>: a name contains other characters than letters, digits, and
    /// ._-</exception>
    public static void CheckNames(string group, string member)
    {
        ArgumentNullException.ThrowIfNull(group);
        ArgumentNullException.ThrowIfNull(member);
        if ((InventoryNames.FindGroupError(group) ?? InventoryNames.FindMemberError(member)) is { } error)
            throw IoBenchException.Usage(FleetErrorIds.InvalidMemberOptions, $"{error}.");
    }

    /// <summary>Returns the start of a test at fixed times. All members calculate the same time.</summary>
    /// <param name="test">Index of the test, starting at 0.</param>
    public DateTimeOffset GetStartTime(int test)
    {
        var start = StartAt ?? throw new InvalidOperationException("No start time was specified.");
        for (var i = 0; i < test; i++)
            start += GetTestLength(Tests[i]) + Gap + Tests[i + 1].RestBefore;
        return start;
    }

    /// <summary>Time at which a member without a controller has finished or ends itself.</summary>
    public DateTimeOffset HardEnd => GetStartTime(Tests.Count - 1) + GetTestLength(Tests[^1]) + Grace;

    private static TimeSpan GetTestLength(IoTestSpecification test) => test.WarmUp + test.Duration + test.CoolDown;
}
