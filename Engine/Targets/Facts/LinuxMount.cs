using System.Globalization;
using System.Text;

namespace IoBench.Engine;

/// <summary>A line of /proc/self/mountinfo (proc_pid_mountinfo(5)).</summary>
/// <param name="Root">Folder or file of the file system that is visible at the mount point.</param>
internal sealed record LinuxMount(
    int Id,
    string DeviceNumber,
    string Root,
    string MountPoint,
    string Options,
    string FileSystem,
    string Source,
    string SuperOptions
)
{
    public static IReadOnlyList<LinuxMount> ReadAll() =>
        [.. KernelFile.ReadLines("/proc/self/mountinfo").Select(Parse).OfType<LinuxMount>()];

    public static LinuxMount? Parse(string line)
    {
        var fields = line.Split(' ');
        var dash = fields.Length > 6 ? Array.IndexOf(fields, "-", 6) : -1;
        return
            dash < 0 || dash + 3 >= fields.Length || !int.TryParse(fields[0], NumberStyles.None, CultureInfo.InvariantCulture, out var id)
            ? null
            : new LinuxMount(
                id,
                fields[2],
                DecodeOctalEscapes(fields[3]),
                DecodeOctalEscapes(fields[4]),
                fields[5],
                fields[dash + 1],
                DecodeOctalEscapes(fields[dash + 2]),
                fields[dash + 3]
            );
    }

    /// <summary>Where the layers of an overlay can hold a file; empty if the path is not on this mount.</summary>
    public IEnumerable<string> GetOverlayLayerPaths(string path)
    {
        var prefix = MountPoint.TrimEnd('/') + "/";
        if (!path.StartsWith(prefix, StringComparison.Ordinal))
            return [];
        var name = Path.Combine(Root, path[prefix.Length..]).TrimStart('/');
        return SuperOptions
            .Split(',')
            .Select(option => option.Split('=', 2))
            .Where(option => option is ["upperdir" or "lowerdir" or "lowerdir+" or "datadir+", _])
            .SelectMany(option => DecodeOctalEscapes(option[1]).Split(':', StringSplitOptions.RemoveEmptyEntries))
            .Select(layer => Path.Combine(layer, name));
    }

    /// <summary>By mount id if the kernel reports it, otherwise the longest mount point, the last one mounted.</summary>
    public static LinuxMount? Find(IReadOnlyList<LinuxMount> mounts, string path, int? mountId) =>
        mounts.FirstOrDefault(m => m.Id == mountId)
        ?? mounts
            .Where(m => m.MountPoint == "/" || path == m.MountPoint || path.StartsWith(m.MountPoint + "/", StringComparison.Ordinal))
            .OrderBy(m => m.MountPoint.Length)
            .LastOrDefault();

    // Spaces, tabs, line ends, and backslashes are written as \ and three octal digits per UTF-8 byte.
    internal static string DecodeOctalEscapes(string text)
    {
        if (!text.Contains('\\', StringComparison.Ordinal))
            return text;
        var bytes = new List<byte>();
        var source = Encoding.UTF8.GetBytes(text);
        for (var i = 0; i < source.Length; i++)
        {
            if (source[i] == '\\' && i + 3 < source.Length && source.AsSpan(i + 1, 3).IndexOfAnyExceptInRange((byte)'0', (byte)'7') < 0)
            {
                bytes.Add((byte)((source[i + 1] - '0') * 64 + (source[i + 2] - '0') * 8 + source[i + 3] - '0'));
                i += 3;
            }
            else
            {
                bytes.Add(source[i]);
            }
        }
        return Encoding.UTF8.GetString([.. bytes]);
    }
}
