using System.Collections;
using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Converts permissions to a hashtable, which PowerShell remoting keeps as it is, and back.</summary>
internal static class RemotePermissions
{
    public static Hashtable ToHashtable(TargetPermissions permissions) =>
        new()
        {
            [nameof(permissions.OverwriteFiles)] = permissions.OverwriteFiles.ToArray(),
            [nameof(permissions.EraseDevices)] = permissions.EraseDevices.ToArray(),
            [nameof(permissions.FillVolume)] = permissions.FillVolume,
            [nameof(permissions.ReadDatabase)] = permissions.ReadDatabase,
        };

    public static TargetPermissions FromHashtable(Hashtable values) =>
        new()
        {
            OverwriteFiles = LanguagePrimitives.ConvertTo<string[]>(values[nameof(TargetPermissions.OverwriteFiles)]) ?? [],
            EraseDevices = LanguagePrimitives.ConvertTo<string[]>(values[nameof(TargetPermissions.EraseDevices)]) ?? [],
            FillVolume = LanguagePrimitives.IsTrue(values[nameof(TargetPermissions.FillVolume)]),
            ReadDatabase = LanguagePrimitives.IsTrue(values[nameof(TargetPermissions.ReadDatabase)]),
        };
}
