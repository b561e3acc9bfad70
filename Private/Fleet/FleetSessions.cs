using System.Management.Automation;
using System.Management.Automation.Runspaces;

namespace IoBench.PowerShell.Fleet;

/// <summary>Sessions as hosts of a fleet.</summary>
internal static class FleetSessions
{
    /// <summary>The hosts, under the names of their sessions where two sessions lead to one computer.</summary>
    public static IReadOnlyList<(FleetHost Host, SessionHost Session)> HostsOf(IEnumerable<PSSession> sessions) =>
        [.. SessionHost.Of(sessions).Select(session => (new FleetHost { Name = session.Name.Replace(' ', '-') }, session))];

    /// <summary>Loads the module where it is missing.</summary>
    /// <param name="cmdlet">Whose streams take what goes wrong.</param>
    /// <param name="stopped">The cmdlet was stopped.</param>
    /// <returns>The way to those that can run it.</returns>
    /// <exception cref="IoBenchException"><c>IoBench.HostNotReached</c>: none of them can.</exception>
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
