using System.Globalization;

namespace IoBench.Application;

public static class MemberCommandLine
{
    /// <param name="program">Program on hosts that have none in the inventory.</param>
    public static (string File, IReadOnlyList<string> Arguments) Create(FleetHost host, string group, string program)
    {
        ArgumentNullException.ThrowIfNull(host);
        var member = GetMemberArguments(host, group);
        program = host.Program ?? program;
        return host.Transport == FleetTransportKind.Local ? (program, member) : CreateSshCommand(host, member.Prepend(program));
    }

    /// <summary>Returns the command line for a host that first receives a copy of the program if needed.</summary>
    public static (string File, IReadOnlyList<string> Arguments) Create(FleetHost host, string group, ProgramFile copy)
    {
        ArgumentNullException.ThrowIfNull(host);
        ArgumentNullException.ThrowIfNull(copy);
        string[] words =
        [
            "sh",
            "-c",
            ProgramCopyScript.Text,
            "iobench",
            copy.Hash,
            copy.Length.ToString(CultureInfo.InvariantCulture),
            .. GetMemberArguments(host, group),
        ];
        return host.Transport == FleetTransportKind.Local ? (words[0], words[1..]) : CreateSshCommand(host, words);
    }

    private static (string File, IReadOnlyList<string> Arguments) CreateSshCommand(FleetHost host, IEnumerable<string> words)
    {
        // BatchMode, because no user can type a password. ServerAlive options end a dead connection.
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
        ssh.AddRange(["--", host.ConnectionName, string.Join(' ', words.Select(QuoteForShell))]);
        return ("ssh", ssh);
    }

    private static string[] GetMemberArguments(FleetHost host, string group) =>
        ["run", "--specification", "-", "--start-at", "line", "--group", group, "--member", host.Name];

    /// <summary>Quotes a word for the shell of the host, because ssh joins its arguments to one command line.</summary>
    private static string QuoteForShell(string word) =>
        word.Length > 0 && word.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.' or '/' or ':' or '=' or '\\')
            ? word
            : $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
