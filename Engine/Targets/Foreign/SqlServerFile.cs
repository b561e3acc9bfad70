using System.Buffers.Binary;

namespace IoBench.Engine;

/// <summary>Recognizes SQL Server files by name and by content.</summary>
/// <remarks>Page 0 of data and log files is the file header, type 15 (P. Randal, "Anatomy of a page", sqlskills.com; DBCC PAGE).
/// Backups are Microsoft Tape Format ("TAPE") or, if compressed, begin with "MSSQLBAK".</remarks>
internal static class SqlServerFile
{
    public const int HeadBytes = 3 * PageSize;

    private const int PageSize = 8192;

    private static readonly string[] s_extensions = [".mdf", ".ndf", ".ldf", ".bak", ".trn"];

    public static bool HasSqlServerExtension(string path) =>
        s_extensions.Contains(Path.GetExtension(path.TrimEnd('.', ' ')), StringComparer.OrdinalIgnoreCase);

    /// <param name="head">The first <see cref="HeadBytes"/> bytes, or all bytes of a shorter file.</param>
    public static bool IsSqlServerContent(ReadOnlySpan<byte> head) => IsBackup(head) || IsDatabaseOrLog(head);

    private static bool IsBackup(ReadOnlySpan<byte> head) => head.StartsWith("MSSQLBAK"u8) || head.StartsWith("TAPE"u8);

    private static bool IsDatabaseOrLog(ReadOnlySpan<byte> head)
    {
        const byte fileHeaderPage = 15;
        if (head.Length < PageSize || !IsPage(head, fileHeaderPage, pageNumber: 0))
            return false;
        // With five fields of page 0, the probability of a false match is already 2^-50; a second page confirms the match if there is one.
        const byte freeSpacePage = 11,
            allocationPage = 8;
        var isData = head.Length >= 2 * PageSize && IsPage(head[PageSize..], freeSpacePage, pageNumber: 1);
        var isAllocated = head.Length >= 3 * PageSize && IsPage(head[(2 * PageSize)..], allocationPage, pageNumber: 2);
        const byte virtualLogFile = 0xAB;
        var isLog = head.Length > PageSize && head[PageSize] == virtualLogFile;
        return isData || isAllocated || isLog || head.Length == PageSize || HasFullHeader(head);
    }

    private static bool IsPage(ReadOnlySpan<byte> page, byte type, uint pageNumber) =>
        page[0] == 1 // m_headerVersion
        && page[1] == type // m_type
        && BinaryPrimitives.ReadUInt32LittleEndian(page[32..]) == pageNumber // m_pageId
        && BinaryPrimitives.ReadUInt16LittleEndian(page[36..]) != 0; // its file, from 1

    // m_freeCnt and m_freeData cannot exceed the page size together, and page 0 has one slot.
    private static bool HasFullHeader(ReadOnlySpan<byte> page) =>
        BinaryPrimitives.ReadUInt16LittleEndian(page[28..]) + BinaryPrimitives.ReadUInt16LittleEndian(page[30..]) <= PageSize
        && BinaryPrimitives.ReadUInt16LittleEndian(page[22..]) is >= 1 and <= 2;
}
