using System.Globalization;

namespace IoBench.Engine;

/// <param name="Path">Path of the file; null for a host.</param>
public sealed record WitnessAddress(string? Path, string? Host, int Port)
{
    /// <summary>Characters of a secret, with 5 random bits each.</summary>
    private const int SecretLength = 26;

    // Base32 of RFC 4648.
    private const string Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    /// <summary>Environment variable with the secret of the listener, so that the secret is not in a command line.</summary>
    public const string SecretVariable = "IOBENCH_WITNESS_SECRET";

    /// <summary>Secret that the listener printed; null if the text has none. Not a part of <see cref="ToString"/>.</summary>
    public string? Secret { get; init; }

    /// <exception cref="IoBenchException"><c>IoBench.InvalidWitness</c>: the port is out of range, or the text after # is not a
    /// secret.</exception>
    public static WitnessAddress Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (!IsEndpoint(text, out var host, out var port, out var secret))
            return new WitnessAddress(System.IO.Path.GetFullPath(text), null, 0);
        if (port is < 1 or > 65535)
            throw IoBenchException.Usage(
                "IoBench.InvalidWitness",
                $"{host}:{port}: the port is out of range. Use a number from 1 to 65535.",
                advice: "Specify HOST:PORT or a file."
            );
        if (secret is not null && !IsValidSecret(secret))
            throw CreateSecretError(host, port, "the secret of the witness is incomplete");
        return new WitnessAddress(null, host, port) { Secret = secret };
    }

    public static bool IsEndpoint(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return IsEndpoint(text, out _, out _, out _);
    }

    /// <summary>Returns the address with the secret of the text or, if the text has none, of the environment.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidWitness</c>: neither has the secret of the listener.</exception>
    internal static WitnessAddress ParseWithSecret(string text)
    {
        var address = Parse(text);
        if (address.Path is not null || address.Secret is not null)
            return address;
        var secret = Environment.GetEnvironmentVariable(SecretVariable)?.Trim();
        return secret is not null && IsValidSecret(secret)
            ? address with
            {
                Secret = secret,
            }
            : throw CreateSecretError(address.Host!, address.Port, "the witness requires the secret that it printed when it started");
    }

    private static bool IsEndpoint(string text, out string host, out int port, out string? secret)
    {
        var hash = text.IndexOf('#', StringComparison.Ordinal);
        secret = hash < 0 ? null : text[(hash + 1)..];
        var address = hash < 0 ? text : text[..hash];
        var colon = address.LastIndexOf(':');
        host = colon > 0 ? address[..colon].Trim('[', ']') : "";
        port = 0;
        return colon > 0
            && address.AsSpan().IndexOfAny('/', '\\') < 0
            && int.TryParse(address.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port);
    }

    private static IoBenchException CreateSecretError(string host, int port, string what) =>
        IoBenchException.Usage(
            "IoBench.InvalidWitness",
            $"{host}:{port}: {what}.",
            advice: $"Use {OptionNames.Witness} {host}:{port}#SECRET with all {SecretLength} characters of the secret, or set {SecretVariable} to the secret."
        );

    internal static string CreateSecret() =>
        string.Concat(CryptoLibrary.GetRandomBytes(SecretLength).Select(b => Alphabet[b % Alphabet.Length]));

    private static bool IsValidSecret(string text) =>
        text.Length == SecretLength && text.All(c => Alphabet.Contains(char.ToUpperInvariant(c)));

    /// <summary>Connects to the witness on another host.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.WitnessUnreachable</c>, <c>IoBench.WitnessRefused</c>.</exception>
    internal SecretChannel Connect()
    {
        try
        {
            var secret = SharedSecret.Create(Secret!.ToUpperInvariant(), null);
            if (
                SecretChannel.Open(Host!, Port, WitnessServer.Service, secret, new ChannelSettings(), CancellationToken.None, out _) is
                { } channel
            )
                return channel;
        }
        catch (IOException e)
        {
            throw IoBenchException.Failure(
                "IoBench.WitnessUnreachable",
                $"IoBench cannot reach the write witness {this}: {e.Message}.",
                null,
                e,
                "Start iobench witness on that host, and check that the port is open."
            );
        }
        throw IoBenchException.Failure(
            "IoBench.WitnessRefused",
            $"The witness {this} refused the connection, because the secret is wrong.",
            advice: "Use the secret that iobench witness printed at its last start."
        );
    }

    /// <exception cref="IoBenchException"><c>IoBench.FileExists</c>, <c>IoBench.WitnessUnreachable</c>.</exception>
    internal FileStream CreateFile()
    {
        try
        {
            return new FileStream(Path!, FileMode.CreateNew, FileAccess.Write, FileShare.Read, 1);
        }
        catch (IOException e) when (File.Exists(Path))
        {
            throw IoBenchException.Refused(
                ErrorIds.FileExists,
                $"{Path} already exists, and IoBench never overwrites a write witness.",
                Path,
                advice: $"Specify a new file. {e.Message}"
            );
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.Failure(
                "IoBench.WitnessUnreachable",
                $"IoBench cannot create the write witness {Path}: {FileErrors.GetMessage(e)}.",
                Path,
                e,
                "Specify a file in a folder that you can write to."
            );
        }
    }

    public override string ToString() => Path ?? new ReplicaEndpoint(Host!, Port).ToString();
}
