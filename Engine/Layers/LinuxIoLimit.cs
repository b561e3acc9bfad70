using System.Globalization;

namespace IoBench.Engine;

/// <summary>Limit of a control group of this process (Documentation/admin-guide/cgroup-v1/blkio-controller.rst and cgroup-v2.rst).</summary>
/// <param name="Device">Number of the whole disk, as <c>major:minor</c>.</param>
internal sealed record LinuxIoLimit(string Device, bool IsWrite, bool IsIops, double Value, string Setting)
{
    private const string Version1 = "/sys/fs/cgroup/blkio",
        Version2 = "/sys/fs/cgroup";

    private static readonly (string File, bool IsWrite, bool IsIops)[] s_throttles =
    [
        ("blkio.throttle.read_iops_device", false, true),
        ("blkio.throttle.write_iops_device", true, true),
        ("blkio.throttle.read_bps_device", false, false),
        ("blkio.throttle.write_bps_device", true, false),
    ];

    /// <param name="readLines">Lines of a file; none if it is missing.</param>
    public static IReadOnlyList<LinuxIoLimit> ReadAll(Func<string, string[]> readLines)
    {
        var limits = new List<LinuxIoLimit>();
        foreach (var line in readLines("/proc/self/cgroup"))
        {
            // hierarchy:controllers:path; version 2 has no controllers.
            if (line.Split(':', 3) is not [_, var controllers, var path])
                continue;
            if (controllers.Split(',').Contains("blkio"))
                foreach (var folder in GetFolders(Version1, path))
                foreach (var (file, isWrite, isIops) in s_throttles)
                    limits.AddRange(
                        readLines($"{folder}/{file}")
                            .Select(text => text.Split(' '))
                            .Where(parts => parts.Length == 2)
                            .Select(parts => Create(parts[0], isWrite, isIops, parts[1], file))
                            .OfType<LinuxIoLimit>()
                    );
            else if (controllers.Length == 0)
                foreach (var folder in GetFolders(Version2, path))
                foreach (var text in readLines($"{folder}/io.max"))
                    limits.AddRange(ParseMax(text));
        }
        return limits;
    }

    /// <summary>Parses <c>8:16 rbps=2097152 wbps=max riops=max wiops=120</c>.</summary>
    internal static IEnumerable<LinuxIoLimit> ParseMax(string line)
    {
        var parts = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return parts
            .Skip(1)
            .Select(part => part.Split('='))
            .Where(pair => pair is [['r' or 'w', ..], _])
            .Select(pair =>
                Create(parts[0], pair[0][0] == 'w', pair[0].EndsWith("iops", StringComparison.Ordinal), pair[1], $"io.max {pair[0]}")
            )
            .OfType<LinuxIoLimit>();
    }

    private static LinuxIoLimit? Create(string device, bool isWrite, bool isIops, string value, string setting) =>
        double.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number > 0
            ? new LinuxIoLimit(device, isWrite, isIops, number, setting)
            : null;

    // The limits of the parents apply too.
    private static IEnumerable<string> GetFolders(string root, string path)
    {
        for (var at = path.TrimEnd('/'); at.Length > 0; at = at[..at.LastIndexOf('/')])
            yield return root + at;
        yield return root;
    }
}
