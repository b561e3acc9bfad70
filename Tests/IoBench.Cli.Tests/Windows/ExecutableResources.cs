using System.Reflection.PortableExecutable;
using System.Text;

namespace IoBench.Cli.Tests;

/// <summary>Reads the resources of a Windows executable: its version and its manifest.</summary>
internal static class ExecutableResources
{
    public const int VersionType = 16,
        ManifestType = 24;

    private const uint DirectoryFlag = 0x80000000;
    private const int DirectoryHeaderSize = 16,
        EntrySize = 8;

    /// <summary>The first resource of a type in any language; null if there is none.</summary>
    public static byte[]? ReadResource(string program, int type)
    {
        using var file = File.OpenRead(program);
        using var image = new PEReader(file);
        var directory = image.PEHeaders.PEHeader!.ResourceTableDirectory;
        if (directory.Size == 0)
            return null;
        var section = image.GetSectionData(directory.RelativeVirtualAddress).GetContent(0, directory.Size);
        // Three levels: type, name, language.
        if (
            FindEntry(section.AsSpan(), 0, type) is not { } names
            || FindEntry(section.AsSpan(), names, null) is not { } languages
            || FindEntry(section.AsSpan(), languages, null) is not { } data
        )
            return null;
        var (address, size) = (BitConverter.ToInt32(section.AsSpan()[data..]), BitConverter.ToInt32(section.AsSpan()[(data + 4)..]));
        return [.. image.GetSectionData(address).GetContent(0, size)];
    }

    /// <summary>A text of a version resource, such as <c>ProductName</c>; null if the resource does not have that name.</summary>
    public static string? ReadVersionText(byte[] version, string name)
    {
        var key = Encoding.Unicode.GetBytes(name + '\0');
        var at = version.AsSpan().IndexOf(key);
        if (at < 0)
            return null;
        // The value begins at a multiple of 4 and ends with a zero.
        var text = Encoding.Unicode.GetString(version.AsSpan()[((at + key.Length + 3) & ~3)..]);
        return text[..text.IndexOf('\0', StringComparison.Ordinal)];
    }

    // Returns the target of a directory entry. A null id selects the first entry.
    private static int? FindEntry(ReadOnlySpan<byte> section, int directory, int? id)
    {
        var count = BitConverter.ToUInt16(section[(directory + 12)..]) + BitConverter.ToUInt16(section[(directory + 14)..]);
        for (var i = 0; i < count; i++)
        {
            var entry = section[(directory + DirectoryHeaderSize + i * EntrySize)..];
            if (id is null || BitConverter.ToUInt32(entry) == id)
                return (int)(BitConverter.ToUInt32(entry[4..]) & ~DirectoryFlag);
        }
        return null;
    }
}
