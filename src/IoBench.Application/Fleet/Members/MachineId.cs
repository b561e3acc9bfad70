using System.Text;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Identifies a machine, to distinguish machines with the same name.</summary>
public static class MachineId
{
    /// <summary>Hash of this machine's id; null if the system has none.</summary>
    public static string? Current { get; } =
        HashId(
            OperatingSystem.IsLinux() ? ReadLinuxId()
            : OperatingSystem.IsWindows() ? ReadWindowsId()
            : null
        );

    /// <summary>First 12 hexadecimal digits of a hash, from which the id cannot be derived; null if there is no id.</summary>
    public static string? HashId(string? id) =>
        string.IsNullOrWhiteSpace(id)
            ? null
            : Convert.ToHexString(CryptoLibrary.ComputeSha256(Encoding.UTF8.GetBytes("IoBench " + id.Trim())))[..12].ToLowerInvariant();

    [System.Runtime.Versioning.SupportedOSPlatform("windows")]
    private static string? ReadWindowsId() =>
        Microsoft.Win32.Registry.GetValue(@"HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Cryptography", "MachineGuid", null) as string;

    private static string? ReadLinuxId()
    {
        foreach (var file in new[] { "/etc/machine-id", "/var/lib/dbus/machine-id" })
        {
            try
            {
                return File.ReadAllText(file);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // Try the next file. Without any machine id, the computer name has to identify the machine.
            }
        }
        return null;
    }
}
