using System.Buffers.Binary;
using System.Text;

namespace IoBench.Engine;

/// <summary>Recognizes SQL Server files by name and by content.</summary>
/// <remarks>Page header: P. Randal, "Anatomy of a page" (sqlskills.com), and DBCC PAGE. Transparent encryption leaves it readable.
/// Backups are Microsoft Tape Format ("TAPE") or, if compressed, begin with "MSSQLBAK".</remarks>
public static partial class SqlServerFile
{
    /// <summary>The first MB, and the header of the page after it.</summary>
    public const int HeadBytes = (1 << 20) + 3 * 4096;

    private const int PageSize = 8192;
    private const int HeaderSize = 96;
    private const int Sector = 512;

    /// <summary>Also of formats that have no documented signature: Extended Events, traces, checkpoint files, Red Gate backups.</summary>
    private static readonly string[] s_extensions = [".mdf", ".ndf", ".ldf", ".bak", ".trn", ".xel", ".xem", ".trc", ".hkckp", ".sqb"];

    private static readonly byte[] s_product = Encoding.Unicode.GetBytes("Microsoft SQL Server");

    public static bool HasSqlServerExtension(string path)
    {
        var name = Path.GetFileName(path.TrimEnd('.', ' '));
        return s_extensions.Contains(Path.GetExtension(name), StringComparer.OrdinalIgnoreCase)
            || name.Equals("filestream.hdr", StringComparison.OrdinalIgnoreCase);
    }

    /// <param name="head">The first <see cref="HeadBytes"/> bytes, or all bytes of a shorter file.</param>
    public static bool IsSqlServerContent(ReadOnlySpan<byte> head) => FindContent(head) is not null;

    /// <param name="head">The first <see cref="HeadBytes"/> bytes, or all bytes of a shorter file.</param>
    internal static FoundContent? FindContent(ReadOnlySpan<byte> head)
    {
        if (head.StartsWith("MSSQLBAK"u8) || head.StartsWith("TAPE"u8))
            return CreateFound("backup", 0);
        if (head.StartsWith("$FSHDR"u8))
            return CreateFound("FILESTREAM or checkpoint file", 0);
        if (IsTraceOrErrorLog(head))
            return CreateFound("trace or error log", 0);
        return IsLogFile(head) ? CreateFound("log file", 0) : FindPage(head, 0);
    }

    /// <summary>Searches a part of a file for a page: with its own number, or followed by the next one (in a container).</summary>
    /// <param name="offset">Offset of the part in the file.</param>
    internal static FoundContent? FindPage(ReadOnlySpan<byte> part, long offset)
    {
        for (var at = 0; at + HeaderSize <= part.Length; at += Sector)
        {
            var page = part[at..];
            if (!IsPage(page))
                continue;
            var number = ReadPageNumber(page);
            var isInPlace = (offset + at) % PageSize == 0 && (offset + at) / PageSize == number;
            if (isInPlace || IsFollowedByPage(page, number + 1))
                return CreateFound("database", offset + at);
        }
        return null;
    }

    private static FoundContent CreateFound(string kind, long offset) => new("a SQL Server " + kind, offset) { IsSqlServer = true };

    private static bool IsFollowedByPage(ReadOnlySpan<byte> page, uint number)
    {
        if (page.Length < PageSize + HeaderSize)
            return false;
        var next = page[PageSize..];
        return IsPage(next) && ReadPageNumber(next) == number && ReadFileNumber(next) == ReadFileNumber(page);
    }

    // The fields alone match by chance with a probability of about 2^-23; the number of the page makes it 2^-55.
    private static bool IsPage(ReadOnlySpan<byte> page)
    {
        const int lastType = 20,
            mostSlots = (PageSize - HeaderSize) / 2,
            mostFileNumber = 32767;
        return page[0] == 1 // m_headerVersion
            && page[1] is >= 1 and <= lastType // m_type
            && BinaryPrimitives.ReadUInt16LittleEndian(page[22..]) <= mostSlots // m_slotCnt
            && BinaryPrimitives.ReadUInt16LittleEndian(page[28..]) <= PageSize - HeaderSize // m_freeCnt
            && BinaryPrimitives.ReadUInt16LittleEndian(page[30..]) is >= HeaderSize and <= PageSize // m_freeData
            && ReadFileNumber(page) is >= 1 and <= mostFileNumber;
    }

    private static uint ReadPageNumber(ReadOnlySpan<byte> page) => BinaryPrimitives.ReadUInt32LittleEndian(page[32..]);

    private static ushort ReadFileNumber(ReadOnlySpan<byte> page) => BinaryPrimitives.ReadUInt16LittleEndian(page[36..]);

    // Page 0 is the file header; the first virtual log file begins behind it.
    private static bool IsLogFile(ReadOnlySpan<byte> head)
    {
        const byte fileHeaderPage = 15,
            virtualLogFile = 0xAB;
        return head.Length > PageSize
            && head[0] == 1
            && head[1] == fileHeaderPage
            && ReadPageNumber(head) == 0
            && ReadFileNumber(head) != 0
            && head[PageSize] == virtualLogFile;
    }

    // Both begin as UTF-16 with the mark FF FE; the product's name follows within the first fields or the first line.
    private static bool IsTraceOrErrorLog(ReadOnlySpan<byte> head)
    {
        const int searchedBytes = 512;
        return head.Length > 2
            && head[0] == 0xFF
            && head[1] == 0xFE
            && head[..Math.Min(head.Length, searchedBytes)].IndexOf(s_product) >= 0;
    }
}
