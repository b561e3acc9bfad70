using System.Net;
using System.Net.Sockets;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Grammar of names, addresses, and paths from inventories and command lines. They become arguments of ssh, words of a shell, and
/// patterns and templates of Ansible, so characters that have a meaning there are refused. Writers quote them nevertheless.</summary>
internal static partial class InventoryNames
{
    private const int MaxHostName = 253,
        MaxName = 128;

    /// <summary>Names that have a special meaning in Ansible.</summary>
    private static readonly string[] s_reservedHosts = ["all", "ungrouped"];

    private static readonly string[] s_templateMarks = ["{{", "{%", "{#"];

    /// <returns>The reason why the name is refused; null if it is accepted.</returns>
    public static IoMessage? FindHostError(string name) =>
        Array.Exists(s_reservedHosts, word => word.Equals(name, StringComparison.OrdinalIgnoreCase))
            ? (IoMessage)$"'{name}' is a reserved name in Ansible. Use another name for the host"
        : IsDnsName(name) || IsBracketedIPv6(name) ? null
        : (IoMessage)$"'{name}' is not a valid host name. Use a DNS name, an IPv4 address, or an IPv6 address in brackets";

    /// <inheritdoc cref="FindHostError"/>
    public static IoMessage? FindAddressError(string address) =>
        IsDnsName(address) || IsBracketedIPv6(address) || IsIPv6(address)
            ? null
            : $"'{address}' is not a valid address. Use a DNS name, an IPv4 address, or an IPv6 address";

    /// <inheritdoc cref="FindHostError"/>
    public static IoMessage? FindUserError(string user) =>
        user.Length <= MaxName && GetUserRegex().IsMatch(user)
            ? null
            : $"'{user}' is not a valid user name. Use letters, digits, dots, underscores, and hyphens. Specify a domain as DOMAIN\\user or user@domain";

    /// <inheritdoc cref="FindHostError"/>
    public static IoMessage? FindGroupError(string group) =>
        IsName(group)
            ? null
            : $"'{group}' is not a valid group name. Use letters, digits, dots, underscores, and hyphens. The first character cannot be a hyphen";

    /// <inheritdoc cref="FindHostError"/>
    public static IoMessage? FindMemberError(string member) =>
        IsName(member) || IsBracketedIPv6(member)
            ? null
            : $"'{member}' is not a valid member name. Use letters, digits, dots, underscores, and hyphens. The first character cannot be a hyphen";

    /// <summary>For the path of a test file or a program.</summary>
    /// <inheritdoc cref="FindHostError"/>
    public static IoMessage? FindPathError(string path) =>
        path.StartsWith('-') ? (IoMessage)$"the path '{path}' starts with -, so programs interpret it as an option. Specify it as ./{path}"
        : !SafeText.IsSafe(path) ? (IoMessage)$"the path '{path}' contains a control character"
        : Array.Find(s_templateMarks, mark => path.Contains(mark, StringComparison.Ordinal)) is { } mark
            ? (IoMessage)$"the path '{path}' contains {mark}, which starts an Ansible template"
        : null;

    /// <summary>For a path or a program of a command line, which applies to all hosts.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidPath</c>.</exception>
    public static void CheckPath(string path)
    {
        if (FindPathError(path) is { } error)
            throw IoBenchException.Usage("IoBench.InvalidPath", $"For a fleet, {error}.", path);
    }

    /// <summary>Name as programs expect it: an IPv6 address without its brackets.</summary>
    public static string RemoveBrackets(string host) => IsBracketedIPv6(host) ? host[1..^1] : host;

    private static bool IsName(string name) => name.Length <= MaxName && GetNameRegex().IsMatch(name);

    private static bool IsDnsName(string name) => name.Length <= MaxHostName && GetDnsNameRegex().IsMatch(name);

    private static bool IsBracketedIPv6(string host) => host is ['[', .. var address, ']'] && IsIPv6(address);

    private static bool IsIPv6(string address) =>
        GetIPv6Regex().IsMatch(address) && IPAddress.TryParse(address, out var ip) && ip.AddressFamily == AddressFamily.InterNetworkV6;

    [GeneratedRegex(@"\A[A-Za-z0-9_][A-Za-z0-9._-]*\z")]
    private static partial Regex GetNameRegex();

    // With underscores, which DNS allows in names and many networks use in host names.
    [GeneratedRegex(@"\A[A-Za-z0-9_][A-Za-z0-9_-]{0,62}(?:\.[A-Za-z0-9_][A-Za-z0-9_-]{0,62})*\.?\z")]
    private static partial Regex GetDnsNameRegex();

    [GeneratedRegex(@"\A(?:[A-Za-z0-9_][A-Za-z0-9._-]*\\)?[A-Za-z0-9_][A-Za-z0-9._-]*(?:@[A-Za-z0-9_][A-Za-z0-9._-]*)?\z")]
    private static partial Regex GetUserRegex();

    [GeneratedRegex(@"\A[0-9A-Fa-f:.]+(?:%[A-Za-z0-9._-]+)?\z")]
    private static partial Regex GetIPv6Regex();
}
