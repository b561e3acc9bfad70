using System.Buffers;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace IoBench.Reports.Excel;

/// <summary>
/// Writes the cells of a worksheet one after the other; nothing is kept. Cells are most of a workbook: their bytes are put together here,
/// past the XML writer and without a string per cell. A report is written once per process, most of it before the runtime would optimize these methods
/// of itself: so they say at once that they are worth it.
/// </summary>
/// <param name="stream">The part; the writer of the elements around the cells must have been flushed.</param>
internal sealed class SheetXml(Stream stream)
{
    /// <summary>Namespace of spreadsheets.</summary>
    public const string Main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

    /// <summary>Namespace of relationship ids.</summary>
    public const string Relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

    /// <summary>Height of a row in points that has none of its own.</summary>
    public const double RowHeight = 15;

    private const int BufferSize = 1 << 16;

    /// <summary>Everything of a cell but a text fits in here.</summary>
    private const int CellRoom = 256;

    /// <summary>Longer texts are written past the buffer.</summary>
    private const int LongText = (BufferSize - CellRoom) / 3;

    /// <summary>Whole numbers up to here have the same digits as a double and as a long.</summary>
    private const double LargestWhole = 1e15;

    /// <summary>What needs no escape; <c>_x</c>, with which an escape begins, is looked for apart.</summary>
    private static readonly SearchValues<char> s_plain = SearchValues.Create([
        .. Enumerable.Range(' ', '~' - ' ' + 1).Select(code => (char)code).Except("&<>"),
    ]);
    private static readonly byte[][] s_styles =
    [
        .. Enum.GetValues<CellStyle>().Select(style => Ascii("\" s=\"" + StylesXml.Index(style).ToString(CultureInfo.InvariantCulture))),
    ];

    private readonly byte[] _buffer = new byte[BufferSize];
    private int _used;
    private byte[][] _columns = [];
    private readonly byte[] _row = new byte[12];
    private int _rowLength;

    /// <summary>Begins a row; rows that are skipped stay empty.</summary>
    public void BeginRow(int row, double? height = null)
    {
        Reserve(CellRoom);
        row.TryFormat(_row, out _rowLength, default, CultureInfo.InvariantCulture);
        Append("<row r=\""u8);
        Append(_row.AsSpan(0, _rowLength));
        if (height is { } points)
        {
            Append("\" customHeight=\"1\" ht=\""u8);
            Append(Ascii(points.ToString("0.##", CultureInfo.InvariantCulture)));
        }
        Append("\">"u8);
    }

    public void EndRow()
    {
        Reserve(CellRoom);
        Append("</row>"u8);
    }

    /// <summary>Writes what is left; to be called after the last row.</summary>
    public void Flush()
    {
        stream.Write(_buffer, 0, _used);
        _used = 0;
    }

    /// <summary>Writes a cell; an empty one is left out unless its look is to be kept.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Cell(int column, in CellValue cell, bool keepEmpty = false)
    {
        if (cell.Kind == CellKind.Empty && !keepEmpty)
            return;
        Reserve(CellRoom);
        Append("<c r=\""u8);
        Append(ColumnName(column));
        Append(_row.AsSpan(0, _rowLength));
        Append(s_styles[(int)cell.Style]);
        switch (cell.Kind)
        {
            case CellKind.Number:
                Append("\"><v>"u8);
                AppendNumber(cell.NumberValue);
                Append("</v></c>"u8);
                break;
            case CellKind.Text:
                // Inline text is text whatever it begins with: no cell can become a formula.
                Append("\" t=\"inlineStr\"><is><t"u8);
                AppendText(cell.TextValue!);
                Append("</t></is></c>"u8);
                break;
            default:
                Append("\"/>"u8);
                break;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void AppendNumber(double value)
    {
        int written;
        if (value == Math.Floor(value) && Math.Abs(value) < LargestWhole)
            ((long)value).TryFormat(_buffer.AsSpan(_used), out written, default, CultureInfo.InvariantCulture);
        else
            value.TryFormat(_buffer.AsSpan(_used), out written, "R", CultureInfo.InvariantCulture);
        _used += written;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void AppendText(string text)
    {
        if (text.Length <= LongText && text.AsSpan().IndexOfAnyExcept(s_plain) < 0 && !text.Contains("_x", StringComparison.Ordinal))
        {
            Append(HasOuterBlank(text) ? " xml:space=\"preserve\">"u8 : ">"u8);
            Reserve(text.Length + CellRoom);
            _used += Encoding.ASCII.GetBytes(text, _buffer.AsSpan(_used));
            return;
        }
        var clean = XmlText.Clean(text);
        Append(HasOuterBlank(clean) ? " xml:space=\"preserve\">"u8 : ">"u8);
        var bytes = Encoding.UTF8.GetBytes(
            clean
                .Replace("&", "&amp;", StringComparison.Ordinal)
                .Replace("<", "&lt;", StringComparison.Ordinal)
                .Replace(">", "&gt;", StringComparison.Ordinal)
        );
        Flush();
        stream.Write(bytes);
    }

    private static bool HasOuterBlank(string text) => text.Length > 0 && (char.IsWhiteSpace(text[0]) || char.IsWhiteSpace(text[^1]));

    private void Reserve(int bytes)
    {
        if (_used + bytes > BufferSize)
            Flush();
    }

    private void Append(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_buffer.AsSpan(_used));
        _used += bytes.Length;
    }

    private byte[] ColumnName(int column)
    {
        if (column >= _columns.Length)
            _columns = [.. Enumerable.Range(0, column + 64).Select(index => Ascii(CellReference.Column(index)))];
        return _columns[column];
    }

    private static byte[] Ascii(string text) => Encoding.ASCII.GetBytes(text);
}
