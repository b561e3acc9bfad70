namespace IoBench.Analysis;

/// <summary>The T-SQL scripts that take snapshots for a captured workload, as help and documentation show them.</summary>
public static class FileStatsQuery
{
    private static readonly Lazy<string> s_text = new(() => ReadResource("file-stats.sql"));
    private static readonly Lazy<string> s_snapshotText = new(() => ReadResource("file-stats-snapshot.sql"));
    private static readonly Lazy<string> s_azureText = new(() => ReadResource("file-stats-azure-sql-database.sql"));

    /// <summary>The script, with line feeds as line ends.</summary>
    public static string Text => s_text.Value;

    /// <summary>The script for one snapshot, for a client that repeats it.</summary>
    public static string SnapshotText => s_snapshotText.Value;

    /// <summary>The script for Azure SQL Database, which has no sys.master_files.</summary>
    public static string AzureSqlDatabaseText => s_azureText.Value;

    private static string ReadResource(string name)
    {
        using var stream =
            typeof(FileStatsQuery).Assembly.GetManifestResourceStream(name)
            ?? throw new InvalidDataException($"{name} is not embedded in the assembly.");
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
