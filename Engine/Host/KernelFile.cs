using System.Globalization;

namespace IoBench.Engine;

/// <summary>Small files in /proc, /sys, and /etc. A missing or unreadable file has no content.</summary>
internal static class KernelFile
{
    public static string? ReadText(string path)
    {
        try
        {
            return File.Exists(path) && File.ReadAllText(path).Trim() is { Length: > 0 } text ? text : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The kernel or container can lack the file or deny access, and a process or device can have disappeared.
            return null;
        }
    }

    public static string[] ReadLines(string path) => ReadText(path)?.Split('\n') ?? [];

    public static long? ReadNumber(string path) =>
        long.TryParse(ReadText(path), NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;

    /// <summary>Returns a value of /proc/meminfo in its own unit (kB or pages); null if the kernel does not report it.</summary>
    public static long? ReadMemInfo(string name)
    {
        var line = Array.Find(ReadLines("/proc/meminfo"), l => l.StartsWith(name + ":", StringComparison.Ordinal));
        return
            line is not null
            && long.TryParse(
                line.AsSpan(name.Length + 1).Trim().TrimEnd("kB").Trim(),
                NumberStyles.None,
                CultureInfo.InvariantCulture,
                out var value
            )
            ? value
            : null;
    }
}
