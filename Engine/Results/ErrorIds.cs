namespace IoBench.Engine.Results;

/// <summary>
/// Ids of the errors that IoBench itself distinguishes, to go on, to ask or to say more. Others are named where they are thrown. Scripts may rely on all of them.
/// </summary>
public static class ErrorIds
{
    /// <summary>The system does not let this user at a file.</summary>
    public const string AccessDenied = "IoBench.AccessDenied";

    /// <summary>Counters of SQL Server fell between two snapshots: it was restarted, or a database was.</summary>
    public const string CountersReset = "IoBench.CountersReset";

    /// <summary>A device is used by force only.</summary>
    public const string DeviceNeedsForce = "IoBench.DeviceNeedsForce";

    /// <summary>A device has content.</summary>
    public const string DeviceNotEmpty = "IoBench.DeviceNotEmpty";

    /// <summary>A file was left as evidence of what the storage did: it is not written.</summary>
    public const string Evidence = "IoBench.Evidence";

    /// <summary>An output is there already.</summary>
    public const string FileExists = "IoBench.FileExists";

    /// <summary>Another program has the file.</summary>
    public const string FileInUse = "IoBench.FileInUse";

    /// <summary>A file that IoBench did not make.</summary>
    public const string ForeignFile = "IoBench.ForeignFile";

    /// <summary>Bytes that were read back are not what they must be.</summary>
    public const string IntegrityErrors = "IoBench.IntegrityErrors";

    /// <summary>A text is not JSON, or not that of a result.</summary>
    public const string InvalidJson = "IoBench.InvalidJson";

    /// <summary>A folder, a pipe or a device where a file is needed.</summary>
    public const string NotAFile = "IoBench.NotAFile";

    /// <summary>What was asked for needs more memory than there is.</summary>
    public const string NotEnoughMemory = "IoBench.NotEnoughMemory";

    /// <summary>Results have no test in common.</summary>
    public const string NothingToCompare = "IoBench.NothingToCompare";

    /// <summary>A folder has no file that results are read from.</summary>
    public const string NoResultFiles = "IoBench.NoResultFiles";

    /// <summary>A text of a tool has no result in it.</summary>
    public const string NoResults = "IoBench.NoResults";

    /// <summary>Another run has the same output.</summary>
    public const string OutputInUse = "IoBench.OutputInUse";

    /// <summary>The volume cannot be written.</summary>
    public const string ReadOnlyVolume = "IoBench.ReadOnlyVolume";

    /// <summary>The file is one of SQL Server's.</summary>
    public const string SqlServerFile = "IoBench.SqlServerFile";

    /// <summary>A test ended without figures and without another id.</summary>
    public const string TestFailed = "IoBench.TestFailed";
}
