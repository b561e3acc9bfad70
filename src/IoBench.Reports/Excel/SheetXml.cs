using System.Globalization;
using System.Xml;
using IoBench.Reports.Model;

namespace IoBench.Reports.Excel;

/// <summary>Writes the cells of a worksheet one after the other; nothing is kept.</summary>
internal sealed class SheetXml(XmlWriter xml)
{
    /// <summary>Namespace of spreadsheets.</summary>
    public const string Main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    /// <summary>Namespace of relationship ids.</summary>
    public const string Relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    /// <summary>Height of a row in points that has none of its own.</summary>
    public const double RowHeight = 15;

    private static readonly string[] s_styles = [.. Enum.GetValues<CellStyle>().Select(style => StylesXml.Index(style).ToString(CultureInfo.InvariantCulture))];
    private readonly char[] _number = new char[32];
    private string[] _columns = [];
    private string _row = "";

    /// <summary>Number of the row being written, from 1.</summary>
    public int Row { get; private set; }

    /// <summary>Begins a row; rows that are skipped stay empty.</summary>
    public void BeginRow(int row, double? height = null)
    {
        Row = row;
        _row = row.ToString(CultureInfo.InvariantCulture);
        xml.WriteStartElement("row", Main);
        xml.WriteAttributeString("r", _row);
        if (height is { } points)
        {
            xml.WriteAttributeString("ht", points.ToString("0.##", CultureInfo.InvariantCulture));
            xml.WriteAttributeString("customHeight", "1");
        }
    }

    /// <summary>Ends the row.</summary>
    public void EndRow() => xml.WriteEndElement();

    /// <summary>Writes a cell; an empty one is left out, its style with it.</summary>
    public void Cell(int column, CellValue cell, bool keepEmpty = false)
    {
        if (cell.Kind == CellKind.Empty && !keepEmpty)
            return;
        xml.WriteStartElement("c", Main);
        xml.WriteStartAttribute("r");
        xml.WriteString(ColumnName(column));
        xml.WriteString(_row);
        xml.WriteEndAttribute();
        xml.WriteAttributeString("s", s_styles[(int)cell.Style]);
        if (cell.Kind == CellKind.Number)
        {
            xml.WriteStartElement("v", Main);
            cell.NumberValue.TryFormat(_number, out var length, "R", CultureInfo.InvariantCulture);
            xml.WriteChars(_number, 0, length);
            xml.WriteEndElement();
        }
        else if (cell.Kind == CellKind.Text)
        {
            // Inline text is text whatever it begins with: no cell can become a formula.
            xml.WriteAttributeString("t", "inlineStr");
            xml.WriteStartElement("is", Main);
            Text("t", cell.TextValue!);
            xml.WriteEndElement();
        }
        xml.WriteEndElement();
    }

    private void Text(string element, string text)
    {
        xml.WriteStartElement(element, Main);
        var clean = XmlText.Clean(text);
        if (clean.Length > 0 && (char.IsWhiteSpace(clean[0]) || char.IsWhiteSpace(clean[^1])))
            xml.WriteAttributeString("xml", "space", null, "preserve");
        xml.WriteString(clean);
        xml.WriteEndElement();
    }

    private string ColumnName(int column)
    {
        if (column >= _columns.Length)
            _columns = [.. Enumerable.Range(0, column + 64).Select(CellReference.Column)];
        return _columns[column];
    }
}
