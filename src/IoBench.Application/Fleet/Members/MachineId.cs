using System.Text;

namespace IoBench.Application.Fleet.Members;

/// <summary>What tells a machine from another of its name.</summary>
public static class MachineId
{
    /// <summary>The system's id of this machine, scrambled so that it names nothing else; null when it has none.</summary>
    public static string? Current { get; } =
        Scramble(
            OperatingSystem.IsLinux() ? OfLinux()
            : OperatingSystem.IsWindows() ? OfWindows()
            : null
        );

    /// <summary>Twelve digits that follow from an id and do not lead back to it.</summary>
    public static string? Scramble(string? id) =>
        string.IsNullOrWhiteSpace(id)
            ? null
            : Convert.ToHexString(CryptoLibrary.Sha256(Encoding.UTF8.GetBytes("IoBench " + id.Trim())))[..12].ToLowerInvariant();

    [System.Runtime.Versioning.SupportedOSPlatform("windows")]
    private static string? OfWindows() =>
        Microsoft.Win32.Registry.GetValue(@"HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Cryptography", "MachineGuid", null) as string;

    private static string? OfLinux()
    {
        foreach (var file in new[] { "/etc/machine-id", "/var/lib/dbus/machine-id" })
        {
            try
            {
                return File.ReadAllText(file);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // The next one may be there; without any the name has to do.
            }
        }
        return null;
    }
}
