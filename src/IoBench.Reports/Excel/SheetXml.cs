using System.Globalization;
using System.Text;
using System.Xml;
using IoBench.Reports.Model;

namespace IoBench.Reports.Excel;

/// <summary>
/// Writes the cells of a worksheet one after the other; nothing is kept. Cells are most of a workbook: their text is put together here
/// and given to the writer in large pieces, which takes half the time of an element at a time.
/// </summary>
internal sealed class SheetXml(XmlWriter xml)
{
    /// <summary>Namespace of spreadsheets.</summary>
    public const string Main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    /// <summary>Namespace of relationship ids.</summary>
    public const string Relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    /// <summary>Height of a row in points that has none of its own.</summary>
    public const double RowHeight = 15;

    private const int Piece = 1 << 15;
    private static readonly string[] s_styles = [.. Enum.GetValues<CellStyle>().Select(style => StylesXml.Index(style).ToString(CultureInfo.InvariantCulture))];
    private readonly StringBuilder _text = new(Piece + (Piece >> 2));
    private readonly char[] _piece = new char[Piece];
    private string[] _columns = [];
    private string _row = "";

    /// <summary>Begins a row; rows that are skipped stay empty.</summary>
    public void BeginRow(int row, double? height = null)
    {
        _row = row.ToString(CultureInfo.InvariantCulture);
        _text.Append("<row r=\"").Append(_row);
        if (height is { } points)
            _text.Append("\" customHeight=\"1\" ht=\"").Append(points.ToString("0.##", CultureInfo.InvariantCulture));
        _text.Append("\">");
    }

    /// <summary>Ends the row.</summary>
    public void EndRow()
    {
        _text.Append("</row>");
        if (_text.Length >= Piece)
            Flush();
    }

    /// <summary>Gives the writer what is left; to be called after the last row.</summary>
    public void Flush()
    {
        var from = 0;
        while (from < _text.Length)
        {
            var length = Math.Min(Piece, _text.Length - from);
            // A pair of surrogates must not be split between two pieces.
            if (from + length < _text.Length && char.IsHighSurrogate(_text[from + length - 1]))
                length--;
            _text.CopyTo(from, _piece, 0, length);
            xml.WriteRaw(_piece, 0, length);
            from += length;
        }
        _text.Clear();
    }

    /// <summary>Writes a cell; an empty one is left out unless its look is to be kept.</summary>
    public void Cell(int column, CellValue cell, bool keepEmpty = false)
    {
        if (cell.Kind == CellKind.Empty && !keepEmpty)
            return;
        _text.Append("<c r=\"").Append(ColumnName(column)).Append(_row).Append("\" s=\"").Append(s_styles[(int)cell.Style]);
        switch (cell.Kind)
        {
            case CellKind.Number:
                _text.Append("\"><v>").Append(CultureInfo.InvariantCulture, $"{cell.NumberValue:R}").Append("</v></c>");
                break;
            case CellKind.Text:
                // Inline text is text whatever it begins with: no cell can become a formula.
                _text.Append("\" t=\"inlineStr\"><is><t");
                AppendText(cell.TextValue!);
                _text.Append("</t></is></c>");
                break;
            default:
                _text.Append("\"/>");
                break;
        }
    }

    private void AppendText(string text)
    {
        var clean = XmlText.Clean(text);
        _text.Append(clean.Length > 0 && (char.IsWhiteSpace(clean[0]) || char.IsWhiteSpace(clean[^1])) ? " xml:space=\"preserve\">" : ">");
        if (clean.AsSpan().IndexOfAny('&', '<', '>') < 0)
        {
            _text.Append(clean);
            return;
        }
        foreach (var character in clean)
        {
            _ = character switch { '&' => _text.Append("&amp;"), '<' => _text.Append("&lt;"), '>' => _text.Append("&gt;"), _ => _text.Append(character) };
        }
    }

    private string ColumnName(int column)
    {
        if (column >= _columns.Length)
            _columns = [.. Enumerable.Range(0, column + 64).Select(CellReference.Column)];
        return _columns[column];
    }
}
