using System.Runtime.Versioning;
using Microsoft.Win32;

namespace IoBench.Engine;

public static partial class SqlServerFile
{
    private const string ServerKey = @"SOFTWARE\Microsoft\Microsoft SQL Server";
    private const string InstanceKey = ServerKey + @"\Instance Names\SQL";

    // Registry values of an instance that contain a folder, and the subfolder to add.
    private static readonly (string Key, string Value, string Below)[] s_folderValues =
    [
        ("MSSQLServer", "DefaultData", ""),
        ("MSSQLServer", "DefaultLog", ""),
        ("Setup", "SQLDataRoot", @"\DATA"),
    ];

    private static readonly string[] s_usualNames =
    [
        "SQLData",
        "SQLLog",
        "SQLLogs",
        "SQLTempDB",
        "SQL",
        "MSSQL",
        "Data",
        "Log",
        "Logs",
        "TempDB",
    ];

    [SupportedOSPlatform("windows")]
    private static IEnumerable<string> GetWindowsFolders(string path)
    {
        var root = (PlatformFiles.Current as WindowsFiles)?.FindVolume(path)?.Root ?? Path.GetPathRoot(path) ?? "";
        var named = s_usualNames.Select(n => Path.Combine(root, n));
        return [.. GetInstanceFolders(), .. named, root];
    }

    [SupportedOSPlatform("windows")]
    private static IEnumerable<string> GetInstanceFolders() => GetInstanceFolders(ReadInstanceNames(), RegistryValue.Read);

    [SupportedOSPlatform("windows")]
    private static string[] ReadInstanceNames()
    {
        try
        {
            using var names = Registry.LocalMachine.OpenSubKey(InstanceKey);
            return names?.GetValueNames() ?? [];
        }
        catch (Exception e) when (e is System.Security.SecurityException or IOException or UnauthorizedAccessException)
        {
            // Without access to the registry, only the usual folders are searched.
            return [];
        }
    }

    /// <summary>An instance that the account may not read is skipped.</summary>
    internal static IEnumerable<string> GetInstanceFolders(IEnumerable<string> names, Func<string, string, RegistryValue> read)
    {
        foreach (var name in names)
        {
            if (read(InstanceKey, name).Text is not { Length: > 0 } id)
                continue;
            foreach (var (key, value, below) in s_folderValues)
                if (read($@"{ServerKey}\{id}\{key}", value).Text is { Length: > 0 } folder)
                    yield return folder + below;
        }
    }
}
