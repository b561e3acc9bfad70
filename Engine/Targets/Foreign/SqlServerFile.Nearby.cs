using System.IO.Enumeration;

namespace IoBench.Engine;

public static partial class SqlServerFile
{
    // Folders can hold millions of files, so the check is limited and compares names without creating a string for each.
    private const int MaxEntries = 100_000;
    private const int MaxFolders = 32;

    private static readonly string[] s_databaseExtensions = [".mdf", ".ndf", ".ldf"];

    /// <summary>Looks for SQL Server files in the same folder and in the usual folders of the volume, without a search.</summary>
    internal static string? FindOnSameVolume(string path)
    {
        var own = Path.GetDirectoryName(path);
        if (own is null || PlatformFiles.Current.GetVolumeId(own) is not { } volume)
            return null;
        return GetUsualFolders(path)
            .Prepend(own)
            .Distinct(StringComparer.Ordinal)
            .Take(MaxFolders)
            .Where(f => f == own || (Directory.Exists(f) && PlatformFiles.Current.GetVolumeId(f) == volume))
            .Select(FindFirstInFolder)
            .FirstOrDefault(f => f is not null);
    }

    private static string? FindFirstInFolder(string folder)
    {
        try
        {
            var left = MaxEntries;
            return new FileSystemEnumerable<string?>(folder, (ref FileSystemEntry entry) => left > 0 ? entry.ToFullPath() : null)
            {
                ShouldIncludePredicate = (ref FileSystemEntry entry) =>
                    --left <= 0 || !entry.IsDirectory && IsDatabaseFileName(entry.FileName),
            }.FirstOrDefault();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The folders of SQL Server are often not accessible; then no file is found.
            return null;
        }
    }

    private static bool IsDatabaseFileName(ReadOnlySpan<char> name)
    {
        var extension = Path.GetExtension(name);
        foreach (var known in s_databaseExtensions)
            if (extension.Equals(known, StringComparison.OrdinalIgnoreCase))
                return true;
        return false;
    }

    private static IEnumerable<string> GetUsualFolders(string path) =>
        OperatingSystem.IsWindows() ? GetWindowsFolders(path) : GetLinuxFolders();

    private static IEnumerable<string> GetLinuxFolders()
    {
        const string root = "/var/opt/mssql",
            configuration = root + "/mssql.conf";
        string[] lines = [];
        try
        {
            if (File.Exists(configuration))
                lines = File.ReadAllLines(configuration);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // On many hosts, only SQL Server's own account can read the file; the usual folders are used then.
        }
        // Format: "defaultdatadir = /sql/data", "defaultlogdir = ..."
        var set = lines
            .Select(l => l.Split('=', 2))
            .Where(p => p.Length == 2 && p[0].Trim() is "defaultdatadir" or "defaultlogdir")
            .Select(p => p[1].Trim());
        return [root + "/data", root + "/log", .. set];
    }
}
