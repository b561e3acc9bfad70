using System.Management.Automation;

namespace IoBench.PowerShell.Fleet;

/// <summary>Hosts as a parameter names them.</summary>
internal static class FleetInventories
{
    /// <summary>The hosts of a file, whose path begins where PowerShell is, or of names.</summary>
    public static IReadOnlyList<FleetHost> Read(SessionState state, string[] inventory)
    {
        var names = string.Join(',', inventory);
        var file = inventory.Length == 1 ? InputPaths.Full(state, names) : names;
        return FleetInventory.Read(File.Exists(file) ? file : names);
    }
}
