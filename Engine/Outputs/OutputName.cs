using System.Globalization;
using System.Text;

namespace IoBench.Engine;

/// <summary>Name of a file in a folder that is held open.</summary>
/// <remarks>Unfinished files are <c>.NAME.iobench-RANDOM.tmp</c> during the write, and <c>.NAME.iobench-RANDOM-INODE-INODE.tmp</c> during
/// the exchange with the replaced file. The inodes are those of both files, so that no other file is removed as a leftover.</remarks>
public readonly record struct OutputName(OutputFolder Folder, string Name)
{
    /// <summary>In UTF-8. File systems allow 255 bytes; the prefix, random part, and inodes need the rest.</summary>
    private const int MaxNameBytes = 120;
    private const string TemporaryExtension = ".tmp";

    public string Path => System.IO.Path.Combine(Folder.Path, Name);

    public OutputName WithName(string name) => new(Folder, name);

    internal OutputName CreateTemporary() => WithName($"{TemporaryPrefix}{CreateRandomPart()}{TemporaryExtension}");

    internal OutputName CreateExchange(ulong newInode, ulong oldInode) =>
        WithName(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{TemporaryPrefix}{CreateRandomPart()}-{newInode:x}-{oldInode:x}{TemporaryExtension}"
            )
        );

    /// <summary>Enumerates the files that can be leftovers of unfinished files.</summary>
    internal IEnumerable<OutputName> EnumerateTemporary()
    {
        var name = this;
        return Directory
            .EnumerateFiles(Folder.Path, TemporaryPrefix + "*" + TemporaryExtension)
            .Select(path => name.WithName(System.IO.Path.GetFileName(path)));
    }

    /// <param name="inode">Inode of the leftover; null if it does not matter.</param>
    internal bool HasLeftover(OutputName leftover, ulong? inode)
    {
        var start = TemporaryPrefix;
        var name = leftover.Name;
        if (!name.StartsWith(start, StringComparison.Ordinal) || !name.EndsWith(TemporaryExtension, StringComparison.Ordinal))
            return false;
        var parts = name[start.Length..^TemporaryExtension.Length].Split('-');
        if (parts[0].Length != 16 || !parts[0].All(char.IsAsciiHexDigitLower))
            return false;
        return parts.Length == 1
            || (parts.Length == 3 && inode is { } number && parts[1..].Contains(number.ToString("x", CultureInfo.InvariantCulture)));
    }

    private string TemporaryPrefix
    {
        get
        {
            var name =
                Encoding.UTF8.GetByteCount(Name) > MaxNameBytes
                    ? Convert.ToHexString(CryptoLibrary.ComputeSha256(Encoding.UTF8.GetBytes(Name)).AsSpan(0, 16)).ToLowerInvariant()
                    : Name;
            return $".{name}.iobench-";
        }
    }

    private static string CreateRandomPart() => Convert.ToHexString(CryptoLibrary.GetRandomBytes(8)).ToLowerInvariant();
}
