using System.Management.Automation;
using IoBench.Application;

namespace IoBench.PowerShell;

internal static class FleetInventories
{
    public static IReadOnlyList<FleetHost> Read(SessionState state, string[] inventory)
    {
        var names = string.Join(',', inventory);
        var file = inventory.Length == 1 ? InputPaths.Full(state, names) : names;
        return FleetInventory.Read(File.Exists(file) ? file : names);
    }
}
