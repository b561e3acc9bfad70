using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace IoBench.Engine;

/// <summary>
/// OpenSSL, which .NET uses on Linux. If it is not installed, .NET aborts the process at the first use, and no code can catch that.
/// Therefore, every caller checks first.
/// </summary>
public static class CryptoLibrary
{
    private const string VersionVariable = "CLR_OPENSSL_VERSION_OVERRIDE";

    private static readonly string[] s_names =
    [
        "libssl.so.3",
        "libssl.so.1.1",
        "libssl.so.1.0.2",
        "libssl.so.1.0.0",
        "libssl.so.10",
        "libssl.so.4",
    ];

    private static readonly Lazy<bool> s_isThere = new(() =>
        CanLoad(Environment.GetEnvironmentVariable(VersionVariable), name => NativeLibrary.TryLoad(name, out _))
    );

    /// <exception cref="IoBenchException"><c>IoBench.LibraryMissing</c>.</exception>
    public static void RequireInstalled()
    {
        if (OperatingSystem.IsLinux() && !s_isThere.Value)
            throw CreateMissingError();
    }

    public static byte[] GetRandomBytes(int count)
    {
        RequireInstalled();
        return RandomNumberGenerator.GetBytes(count);
    }

    public static byte[] ComputeSha256(ReadOnlySpan<byte> bytes)
    {
        RequireInstalled();
        return SHA256.HashData(bytes);
    }

    internal static byte[] ComputeHmacSha256(ReadOnlySpan<byte> key, ReadOnlySpan<byte> bytes)
    {
        RequireInstalled();
        return HMACSHA256.HashData(key, bytes);
    }

    internal static bool CanLoad(string? version, Func<string, bool> load) =>
        (!string.IsNullOrEmpty(version) && load("libssl.so." + version)) || Array.Exists(s_names, name => load(name));

    internal static IoBenchException CreateMissingError() =>
        IoBenchException.NotFound(
            "IoBench.LibraryMissing",
            "IoBench requires libssl, which is not installed. Install it with the package manager (Debian and Ubuntu: libssl3; Red Hat: openssl-libs; SUSE: libopenssl3; Alpine: libssl3).",
            "libssl"
        );
}
