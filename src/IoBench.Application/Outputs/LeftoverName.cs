using System.Globalization;
using System.Text;

namespace IoBench.Application.Outputs;

/// <summary>
/// Names of files that are not finished: <c>.NAME.iobench-RANDOM.tmp</c> while one is written, <c>.NAME.iobench-RANDOM-INODE-INODE.tmp</c> while it changes
/// places with the file it replaces. The inodes are those of the two: under a second name no other file is ever taken for a leftover.
/// </summary>
internal static class LeftoverName
{
    /// <summary>Bytes of a name that are kept; what a file system takes is 255, and half of that is left to the rest.</summary>
    private const int LongestName = 120;
    private const string Middle = ".iobench-",
        End = ".tmp";

    /// <summary>A fresh name for what is being written.</summary>
    public static string Writing(string path) => $"{Start(path)}{Random()}{End}";

    /// <summary>A fresh name for what changes places.</summary>
    public static string Changing(string path, ulong newInode, ulong oldInode) =>
        string.Create(CultureInfo.InvariantCulture, $"{Start(path)}{Random()}-{newInode:x}-{oldInode:x}{End}");

    /// <summary>A pattern for all of an output's.</summary>
    public static string Pattern(string path) => Path.GetFileName(Start(path)) + "*" + End;

    /// <summary>Whether a file of that name and inode was left by a run for this output.</summary>
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
