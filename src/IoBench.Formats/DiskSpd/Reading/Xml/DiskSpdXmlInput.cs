using System.Xml;

namespace IoBench.Formats;

/// <summary>Reads XML that can have several documents, other text around them, and no end. Malformed XML ends its document.</summary>
internal sealed class DiskSpdXmlInput(DiskSpdXmlText text, string? sourceFile)
{
    private const int MaxDepth = 64;
    private const int MaxElements = 200_000;

    private XmlReader _xml = XmlReader.Create(TextReader.Null);
    private int _firstLine = 1;
    private int _elementCount;
    private int _intervalCount;

    internal int Line { get; private set; } = 1;

    internal bool HasText => text.HasText;

    /// <summary>Whether the current document has ended: after its end tag, or too early (<see cref="DescribeEnd"/>).</summary>
    internal bool HasEnded { get; private set; } = true;

    /// <summary>Name of the current start tag.</summary>
    internal string Name => _xml.Name;

    /// <summary>Moves to the next start tag, at any depth.</summary>
    internal bool MoveToElement()
    {
        do
        {
            while (!HasEnded && TryRead())
            {
                if (_xml.NodeType == XmlNodeType.Element)
                    return true;
            }
        } while (MoveToDocument());
        return false;
    }

    private bool MoveToDocument()
    {
        HasEnded = !text.MoveToDocument();
        _firstLine = text.Line;
        _xml.Dispose();
        _xml = XmlReader.Create(text, new XmlReaderSettings { ConformanceLevel = ConformanceLevel.Fragment, IgnoreComments = true });
        return !HasEnded;
    }

    /// <summary>Describes why a document ended within an element.</summary>
    internal string DescribeEnd(string element) =>
        text.IsClosed || Line < text.Line
            ? $"The XML is malformed at line {Line} within <{element}>. IoBench ignores the rest of this document."
            : $"The XML is incomplete. It ends at line {Line} within <{element}>.";

    /// <summary>Moves to each child of the current element. The caller must read each of them with this method or with
    /// <see cref="ReadElement(int)"/>.</summary>
    internal IEnumerable<string> ReadChildren()
    {
        var depth = _xml.Depth;
        if (_xml.IsEmptyElement)
            yield break;
        while (TryRead() && (_xml.NodeType != XmlNodeType.EndElement || _xml.Depth > depth))
        {
            if (_xml.NodeType == XmlNodeType.Element)
                yield return _xml.Name;
        }
    }

    /// <summary>Reads the current element with its descendants.</summary>
    /// <param name="maxIntervals">Maximum number of intervals in all descendants.</param>
    internal DiskSpdXmlElement ReadElement(int maxIntervals = 0)
    {
        _elementCount = 0;
        _intervalCount = maxIntervals;
        return ReadElement();
    }

    private DiskSpdXmlElement ReadElement()
    {
        var element = new DiskSpdXmlElement { Name = _xml.Name, Line = Line };
        var depth = _xml.Depth;
        var isEmpty = _xml.IsEmptyElement;
        while (_xml.MoveToNextAttribute())
            element.Attributes[_xml.Name] = _xml.Value;
        var content = "";
        while (!isEmpty && TryRead() && (_xml.NodeType != XmlNodeType.EndElement || _xml.Depth > depth))
        {
            if (_xml is { NodeType: XmlNodeType.Element, Name: "Bucket", HasAttributes: true })
                AddInterval(element);
            else if (_xml.NodeType == XmlNodeType.Element)
                AddChild(element);
            else if (_xml.NodeType is XmlNodeType.Text or XmlNodeType.CDATA)
                content += _xml.Value;
        }
        if (element.Children.Count == 0)
            element.Text = content.Trim();
        return element;
    }

    private void AddChild(DiskSpdXmlElement element)
    {
        var child = ReadElement();
        if (_elementCount++ < MaxElements)
            element.Children.Add(child);
    }

    /// <summary>Converts an interval at once, because a document can have a million of them.</summary>
    private void AddInterval(DiskSpdXmlElement element)
    {
        if (_intervalCount-- > 0)
            element.Intervals.Add(DiskSpdXmlParser.CreateInterval(_xml));
        else
            element.HasMoreIntervals = true;
    }

    private bool TryRead()
    {
        try
        {
            HasEnded = !_xml.Read();
            if (HasEnded)
                return false;
        }
        catch (XmlException error)
        {
            Line = Math.Max(Line, _firstLine - 1 + error.LineNumber);
            HasEnded = true;
            text.SkipDocument();
            return false;
        }
        Line = _firstLine - 1 + ((IXmlLineInfo)_xml).LineNumber;
        return _xml.Depth < MaxDepth
            ? true
            : throw DiskSpdXmlText.CreateError(sourceFile, Line, $"elements are nested deeper than {MaxDepth}");
    }
}
