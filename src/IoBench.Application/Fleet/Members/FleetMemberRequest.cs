using System.Globalization;
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

    /// <summary>Time without a command from the controller after which the member ends. The controller sends a keep-alive every 10 seconds.</summary>
    public TimeSpan ControllerTimeout { get; init; } = TimeSpan.FromMinutes(2);

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

    /// <summary>Parses a start time: <c>02:00</c> is the next time of day, <c>+90s</c> is relative, and a date and time can have an offset
    /// from UTC.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidTime</c>: the text is invalid, or the time has passed.</exception>
    public static DateTimeOffset ParseStartTime(string text, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(text);
        text = text.Trim();
        if (text.StartsWith('+'))
            return now + IoDuration.Parse(text[1..]).TimeSpan;
        if (TimeOnly.TryParseExact(text, ["H:mm", "HH:mm", "HH:mm:ss"], CultureInfo.InvariantCulture, DateTimeStyles.None, out var clock))
        {
            var today = new DateTimeOffset(now.Date + clock.ToTimeSpan(), now.Offset);
            return today > now ? today : today.AddDays(1);
        }
        if (!DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal, out var moment))
            throw IoBenchException.Usage(
                "IoBench.InvalidTime",
                $"'{text}' is not a valid start time.",
                text,
                advice: "Use a time such as 02:00, 2026-12-01T02:00:00Z, or +90s."
            );
        return moment > now
            ? moment
            : throw IoBenchException.Usage("IoBench.InvalidTime", $"The time {text} is in the past. Use a later time.", text);
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
