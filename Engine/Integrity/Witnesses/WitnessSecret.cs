using System.Security.Cryptography;
using System.Text;

namespace IoBench.Engine;

/// <summary>
/// Secret that a listener and its run share. Both sides prove with HMAC-SHA256 that they know the secret; the secret itself is not sent.
/// </summary>
internal static class WitnessSecret
{
    /// <summary>Characters of a secret, with 5 random bits each.</summary>
    public const int Length = 26;

    // Base32 of RFC 4648.
    private const string Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    public static string Create() => string.Concat(CryptoLibrary.GetRandomBytes(Length).Select(b => Alphabet[b % Alphabet.Length]));

    public static bool IsValid(string text) => text.Length == Length && text.All(c => Alphabet.Contains(char.ToUpperInvariant(c)));

    /// <summary>Returns a random number that is used once, as 32 hexadecimal digits.</summary>
    public static string CreateNonce() => Convert.ToHexString(CryptoLibrary.GetRandomBytes(16));

    /// <summary>Returns 64 hexadecimal digits that only a side with the secret can compute.</summary>
    public static string Sign(string secret, string text) =>
        Convert.ToHexString(
            CryptoLibrary.ComputeHmacSha256(Encoding.ASCII.GetBytes(secret.ToUpperInvariant()), Encoding.UTF8.GetBytes(text))
        );

    public static bool IsSigned(string secret, string text, string signature) =>
        CryptographicOperations.FixedTimeEquals(Encoding.ASCII.GetBytes(Sign(secret, text)), Encoding.UTF8.GetBytes(signature));
}
