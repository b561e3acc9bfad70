using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A changed fact of the host or the tool, such as <c>Kernel</c>. A value is null if the fact did not exist.</summary>
public sealed record HostChange(string Name, string? Before, string? After)
{
    public override string ToString() => $"{Name}: {Before ?? "(none)"} -> {After ?? "(none)"}";

    // Facts that change from run to run, or through the measurement itself.
    private static readonly string[] s_changingFacts = ["Volume free", "Flushes", "Mount point", "Mount source"];

    /// <summary>Returns the facts that differ, those of the tool first; facts of the host only if both runs have them.</summary>
    public static IReadOnlyList<HostChange> FindBetween(IoTestResult before, IoTestResult after)
    {
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
                    .Where(name => IsLastingFact(name) && !Comparability.IsDiskSpd23Fact(name, before, after))
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

    private static bool IsLastingFact(string name) =>
        !Array.Exists(s_changingFacts, passing => name.StartsWith(passing, StringComparison.OrdinalIgnoreCase));
}
