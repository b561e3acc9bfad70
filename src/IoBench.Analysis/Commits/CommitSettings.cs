namespace IoBench.Analysis;

/// <summary>Settings of SQL Server on Linux that decide how log records reach stable storage.</summary>
public static class CommitSettings
{
    /// <summary>Publication that the settings are based on.</summary>
    public const string Source = "https://support.microsoft.com/kb/4131496";

    /// <summary>For devices with FUA: each write is written through, without a flush.</summary>
    public const string WithFua =
        "mssql-conf set control.writethrough 1, mssql-conf set control.alternatewritethrough 0, and trace flag 3979";

    /// <summary>The default, for all other devices: SQL Server flushes after its writes.</summary>
    public const string WithFlush =
        "control.writethrough 1 and control.alternatewritethrough 1. Do not set trace flag 3979 (3982 is the default)";

    /// <summary>Kernel from which a file system uses FUA for write-through; null if SQL Server on Linux does not support the file
    /// system.</summary>
    public static Version? GetFirstFuaKernel(string? fileSystem) =>
        fileSystem switch
        {
            "xfs" => new Version(4, 18),
            "ext4" => new Version(5, 6),
            _ => null,
        };
}
