using System.Management.Automation;
using System.Management.Automation.Runspaces;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal static class FleetSessions
{
    /// <summary>A host's name includes the name of its session if two sessions lead to the same computer.</summary>
    public static IReadOnlyList<(FleetHost Host, SessionHost Session)> HostsOf(IEnumerable<PSSession> sessions) =>
        [.. SessionHost.Of(sessions).Select(session => (new FleetHost { Name = session.Name.Replace(' ', '-') }, session))];

    /// <summary>Loads the module on the hosts that do not have it.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.HostNotReached</c>: no host can run a member.</exception>
    public static SessionTransport Open(
        PSCmdlet cmdlet,
        IReadOnlyList<(FleetHost Host, SessionHost Session)> hosts,
        CancellationToken stopped
    )
    {
        new SessionConnection(new SessionCalls(cmdlet, stopped)).Open([.. hosts.Select(host => host.Session)]);
        return hosts.All(host => !host.Session.IsUsable)
            ? throw IoBenchException.Failure(
                FleetErrors.NotReached,
                hosts.Count == 1 ? "the session cannot run a member." : (IoText)$"none of {hosts.Count} sessions can run a member."
            )
            : new SessionTransport(hosts.ToDictionary(host => host.Host.Name, host => host.Session.Session, StringComparer.Ordinal));
    }
}
