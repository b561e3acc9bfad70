namespace IoBench.Application.Fleet;

/// <summary>Names of groups.</summary>
public static class FleetIds
{
    /// <summary>A group's test: what began at one moment has one id, and nothing else has.</summary>
    /// <param name="test">Number of the test, from 1.</param>
    public static string OfTest(string group, int test) => FormattableString.Invariant($"{group}/{test}");

    /// <summary>An id for a new group: when it was made, and what tells it from others of that second.</summary>
    public static string New(DateTimeOffset now) =>
        FormattableString.Invariant($"{now:yyyyMMdd-HHmmss}-{Guid.NewGuid().ToString("N")[..4]}");

    /// <summary>A group's name that was given, once it can be a part of a file's name: it is one here and on the hosts.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoFleet</c>: no group has such a name.</exception>
    internal static string Checked(string group) =>
        group.Length > 0 && group.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_')
            ? group
            : throw IoBenchException.Usage(
                FleetErrors.NoFleet,
                $"{group} is not the name of a group: give it as the call that started the members named it, such as 20261201-020000-1a2b.",
                group
            );
}

/// <summary>Ids of what goes wrong in a fleet; scripts may rely on them.</summary>
public static class FleetErrors
{
    /// <summary>A test was left out, because one before it failed or the member was stopped.</summary>
    public const string NotRun = "IoBench.FleetNotRun";

    /// <summary>The group left a test out.</summary>
    public const string Skipped = "IoBench.FleetSkipped";

    /// <summary>A test was not armed at its moment.</summary>
    public const string StartMissed = "IoBench.StartMissed";

    /// <summary>A host cannot be reached, or its member did not start.</summary>
    public const string NotReached = "IoBench.HostNotReached";

    /// <summary>The line to a host broke, or nothing was heard from it for too long.</summary>
    public const string HostLost = "IoBench.HostLost";

    /// <summary>A host has another version of IoBench.</summary>
    public const string OtherVersion = "IoBench.FleetVersion";

    /// <summary>Fewer hosts than asked for can run.</summary>
    public const string NoQuorum = "IoBench.NoQuorum";

    /// <summary>Two hosts would test one file.</summary>
    public const string SameFile = "IoBench.FleetSameFile";

    /// <summary>The program that hosts are to get cannot be copied.</summary>
    public const string ProgramFile = "IoBench.ProgramFile";

    /// <summary>A detached member is not through.</summary>
    public const string StillRuns = "IoBench.FleetStillRuns";

    /// <summary>Something stays on a host that was to be removed.</summary>
    public const string NotRemoved = "IoBench.FleetNotRemoved";

    /// <summary>A figure that must be reached was not.</summary>
    public const string Missed = "IoBench.FleetMissed";

    /// <summary>No fleet can be watched: none runs, or none of that name.</summary>
    public const string NoFleet = "IoBench.NoFleet";

    /// <summary>An inventory cannot be understood.</summary>
    public const string Inventory = "IoBench.Inventory";

    /// <summary>A member was asked for without what it needs.</summary>
    public const string Member = "IoBench.FleetMember";

    /// <summary>Nobody said yes to what a fleet does.</summary>
    public const string NotConfirmed = "IoBench.NotConfirmed";
}
