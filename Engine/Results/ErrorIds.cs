namespace IoBench.Engine;

/// <summary>
/// Error ids that IoBench itself handles. Other ids are defined where they are thrown. Scripts can rely on all of them.
/// </summary>
public static class ErrorIds
{
    /// <summary>The operating system denies access to a file.</summary>
    public const string AccessDenied = "IoBench.AccessDenied";

    /// <summary>SQL Server counters decreased between two snapshots, because the server or a database was restarted.</summary>
    public const string CountersReset = "IoBench.CountersReset";

    /// <summary>A device can be used only with force.</summary>
    public const string DeviceNeedsForce = "IoBench.DeviceNeedsForce";

    /// <summary>A device has content.</summary>
    public const string DeviceNotEmpty = "IoBench.DeviceNotEmpty";

    /// <summary>A file is kept as evidence of a storage error and is not overwritten.</summary>
    public const string Evidence = "IoBench.Evidence";

    /// <summary>An output file exists already.</summary>
    public const string FileExists = "IoBench.FileExists";

    /// <summary>Another program uses the file.</summary>
    public const string FileInUse = "IoBench.FileInUse";

    /// <summary>IoBench did not create the file.</summary>
    public const string ForeignFile = "IoBench.ForeignFile";

    /// <summary>Reads returned unexpected data.</summary>
    public const string IntegrityErrors = "IoBench.IntegrityErrors";

    /// <summary>A text is not JSON, or not the JSON of a result.</summary>
    public const string InvalidJson = "IoBench.InvalidJson";

    /// <summary>A folder, a pipe or a device where a file is needed.</summary>
    public const string NotAFile = "IoBench.NotAFile";

    /// <summary>The operation needs more memory than is available.</summary>
    public const string NotEnoughMemory = "IoBench.NotEnoughMemory";

    /// <summary>The results have no test in common.</summary>
    public const string NothingToCompare = "IoBench.NothingToCompare";

    /// <summary>A folder contains no result files.</summary>
    public const string NoResultFiles = "IoBench.NoResultFiles";

    /// <summary>The output of a tool contains no result.</summary>
    public const string NoResults = "IoBench.NoResults";

    /// <summary>Another run uses the same output file.</summary>
    public const string OutputInUse = "IoBench.OutputInUse";

    /// <summary>The volume is read-only.</summary>
    public const string ReadOnlyVolume = "IoBench.ReadOnlyVolume";

    /// <summary>The file is a SQL Server file.</summary>
    public const string SqlServerFile = "IoBench.SqlServerFile";

    /// <summary>A test ended without results and without a more specific error.</summary>
    public const string TestFailed = "IoBench.TestFailed";
}
