using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace IoBench.Engine.Host;

/// <summary>
/// OpenSSL, by which .NET makes hashes and random numbers on Linux. Where it is not installed, .NET ends the process by a signal when it is first used, which nothing
/// can catch: so whoever uses it asks for it before.
/// </summary>
public static class CryptoLibrary
{
    /// <summary>A version that .NET shall use, as it reads it itself.</summary>
    private const string VersionVariable = "CLR_OPENSSL_VERSION_OVERRIDE";

    /// <summary>In the order in which .NET tries them.</summary>
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
        IsThere(Environment.GetEnvironmentVariable(VersionVariable), name => NativeLibrary.TryLoad(name, out _))
    );

    /// <summary>Says so where it is missing.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.LibraryMissing</c>.</exception>
    public static void Require()
    {
        if (OperatingSystem.IsLinux() && !s_isThere.Value)
            throw Missing();
    }

    /// <summary>Random bytes that nobody can foresee.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.LibraryMissing</c>.</exception>
    public static byte[] RandomBytes(int count)
    {
        Require();
        return RandomNumberGenerator.GetBytes(count);
    }

    /// <summary>SHA-256 of bytes.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.LibraryMissing</c>.</exception>
    public static byte[] Sha256(ReadOnlySpan<byte> bytes)
    {
        Require();
        return SHA256.HashData(bytes);
    }

    /// <summary>Whether one of the names can be loaded.</summary>
    /// <param name="version">The version that .NET shall use; null = any.</param>
    /// <param name="load">Loads a library.</param>
    internal static bool IsThere(string? version, Func<string, bool> load) =>
        (!string.IsNullOrEmpty(version) && load("libssl.so." + version)) || Array.Exists(s_names, name => load(name));

    /// <summary>The error.</summary>
    internal static IoBenchException Missing() =>
        IoBenchException.NotFound(
            "IoBench.LibraryMissing",
            "libssl is not installed, and IoBench needs it: install OpenSSL's library by the system's package manager (Debian and Ubuntu: libssl3; Red Hat, SUSE and Alpine: openssl-libs, libopenssl3, libssl3).",
            "libssl"
        );
}
