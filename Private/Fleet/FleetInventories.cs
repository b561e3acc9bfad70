using System.Management.Automation;
using IoBench.Application;

namespace IoBench.PowerShell;

internal static class FleetHosts
{
    public static IReadOnlyList<FleetHost> ReadInventory(SessionState state, string[] inventory)
    {
        var names = string.Join(',', inventory);
        var file = inventory.Length == 1 ? PathResolver.GetFullPath(state, names) : names;
        return FleetInventory.Read(File.Exists(file) ? file : names);
    }
}
