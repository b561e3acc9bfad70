using System.Runtime.Versioning;
using Microsoft.Win32;

namespace IoBench.Engine;

/// <param name="IsKnown">False if the registry denied access.</param>
/// <param name="Text">The value; null if it does not exist or is unknown.</param>
internal readonly record struct RegistryValue(bool IsKnown, string? Text)
{
    [SupportedOSPlatform("windows")]
    public static RegistryValue Read(string key, string name) =>
        Read(() =>
        {
            using var opened = Registry.LocalMachine.OpenSubKey(key);
            return opened?.GetValue(name)?.ToString();
        });

    internal static RegistryValue Read(Func<string?> read)
    {
        try
        {
            return new(true, read());
        }
        catch (Exception e) when (e is System.Security.SecurityException or IOException or UnauthorizedAccessException)
        {
            // The account has no access, or the key is being deleted.
            return new(false, null);
        }
    }
}
