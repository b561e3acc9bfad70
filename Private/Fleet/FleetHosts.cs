using System.Management.Automation;
using System.Management.Automation.Runspaces;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal static class FleetHosts
{
    /// <summary>A host's name includes the name of its session if two sessions lead to the same computer.</summary>
    public static IReadOnlyList<(FleetHost Host, SessionHost Session)> FromSessions(IEnumerable<PSSession> sessions) =>
        [.. SessionHost.FromSessions(sessions).Select(session => (new FleetHost { Name = session.Name.Replace(' ', '-') }, session))];

    /// <exception cref="IoBenchException"><c>IoBench.HostNotReached</c>: no host can run a member.</exception>
    public static SessionFleetTransport OpenTransport(
        PSCmdlet cmdlet,
        IReadOnlyList<(FleetHost Host, SessionHost Session)> hosts,
        CancellationToken stopped
    )
    {
        new RemoteModuleLoader(new RemoteScriptRunner(cmdlet, stopped)).LoadModule([.. hosts.Select(host => host.Session)]);
        return hosts.All(host => !host.Session.IsUsable)
            ? throw IoBenchException.Failure(
                FleetErrorIds.NotReached,
                hosts.Count == 1 ? "the session cannot run a member." : (IoMessage)$"none of {hosts.Count} sessions can run a member."
            )
            : new SessionFleetTransport(hosts.ToDictionary(host => host.Host.Name, host => host.Session.Session, StringComparer.Ordinal));
    }

    public static IReadOnlyList<FleetHost> ReadInventory(SessionState state, string[] inventory)
    {
        var names = string.Join(',', inventory);
        var file = inventory.Length == 1 ? PathResolver.GetFullPath(state, names) : names;
        return FleetInventory.Read(File.Exists(file) ? file : names);
    }
}
