using System.Globalization;

namespace IoBench.Application;

/// <summary>The command that starts a member.</summary>
public static class MemberCommand
{
    /// <summary>The program that this computer starts, and its arguments.</summary>
    /// <param name="host">The host.</param>
    /// <param name="launch">What the member runs.</param>
    /// <param name="program">The program on a host that names none.</param>
    public static (string File, IReadOnlyList<string> Arguments) Of(FleetHost host, FleetLaunch launch, string program)
    {
        ArgumentNullException.ThrowIfNull(host);
        ArgumentNullException.ThrowIfNull(launch);
        string[] member = ["run", "--specification", "-", "--start-at", "line", "--group", launch.Group, "--member", host.Name, .. launch.Force ? ["--force"] : Array.Empty<string>()];
        program = host.Program ?? program;
        if (host.Transport == FleetTransportKind.Local)
            return (program, member);
        // Nobody is there to type a password; a line that is dead shall end by itself.
        List<string> ssh = ["-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4"];
        if (host.Port is { } port)
            ssh.AddRange(["-p", port.ToString(CultureInfo.InvariantCulture)]);
        if (host.User is { } user)
            ssh.AddRange(["-l", user]);
        ssh.AddRange(["--", host.Address ?? host.Name, string.Join(' ', member.Prepend(program).Select(Quoted))]);
        return ("ssh", ssh);
    }

    /// <summary>A word for the shell of the other host, which joins words again.</summary>
    private static string Quoted(string word)
        => word.Length > 0 && word.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.' or '/' or ':' or '=' or '\\') ? word : $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
