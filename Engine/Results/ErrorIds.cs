namespace IoBench.Engine;

/// <summary>Error ids that IoBench itself handles. Other ids are defined where they are thrown. Scripts can rely on all of them.</summary>
public static class ErrorIds
{
    public const string NotEnoughSpace = "IoBench.NotEnoughSpace";

    public const string UnknownWorkload = "IoBench.UnknownWorkload";

    public const string UnknownRuleSet = "IoBench.UnknownRuleSet";

    public const string AccessDenied = "IoBench.AccessDenied";

    /// <summary>SQL Server counters decreased between two snapshots, because the server or a database was restarted.</summary>
    public const string CountersReset = "IoBench.CountersReset";

    /// <summary>A test file or an output is write-protected.</summary>
    public const string WriteProtected = "IoBench.WriteProtected";

    /// <summary>An existing output has content that IoBench did not write, so it is not replaced.</summary>
    public const string OutputNotRecognized = "IoBench.OutputNotRecognized";

    /// <summary>A raw device can be written only if the user names it.</summary>
    public const string DeviceNotNamed = "IoBench.DeviceNotNamed";

    /// <summary>A device has content.</summary>
    public const string DeviceNotEmpty = "IoBench.DeviceNotEmpty";

    /// <summary>A file is kept as evidence of a storage error and is not overwritten.</summary>
    public const string Evidence = "IoBench.Evidence";

    public const string FileExists = "IoBench.FileExists";

    public const string FileInUse = "IoBench.FileInUse";

    /// <summary>IoBench did not create the file.</summary>
    public const string ForeignFile = "IoBench.ForeignFile";

    public const string IntegrityErrors = "IoBench.IntegrityErrors";

    public const string InvalidJson = "IoBench.InvalidJson";

    public const string NotAFile = "IoBench.NotAFile";

    public const string NotEnoughMemory = "IoBench.NotEnoughMemory";

    public const string NothingToCompare = "IoBench.NothingToCompare";

    public const string NoResultFiles = "IoBench.NoResultFiles";

    public const string NoResults = "IoBench.NoResults";

    /// <summary>Another run uses the same output file.</summary>
    public const string OutputInUse = "IoBench.OutputInUse";

    public const string ReadOnlyVolume = "IoBench.ReadOnlyVolume";

    public const string SqlServerFile = "IoBench.SqlServerFile";

    /// <summary>A test ended without results and without a more specific error.</summary>
    public const string TestFailed = "IoBench.TestFailed";

    /// <summary>Another user can have placed the file in its folder.</summary>
    public const string UntrustedFile = "IoBench.UntrustedFile";

    /// <summary>Another user can have placed a link of the path.</summary>
    public const string UntrustedLink = "IoBench.UntrustedLink";
}
