using System.Buffers.Binary;

namespace IoBench.Engine.Tests;

/// <summary>The first pages of SQL Server files, as far as their headers are documented. No content comes from a server.</summary>
internal static class SqlServerSamples
{
    private const int Page = 8192;

    public static byte[] DataFile()
    {
        var file = new byte[8 * Page];
        byte[] types = [15, 11, 8, 9, 0, 0, 16, 17];
        for (var page = 0; page < types.Length; page++)
            Header(file.AsSpan(page * Page), types[page], page, file: 1);
        return file;
    }

    public static byte[] LogFile()
    {
        var file = new byte[8 * Page];
        Header(file, 15, 0, file: 2);
        file[Page] = 0xAB;
        return file;
    }

    private static void Header(Span<byte> page, byte type, int number, ushort file)
    {
        page[0] = 1;
        page[1] = type;
        BinaryPrimitives.WriteUInt16LittleEndian(page[22..], 1);
        BinaryPrimitives.WriteUInt16LittleEndian(page[28..], 7000);
        BinaryPrimitives.WriteUInt16LittleEndian(page[30..], 1000);
        BinaryPrimitives.WriteUInt32LittleEndian(page[32..], (uint)number);
        BinaryPrimitives.WriteUInt16LittleEndian(page[36..], file);
    }
}
