using System.Buffers.Binary;

namespace IoBench.Engine.Tests;

/// <summary>The first pages of SQL Server files, as far as their headers are documented. No content comes from a server.</summary>
internal static class SqlServerSampleFiles
{
    private const int PageSize = 8192;

    public static byte[] CreateDataFile()
    {
        var file = new byte[8 * PageSize];
        byte[] types = [15, 11, 8, 9, 0, 0, 16, 17];
        for (var page = 0; page < types.Length; page++)
            WriteHeader(file.AsSpan(page * PageSize), types[page], page, file: 1);
        return file;
    }

    public static byte[] CreateLogFile()
    {
        var file = new byte[8 * PageSize];
        WriteHeader(file, 15, 0, file: 2);
        file[PageSize] = 0xAB;
        return file;
    }

    public static byte[] CreatePage(byte type, int number)
    {
        var page = new byte[PageSize];
        WriteHeader(page, type, number, file: 1);
        return page;
    }

    private static void WriteHeader(Span<byte> page, byte type, int number, ushort file)
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
