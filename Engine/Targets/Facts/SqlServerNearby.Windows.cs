using System.Runtime.Versioning;
using Microsoft.Win32;

namespace IoBench.Engine;

internal static partial class SqlServerNearby
{
    private static readonly string[] s_usualNames = ["SQLData", "SQLLog", "SQLLogs", "SQLTempDB", "SQL", "MSSQL", "Data", "Log", "Logs", "TempDB"];

    [SupportedOSPlatform("windows")]
    private static IEnumerable<string> WindowsFolders(string path)
    {
        var root = (PlatformFiles.Current as WindowsFiles)?.Volume(path)?.Root ?? Path.GetPathRoot(path) ?? "";
        var named = s_usualNames.Select(n => Path.Combine(root, n));
        return [.. InstanceFolders(), .. named, root];
    }

    // Where each instance says its files are made.
    [SupportedOSPlatform("windows")]
    private static List<string> InstanceFolders()
    {
        var folders = new List<string>();
        const string server = @"SOFTWARE\Microsoft\Microsoft SQL Server";
        try
        {
            using var names = Registry.LocalMachine.OpenSubKey(server + @"\Instance Names\SQL");
            foreach (var name in names?.GetValueNames() ?? [])
            {
                var instance = $@"{server}\{names!.GetValue(name)}";
                using var settings = Registry.LocalMachine.OpenSubKey(instance + @"\MSSQLServer");
                using var setup = Registry.LocalMachine.OpenSubKey(instance + @"\Setup");
                foreach (var folder in new[] { settings?.GetValue("DefaultData"), settings?.GetValue("DefaultLog"), setup?.GetValue("SQLDataRoot") is { } data ? $@"{data}\DATA" : null })
                    if (folder?.ToString() is { Length: > 0 } text)
                        folders.Add(text);
            }
        }
        catch (Exception e) when (e is System.Security.SecurityException or IOException or UnauthorizedAccessException)
        {
            // An account that may not read this still gets the look at the usual folders.
        }
        return folders;
    }
}
