using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Names of unfinished files: <c>.NAME.iobench-RANDOM.tmp</c> during the write, <c>.NAME.iobench-RANDOM-INODE-INODE.tmp</c> during the
/// exchange with the replaced file. The inodes
/// are those of both files, so that no other file is removed as a leftover.
/// </summary>
internal static class LeftoverName
{
    /// <summary>
    /// UTF-8 bytes of the output's name. File systems allow 255 bytes; the prefix, random part, and inodes need the rest.
    /// </summary>
    private const int LongestName = 120;
    private const string Middle = ".iobench-",
        End = ".tmp";

    public static string Writing(string path) => $"{Start(path)}{Random()}{End}";

    public static string Changing(string path, ulong newInode, ulong oldInode) =>
        string.Create(CultureInfo.InvariantCulture, $"{Start(path)}{Random()}-{newInode:x}-{oldInode:x}{End}");

    public static string Pattern(string path) => Path.GetFileName(Start(path)) + "*" + End;

    public static bool IsOf(string path, string leftover, ulong? inode)
    {
        var start = Start(path);
        if (!leftover.StartsWith(start, StringComparison.Ordinal) || !leftover.EndsWith(End, StringComparison.Ordinal))
            return false;
        var parts = leftover[start.Length..^End.Length].Split('-');
        if (parts[0].Length != 16 || !parts[0].All(char.IsAsciiHexDigitLower))
            return false;
        return parts.Length == 1
            || (parts.Length == 3 && inode is { } number && parts[1..].Contains(number.ToString("x", CultureInfo.InvariantCulture)));
    }

    private static string Random() => Convert.ToHexString(CryptoLibrary.RandomBytes(8)).ToLowerInvariant();

    private static string Start(string path)
    {
        var name = Path.GetFileName(path);
        if (Encoding.UTF8.GetByteCount(name) > LongestName)
            name = Convert.ToHexString(CryptoLibrary.Sha256(Encoding.UTF8.GetBytes(name)).AsSpan(0, 16)).ToLowerInvariant();
        return Path.Combine(Path.GetDirectoryName(path)!, "." + name + Middle);
    }
}
