namespace IoBench.Analysis;

/// <summary>The T-SQL script that takes snapshots for a captured workload, as help and documentation show it.</summary>
public static class FileStatsQuery
{
    private static readonly Lazy<string> s_text = new(ReadResource);

    /// <summary>The script, with line feeds as line ends.</summary>
    public static string Text => s_text.Value;

    private static string ReadResource()
    {
        using var stream =
            typeof(FileStatsQuery).Assembly.GetManifestResourceStream("file-stats.sql")
            ?? throw new InvalidDataException("file-stats.sql is not embedded in the assembly.");
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
