using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Creates and validates ids of groups.</summary>
public static class GroupId
{
    /// <summary>Returns the id of one test of a group. All results of a synchronized start have the same id.</summary>
    /// <param name="test">Number of the test, starting at 1.</param>
    public static string ForTest(string group, int test) => FormattableString.Invariant($"{group}/{test}");

    /// <summary>Creates an id for a new group from the time and four random digits.</summary>
    public static string Create(DateTimeOffset now) =>
        FormattableString.Invariant($"{now:yyyyMMdd-HHmmss}-{Guid.NewGuid().ToString("N")[..4]}");

    /// <summary>Returns the id if it is safe as part of a file name, on this computer and on hosts.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoFleet</c>: the id is invalid.</exception>
    internal static string Validate(string group) =>
        group.Length > 0 && group.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_')
            ? group
            : throw IoBenchException.Usage(
                FleetErrorIds.NoFleet,
                $"{group} is not the name of a group: give it as the call that started the members named it, such as 20261201-020000-1a2b.",
                group
            );
}

/// <summary>Error ids of a fleet. Scripts may rely on them.</summary>
public static class FleetErrorIds
{
    /// <summary>A test did not run, because an earlier test failed or the member was stopped.</summary>
    public const string NotRun = "IoBench.FleetNotRun";

    /// <summary>The controller skipped a test.</summary>
    public const string Skipped = "IoBench.FleetSkipped";

    /// <summary>A test was not armed at its start time.</summary>
    public const string StartMissed = "IoBench.StartMissed";

    /// <summary>A host cannot be reached, or its member did not start.</summary>
    public const string NotReached = "IoBench.HostNotReached";

    /// <summary>The connection to a host was closed, or the host was silent for too long.</summary>
    public const string HostLost = "IoBench.HostLost";

    /// <summary>A host has another version of IoBench.</summary>
    public const string OtherVersion = "IoBench.FleetVersion";

    /// <summary>Fewer hosts can run than required.</summary>
    public const string NoQuorum = "IoBench.NoQuorum";

    /// <summary>Two hosts would test the same file.</summary>
    public const string SameFile = "IoBench.FleetSameFile";

    /// <summary>The program for the hosts cannot be copied.</summary>
    public const string ProgramFile = "IoBench.ProgramFile";

    /// <summary>A detached member still runs.</summary>
    public const string StillRuns = "IoBench.FleetStillRuns";

    /// <summary>Some files could not be removed from a host.</summary>
    public const string NotRemoved = "IoBench.FleetNotRemoved";

    /// <summary>A requirement was not met.</summary>
    public const string RequirementNotMet = "IoBench.FleetMissed";

    /// <summary>No fleet with this name was found.</summary>
    public const string NoFleet = "IoBench.NoFleet";

    /// <summary>An inventory is invalid.</summary>
    public const string Inventory = "IoBench.Inventory";

    /// <summary>Options of a member are missing or conflict.</summary>
    public const string InvalidMemberOptions = "IoBench.FleetMember";

    /// <summary>The user did not confirm the run.</summary>
    public const string NotConfirmed = "IoBench.NotConfirmed";
}
