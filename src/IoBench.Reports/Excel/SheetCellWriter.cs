using System.Buffers;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace IoBench.Reports;

/// <summary>
/// Writes cells as bytes, past the XML writer and without a string per cell, because cells are most of a workbook. A report is written once
/// per process, mostly before the runtime would optimize these methods, so they request optimization.
/// </summary>
/// <param name="stream">The part. The XML writer of the elements around the cells must have been flushed.</param>
internal sealed class SheetCellWriter(Stream stream)
{
    public const string MainNamespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

    public const string RelationshipsNamespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

    /// <summary>Default height in points.</summary>
    public const double RowHeight = 15;

    private const int BufferSize = 1 << 16;

    /// <summary>Maximum bytes of a cell without its text.</summary>
    private const int MaxCellMarkup = 256;

    /// <summary>Longer texts bypass the buffer.</summary>
    private const int MaxBufferedText = (BufferSize - MaxCellMarkup) / 3;

    /// <summary>Up to this value, a whole number has the same digits as double and as long.</summary>
    private const double MaxExactInteger = 1e15;

    /// <summary>Characters that need no escape. The sequence <c>_x</c>, which starts an escape, is checked separately.</summary>
    private static readonly SearchValues<char> s_unescapedCharacters = SearchValues.Create([
        .. Enumerable.Range(' ', '~' - ' ' + 1).Select(code => (char)code).Except("&<>"),
    ]);
    private static readonly byte[][] s_styles =
    [
        .. Enum.GetValues<CellStyle>()
            .Select(style => ToAscii("\" s=\"" + StylesXml.GetFormatIndex(style).ToString(CultureInfo.InvariantCulture))),
    ];

    private readonly byte[] _buffer = new byte[BufferSize];
    private int _used;
    private byte[][] _columns = [];
    private readonly byte[] _row = new byte[12];
    private int _rowLength;

    public void BeginRow(int row, double? height = null)
    {
        EnsureSpace(MaxCellMarkup);
        row.TryFormat(_row, out _rowLength, default, CultureInfo.InvariantCulture);
        Append("<row r=\""u8);
        Append(_row.AsSpan(0, _rowLength));
        if (height is { } points)
        {
            Append("\" customHeight=\"1\" ht=\""u8);
            Append(ToAscii(points.ToString("0.##", CultureInfo.InvariantCulture)));
        }
        Append("\">"u8);
    }

    public void EndRow()
    {
        EnsureSpace(MaxCellMarkup);
        Append("</row>"u8);
    }

    public void Flush()
    {
        stream.Write(_buffer, 0, _used);
        _used = 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void WriteCell(int column, in CellValue cell, bool keepEmpty = false)
    {
        if (cell.IsEmpty && !keepEmpty)
            return;
        EnsureSpace(MaxCellMarkup);
        Append("<c r=\""u8);
        Append(GetColumnName(column));
        Append(_row.AsSpan(0, _rowLength));
        Append(s_styles[(int)cell.Style]);
        if (cell.NumberValue is { } number)
        {
            Append("\"><v>"u8);
            AppendNumber(number);
            Append("</v></c>"u8);
        }
        else if (cell.TextValue is { } text)
        {
            // Inline text is never interpreted, so no cell can become a formula.
            Append("\" t=\"inlineStr\"><is><t"u8);
            AppendText(text);
            Append("</t></is></c>"u8);
        }
        else
            Append("\"/>"u8);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void AppendNumber(double value)
    {
        int written;
        if (value == Math.Floor(value) && Math.Abs(value) < MaxExactInteger)
            ((long)value).TryFormat(_buffer.AsSpan(_used), out written, default, CultureInfo.InvariantCulture);
        else
            value.TryFormat(_buffer.AsSpan(_used), out written, "R", CultureInfo.InvariantCulture);
        _used += written;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void AppendText(string text)
    {
        if (
            text.Length <= MaxBufferedText
            && text.AsSpan().IndexOfAnyExcept(s_unescapedCharacters) < 0
            && !text.Contains("_x", StringComparison.Ordinal)
        )
        {
            Append(HasOuterWhiteSpace(text) ? " xml:space=\"preserve\">"u8 : ">"u8);
            EnsureSpace(text.Length + MaxCellMarkup);
            _used += Encoding.ASCII.GetBytes(text, _buffer.AsSpan(_used));
            return;
        }
        var clean = WorkbookText.EscapeCell(text);
        Append(HasOuterWhiteSpace(clean) ? " xml:space=\"preserve\">"u8 : ">"u8);
        var bytes = Encoding.UTF8.GetBytes(
            clean
                .Replace("&", "&amp;", StringComparison.Ordinal)
                .Replace("<", "&lt;", StringComparison.Ordinal)
                .Replace(">", "&gt;", StringComparison.Ordinal)
        );
        Flush();
        stream.Write(bytes);
    }

    private static bool HasOuterWhiteSpace(string text) => text.Length > 0 && (char.IsWhiteSpace(text[0]) || char.IsWhiteSpace(text[^1]));

    private void EnsureSpace(int bytes)
    {
        if (_used + bytes > BufferSize)
            Flush();
    }

    private void Append(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_buffer.AsSpan(_used));
        _used += bytes.Length;
    }

    private byte[] GetColumnName(int column)
    {
        if (column >= _columns.Length)
            _columns = [.. Enumerable.Range(0, column + 64).Select(index => ToAscii(WorkbookText.GetColumnName(index)))];
        return _columns[column];
    }

    private static byte[] ToAscii(string text) => Encoding.ASCII.GetBytes(text);
}
