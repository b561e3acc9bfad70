using System.Globalization;
using System.Text;

namespace IoBench.Engine;

/// <summary>Names of unfinished files: <c>.NAME.iobench-RANDOM.tmp</c> during the write, <c>.NAME.iobench-RANDOM-INODE-INODE.tmp</c> during
/// the exchange with the replaced file. The inodes are those of both files, so that no other file is removed as a leftover.</summary>
internal static class TemporaryFileName
{
    /// <summary>In UTF-8. File systems allow 255 bytes; the prefix, random part, and inodes need the rest.</summary>
    private const int MaxNameBytes = 120;
    private const string Marker = ".iobench-",
        Extension = ".tmp";

    public static string CreateName(string path) => $"{GetPrefix(path)}{CreateRandomPart()}{Extension}";

    public static string CreateExchangeName(string path, ulong newInode, ulong oldInode) =>
        string.Create(CultureInfo.InvariantCulture, $"{GetPrefix(path)}{CreateRandomPart()}-{newInode:x}-{oldInode:x}{Extension}");

    public static string GetSearchPattern(string path) => Path.GetFileName(GetPrefix(path)) + "*" + Extension;

    public static bool IsLeftoverOf(string path, string leftover, ulong? inode)
    {
        var start = GetPrefix(path);
        if (!leftover.StartsWith(start, StringComparison.Ordinal) || !leftover.EndsWith(Extension, StringComparison.Ordinal))
            return false;
        var parts = leftover[start.Length..^Extension.Length].Split('-');
        if (parts[0].Length != 16 || !parts[0].All(char.IsAsciiHexDigitLower))
            return false;
        return parts.Length == 1
            || (parts.Length == 3 && inode is { } number && parts[1..].Contains(number.ToString("x", CultureInfo.InvariantCulture)));
    }

    private static string CreateRandomPart() => Convert.ToHexString(CryptoLibrary.GetRandomBytes(8)).ToLowerInvariant();

    private static string GetPrefix(string path)
    {
        var name = Path.GetFileName(path);
        if (Encoding.UTF8.GetByteCount(name) > MaxNameBytes)
            name = Convert.ToHexString(CryptoLibrary.ComputeSha256(Encoding.UTF8.GetBytes(name)).AsSpan(0, 16)).ToLowerInvariant();
        return Path.Combine(Path.GetDirectoryName(path)!, "." + name + Marker);
    }
}
