namespace IoBench.Application;

/// <summary>Error ids of a fleet. Scripts may rely on them.</summary>
public static class FleetErrorIds
{
    /// <summary>A test did not run, because an earlier test failed or the member was stopped.</summary>
    public const string NotRun = "IoBench.FleetNotRun";

    public const string Skipped = "IoBench.FleetSkipped";

    /// <summary>A test was not armed at its start time.</summary>
    public const string StartMissed = "IoBench.StartMissed";

    public const string NotReached = "IoBench.HostNotReached";

    /// <summary>The connection to a host was closed, or the host was silent for too long.</summary>
    public const string HostLost = "IoBench.HostLost";

    public const string OtherVersion = "IoBench.FleetVersion";

    /// <summary>Fewer hosts can run than required.</summary>
    public const string NoQuorum = "IoBench.NoQuorum";

    public const string SameFile = "IoBench.FleetSameFile";

    public const string ProgramFile = "IoBench.ProgramFile";

    public const string RequirementNotMet = "IoBench.FleetMissed";

    public const string NoFleet = "IoBench.NoFleet";

    public const string Inventory = "IoBench.Inventory";

    public const string InvalidMemberOptions = "IoBench.FleetMember";

    public const string NotConfirmed = "IoBench.NotConfirmed";

    public const string Unexpected = "IoBench.Unexpected";
}
