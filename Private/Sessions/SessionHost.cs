using System.Management.Automation.Runspaces;
using IoBench.Application;

namespace IoBench.PowerShell;

/// <summary>Host of a PowerShell session.</summary>
/// <param name="name">Display name, different for each session to the same host.</param>
/// <param name="session">Session to the host.</param>
public sealed class SessionHost(string name, PSSession session) : ISuiteHost
{
    /// <summary>Display name of the host.</summary>
    public string Name { get; } = name;

    /// <summary>Session to the host.</summary>
    public PSSession Session { get; } = session;

    /// <summary>Computer name that the host reports; the display name until then.</summary>
    public string ComputerName { get; internal set; } = name;

    /// <summary>Folder of the module on the host.</summary>
    public string Folder { get; internal set; } = "";

    /// <summary>True if the connection was lost.</summary>
    public bool IsLost { get; internal set; }

    /// <summary>True if the host cannot continue because of an error of its own.</summary>
    public bool HasFailed { get; internal set; }

    /// <summary>True if the host takes part in the next step.</summary>
    public bool IsUsable => !IsLost && !HasFailed;

    /// <summary>
    /// Creates one host per session. If several sessions lead to the same computer, the display names include the names of the sessions.
    /// </summary>
    public static IReadOnlyList<SessionHost> FromSessions(IEnumerable<PSSession> sessions)
    {
        var unique = sessions.DistinctBy(session => session.InstanceId).OrderBy(session => session.Id).ToList();
        return
        [
            .. unique.Select(session => new SessionHost(
                unique.Count(other => other.ComputerName == session.ComputerName) > 1
                    ? $"{session.ComputerName} ({session.Name})"
                    : session.ComputerName,
                session
            )),
        ];
    }
}
