using System.Globalization;

namespace IoBench.Application.Fleet.Transports;

/// <summary>The command that starts a member.</summary>
public static class MemberCommand
{
    /// <summary>The program that this computer starts, and its arguments.</summary>
    /// <param name="launch">What the member runs.</param>
    /// <param name="program">The program on a host that names none.</param>
    public static (string File, IReadOnlyList<string> Arguments) Of(FleetHost host, FleetLaunch launch, string program)
    {
        ArgumentNullException.ThrowIfNull(host);
        ArgumentNullException.ThrowIfNull(launch);
        var member = Member(host, launch);
        program = host.Program ?? program;
        return host.Transport == FleetTransportKind.Local ? (program, member) : Ssh(host, member.Prepend(program));
    }

    /// <summary>The command that starts a member of a program which the host gets first, where it does not have it.</summary>
    /// <param name="launch">What the member runs.</param>
    public static (string File, IReadOnlyList<string> Arguments) Of(FleetHost host, FleetLaunch launch, ProgramFile copy)
    {
        ArgumentNullException.ThrowIfNull(host);
        ArgumentNullException.ThrowIfNull(launch);
        ArgumentNullException.ThrowIfNull(copy);
        return HostShell.Command(
            host,
            HostScripts.Run,
            [copy.Hash, copy.Length.ToString(CultureInfo.InvariantCulture), "", .. Member(host, launch)]
        );
    }

    /// <summary>The ssh program with words that the other host runs.</summary>
    internal static (string File, IReadOnlyList<string> Arguments) Ssh(FleetHost host, IEnumerable<string> words)
    {
        // Nobody is there to type a password; a line that is dead shall end by itself.
        List<string> ssh =
        [
            "-T",
            "-o",
            "BatchMode=yes",
            "-o",
            "ConnectTimeout=20",
            "-o",
            "ServerAliveInterval=15",
            "-o",
            "ServerAliveCountMax=4",
        ];
        if (host.Port is { } port)
            ssh.AddRange(["-p", port.ToString(CultureInfo.InvariantCulture)]);
        if (host.User is { } user)
            ssh.AddRange(["-l", user]);
        ssh.AddRange(["--", host.Address ?? host.Name, string.Join(' ', words.Select(Quoted))]);
        return ("ssh", ssh);
    }

    private static string[] Member(FleetHost host, FleetLaunch launch) =>
        [
            "run",
            "--specification",
            "-",
            "--start-at",
            "line",
            "--group",
            launch.Group,
            "--member",
            host.Name,
            .. launch.Force ? ["--force"] : Array.Empty<string>(),
        ];

    /// <summary>A word for the shell of the other host, which joins words again.</summary>
    private static string Quoted(string word) =>
        word.Length > 0 && word.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.' or '/' or ':' or '=' or '\\')
            ? word
            : $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
