using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Options;

/// <summary>Where results go. Its paths are tried before a long test starts, not after it.</summary>
internal sealed class OutputPlan
{
    /// <summary>On standard output; null = the table.</summary>
    public ResultFormat? Format { get; init; }
    /// <summary>The file of the results.</summary>
    public string? OutputPath { get; init; }
    /// <summary>What is written into it.</summary>
    public ResultFormat? OutputFormat { get; init; }
    /// <summary>The workbook or page.</summary>
    public string? ReportPath { get; init; }
    /// <summary>The report's title.</summary>
    public string? Title { get; init; }
    /// <summary>The report without its Summary.</summary>
    public bool NoSummary { get; init; }
    /// <summary>Replace what exists.</summary>
    public bool Force { get; init; }
    /// <summary>The output file is continued, so it may exist.</summary>
    public bool Resume { get; set; }

    /// <summary>Puts the day for <c>{date}</c> (2026-11-21) and the time for <c>{time}</c> (031500) in a name.</summary>
    public static string FillIn(string name, DateTime now) => name
        .Replace("{date}", now.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture), StringComparison.OrdinalIgnoreCase)
        .Replace("{time}", now.ToString("HHmmss", CultureInfo.InvariantCulture), StringComparison.OrdinalIgnoreCase);

    /// <exception cref="IoBenchException">A file exists and may not be replaced, its folder is missing or not writable, or its name is no report's.</exception>
    public void CheckPaths()
    {
        if (ReportPath is not null)
        {
            if (Path.GetExtension(ReportPath).ToUpperInvariant() is not (".XLSX" or ".HTML" or ".HTM"))
                throw Usage($"{ReportPath} is not a report's name: end it in .xlsx or .html.");
            CheckWritable(ReportPath, Force);
        }
        if (OutputPath is not null)
        {
            CheckWritable(OutputPath, Force || Resume);
            if (ReportPath is not null && Path.GetFullPath(OutputPath) == Path.GetFullPath(ReportPath))
                throw Usage($"{OutputPath} cannot be both the results and the report.");
        }
    }

    /// <summary>Whether a file can be made there, by making one beside it and removing it: an existing file is left as it is.</summary>
    private static void CheckWritable(string path, bool mayExist)
    {
        var full = Path.GetFullPath(path);
        if (Directory.Exists(full))
            throw Usage($"{path} is a folder: name a file in it.");
        var folder = Path.GetDirectoryName(full);
        if (folder is null || !Directory.Exists(folder))
            throw Usage($"{path} cannot be written: there is no folder {folder}. Make it first.");
        if (File.Exists(full) && !mayExist)
            throw new IoBenchException("IoBench.FileExists", IoErrorKind.Refused, $"{path} exists: add --force to replace it, or choose another name.", path);
        var probe = Path.Combine(folder, $".iobench-{Guid.NewGuid():N}.tmp");
        try
        {
            if (File.Exists(full))
                using (File.Open(full, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite)) { }
            using (new FileStream(probe, FileMode.CreateNew, FileAccess.Write, FileShare.None, 1, FileOptions.DeleteOnClose)) { }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new IoBenchException("IoBench.NotWritable", IoErrorKind.Refused, $"{path} cannot be written: {error.Message.TrimEnd('.')}. Choose another place or mend its permissions.", path, error);
        }
    }

    private static IoBenchException Usage(string message) => IoBenchException.Usage("IoBench.InvalidOutputPath", message);
}
