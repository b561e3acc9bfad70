using System.Management.Automation.Runspaces;

namespace IoBench.PowerShell.Sessions;

/// <summary>A host of a session.</summary>
/// <param name="name">What it is called here; sessions to one host differ in it.</param>
/// <param name="session">The way to it.</param>
public sealed class SessionHost(string name, PSSession session) : ISuiteHost
{
    /// <summary>What it is called here.</summary>
    public string Name { get; } = name;

    /// <summary>The way to it.</summary>
    public PSSession Session { get; } = session;

    /// <summary>Its own name for itself; before it was asked, that of the session.</summary>
    public string ComputerName { get; internal set; } = name;

    /// <summary>Where the module is on it.</summary>
    public string Folder { get; internal set; } = "";

    /// <summary>The connection was lost.</summary>
    public bool IsLost { get; internal set; }

    /// <summary>It cannot go on, for a reason of its own.</summary>
    public bool HasFailed { get; internal set; }

    /// <summary>It takes part in what follows.</summary>
    public bool IsUsable => !IsLost && !HasFailed;

    /// <summary>The hosts of sessions, each session once. Sessions to one host have their own names behind it.</summary>
    public static IReadOnlyList<SessionHost> Of(IEnumerable<PSSession> sessions)
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
