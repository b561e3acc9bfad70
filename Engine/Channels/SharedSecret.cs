using System.Text;

namespace IoBench.Engine;

/// <summary>Secret that a replica and its test share. Both sides prove with HMAC-SHA256 that they know it. It is never sent.</summary>
public sealed class SharedSecret
{
    /// <summary>Environment variable with the secret, for both sides.</summary>
    public const string Variable = "IOBENCH_REPLICA_SECRET";

    /// <summary>Shorter secrets could be guessed by a program that recorded a connection.</summary>
    public const int MinLength = 16;

    public const int MaxLength = 1024;

    private const UnixFileMode OthersCanRead = UnixFileMode.GroupRead | UnixFileMode.OtherRead;

    private readonly byte[] _key;

    private SharedSecret(byte[] key) => _key = key;

    /// <summary>Warning that other users can read the secret; null if they cannot, or if IoBench does not know.</summary>
    public IoWarning? Warning { get; private init; }

    /// <summary>Reads the secret from a file or, without a file, from the environment. Spaces and line breaks at its ends do not
    /// count.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoSecret</c>, <c>IoBench.InvalidSecret</c>, or the file cannot be read.</exception>
    public static SharedSecret Read(string? path)
    {
        CryptoLibrary.RequireInstalled();
        if (path is not null)
            return ReadFile(path);
        var text = Environment.GetEnvironmentVariable(Variable);
        if (string.IsNullOrWhiteSpace(text))
            throw IoBenchException.Usage(
                "IoBench.NoSecret",
                "A replica requires a secret that both computers share.",
                advice: $"Save a random string of {MinLength} or more characters in a file, copy the file to both computers, and add {new OptionName("SecretFile")} FILE. Or set the environment variable {Variable} to this string on both computers."
            );
        return Create(text, null);
    }

    /// <exception cref="IoBenchException"><c>IoBench.InvalidSecret</c>.</exception>
    internal static SharedSecret Create(string text, string? path)
    {
        text = text.Trim();
        return text.Length is >= MinLength and <= MaxLength
            ? new SharedSecret(Encoding.UTF8.GetBytes(text))
            : throw IoBenchException.Usage(
                "IoBench.InvalidSecret",
                $"The secret in {path ?? Variable} has {text.Length} characters.",
                path,
                $"Use a random string of {MinLength} to {MaxLength} characters."
            );
    }

    internal byte[] Sign(string purpose, ReadOnlySpan<byte> nonces) =>
        CryptoLibrary.ComputeHmacSha256(_key, [.. Encoding.ASCII.GetBytes(purpose), .. nonces]);

    private static SharedSecret ReadFile(string path)
    {
        using var stream = InputFiles.Open(path);
        // One more than the longest secret with line breaks, so that a large file is not read into memory.
        var bytes = new byte[4 * MaxLength + 16];
        try
        {
            var length = stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
            using var reader = new StreamReader(new MemoryStream(bytes, 0, length));
            var isReadable = !OperatingSystem.IsWindows() && (File.GetUnixFileMode(stream.SafeFileHandle) & OthersCanRead) != 0;
            return new(Create(reader.ReadToEnd(), path)._key)
            {
                Warning = isReadable
                    ? new IoWarning(
                        WarningCodes.SecretReadable,
                        $"Other users of this computer can read {path}, which contains the secret of the replica. Run: chmod 600 {path}"
                    )
                    : null,
            };
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw InputFiles.CreateReadError(path, e);
        }
    }
}
