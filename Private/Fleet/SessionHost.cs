using System.Management.Automation.Runspaces;
using IoBench.Application;

namespace IoBench.PowerShell;

/// <param name="name">Display name, different for each session to the same host.</param>
public sealed class SessionHost(string name, PSSession session)
{
    public string Name { get; } = name;

    public PSSession Session { get; } = session;

    /// <summary>The host as a member of a fleet.</summary>
    public FleetHost Member { get; } = new() { Name = name.Replace(' ', '-') };

    /// <summary>Computer name that the host reports; the display name until then.</summary>
    public string ComputerName { get; internal set; } = name;

    public string Folder { get; internal set; } = "";

    public bool IsLost { get; internal set; }

    /// <summary>True if the host cannot continue because of an error of its own.</summary>
    public bool HasFailed { get; internal set; }

    public bool IsUsable => !IsLost && !HasFailed;

    /// <summary>If several sessions lead to the same computer, the display names include the names of the sessions, and also their ids if
    /// the names are not unique.</summary>
    public static IReadOnlyList<SessionHost> FromSessions(IEnumerable<PSSession> sessions)
    {
        var unique = sessions.DistinctBy(session => session.InstanceId).OrderBy(session => session.Id).ToList();
        List<SessionHost> hosts = [.. unique.Select(session => new SessionHost(GetName(session), session))];
        return hosts.ConvertAll(host =>
            hosts.Count(other => other.Member.Name == host.Member.Name) > 1
                ? new SessionHost($"{host.Name} #{host.Session.Id}", host.Session)
                : host
        );

        string GetName(PSSession session) =>
            unique.Count(other => other.ComputerName == session.ComputerName) > 1
                ? $"{session.ComputerName} ({session.Name})"
                : session.ComputerName;
    }
}
