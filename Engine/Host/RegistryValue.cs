using System.Runtime.Versioning;
using Microsoft.Win32;

namespace IoBench.Engine.Host;

/// <summary>A value of Windows' registry, as far as this account may read it.</summary>
/// <param name="IsKnown">False when the registry refused to say.</param>
/// <param name="Text">The value; null when there is none, or it is unknown.</param>
internal readonly record struct RegistryValue(bool IsKnown, string? Text)
{
    /// <summary>Reads a value of the computer's own part of the registry.</summary>
    [SupportedOSPlatform("windows")]
    public static RegistryValue Read(string key, string name) =>
        Read(() =>
        {
            using var opened = Registry.LocalMachine.OpenSubKey(key);
            return opened?.GetValue(name)?.ToString();
        });

    /// <summary>The same by another way of reading.</summary>
    internal static RegistryValue Read(Func<string?> read)
    {
        try
        {
            return new(true, read());
        }
        catch (Exception e) when (e is System.Security.SecurityException or IOException or UnauthorizedAccessException)
        {
            // An account without the right to it, or a key that is being deleted.
            return new(false, null);
        }
    }
}
