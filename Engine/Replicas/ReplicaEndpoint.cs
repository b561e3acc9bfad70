using System.Buffers;
using System.Globalization;

namespace IoBench.Engine;

/// <summary>Address of a replica. As text: <c>HOST:PORT</c>, and <c>[2001:db8::7]:8434</c> for IPv6.</summary>
public sealed record ReplicaEndpoint(string Host, int Port)
{
    public const int DefaultPort = 8434;

    private static readonly SearchValues<char> s_invalid = SearchValues.Create(" /\\#@[]");

    /// <summary>Address on which a replica listens by default: only this computer can reach it.</summary>
    public static ReplicaEndpoint Loopback { get; } = new("127.0.0.1", DefaultPort);

    /// <exception cref="IoBenchException"><c>IoBench.InvalidReplica</c>.</exception>
    public static ReplicaEndpoint Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var colon = text.LastIndexOf(':');
        var host = colon > 0 ? text[..colon] : "";
        var isBracketed = host.StartsWith('[') && host.EndsWith(']');
        if (isBracketed)
            host = host[1..^1];
        if (
            host.Length == 0
            || host.AsSpan().IndexOfAny(s_invalid) >= 0
            || host.Contains(':', StringComparison.Ordinal) != isBracketed
            || !int.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var port)
            || port is < 1 or > 65535
        )
            throw IoBenchException.Usage(
                "IoBench.InvalidReplica",
                $"{text} is not the address of a replica.",
                advice: $"Specify HOST:PORT, such as 192.0.2.7:{DefaultPort} or [2001:db8::7]:{DefaultPort}."
            );
        return new ReplicaEndpoint(host, port);
    }

    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{(Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]" : Host)}:{Port}");
}
