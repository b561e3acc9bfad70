namespace IoBench.Analysis.History;

/// <summary>One fact of the host or the tool that is not what it was.</summary>
/// <param name="Name">What, such as <c>Kernel</c>.</param>
/// <param name="Before">Its text before; null = it was not there.</param>
/// <param name="After">Its text after; null = it is no longer there.</param>
public sealed record HostChange(string Name, string? Before, string? After)
{
    /// <summary><c>Kernel: 6.1.0-18 -> 6.1.0-21</c>.</summary>
    public override string ToString() => $"{Name}: {Before ?? "(none)"} -> {After ?? "(none)"}";
}

/// <summary>What changed on a host between two runs: driver, firmware, mount options, queue settings, kernel, BIOS, version of the tool.</summary>
public static class HostChanges
{
    // What differs from run to run by itself, or is the measurement.
    private static readonly string[] s_passing = ["Volume free", "Flushes", "Mount point", "Mount source"];

    /// <summary>The facts that differ, those of the tool first; empty where a run names no host.</summary>
    public static IReadOnlyList<HostChange> Between(IoTestResult before, IoTestResult after)
    {
        ArgumentNullException.ThrowIfNull(before);
        ArgumentNullException.ThrowIfNull(after);
        List<HostChange> changes = [];
        Add("Tool version", before.ToolVersion, after.ToolVersion);
        Add("Backend", before.Backend, after.Backend);
        Add("Device", before.Device, after.Device);
        Add("File system", before.FileSystem, after.FileSystem);
        if (before.Host.Count > 0 && after.Host.Count > 0)
        {
            foreach (
                var name in before
                    .Host.Keys.Union(after.Host.Keys)
                    .Where(name => IsLasting(name) && !DiskSpdVersions.IsNewFact(name, before, after))
            )
                Add(name, before.Host.GetValueOrDefault(name), after.Host.GetValueOrDefault(name));
        }
        return [.. changes.DistinctBy(change => (change.Before, change.After))];

        void Add(string name, string? old, string? now)
        {
            if (!string.Equals(old, now, StringComparison.Ordinal) && changes.TrueForAll(change => change.Name != name))
                changes.Add(new(name, old, now));
        }
    }

    private static bool IsLasting(string name) =>
        !Array.Exists(s_passing, passing => name.StartsWith(passing, StringComparison.OrdinalIgnoreCase));
}
