using System.Globalization;

namespace IoBench.Engine.Host;

/// <summary>Small files below /proc, /sys and /etc by which Linux describes itself. One that is not there, or may not be read, says nothing.</summary>
internal static class KernelFile
{
    /// <summary>Its text, without blanks around it; null when there is none.</summary>
    public static string? Text(string path)
    {
        try
        {
            return File.Exists(path) && File.ReadAllText(path).Trim() is { Length: > 0 } text ? text : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Not every kernel or container shows it, or lets everybody read it; a process or a device may just have gone.
            return null;
        }
    }

    /// <summary>Its lines; none when there is no text.</summary>
    public static string[] Lines(string path) => Text(path)?.Split('\n') ?? [];

    /// <summary>The number that it holds; null when it holds none.</summary>
    public static long? Number(string path) =>
        long.TryParse(Text(path), NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;

    /// <summary>A figure of /proc/meminfo in its own unit (kB, or pages); null when the kernel does not report it.</summary>
    /// <param name="name">As it stands there: <c>MemTotal</c>.</param>
    public static long? MemoryFigure(string name)
    {
        var line = Array.Find(Lines("/proc/meminfo"), l => l.StartsWith(name + ":", StringComparison.Ordinal));
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
