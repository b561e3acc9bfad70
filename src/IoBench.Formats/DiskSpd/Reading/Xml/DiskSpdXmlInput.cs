using System.Xml;

namespace IoBench.Formats;

/// <summary>Reads XML that can have several documents, other text around them, and no end. Malformed XML counts as its end.</summary>
internal sealed class DiskSpdXmlInput(TextReader reader, string? sourceFile)
{
    private const int MaxDepth = 64;
    private const int MaxElements = 200_000;

    private readonly XmlReader _xml = XmlReader.Create(
        new DiskSpdXmlText(reader, sourceFile),
        new XmlReaderSettings { ConformanceLevel = ConformanceLevel.Fragment, IgnoreComments = true }
    );
    private int _elementCount;
    private int _intervalCount;

    internal int Line { get; private set; } = 1;

    internal bool HasText { get; private set; }

    internal bool HasEnded { get; private set; }

    /// <summary>Name of the current start tag.</summary>
    internal string Name => _xml.Name;

    /// <summary>Moves to the next start tag, at any depth.</summary>
    internal bool MoveToElement()
    {
        while (TryRead())
        {
            if (_xml.NodeType == XmlNodeType.Element)
                return true;
        }
        return false;
    }

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
        var text = "";
        while (!isEmpty && TryRead() && (_xml.NodeType != XmlNodeType.EndElement || _xml.Depth > depth))
        {
            if (_xml is { NodeType: XmlNodeType.Element, Name: "Bucket", HasAttributes: true })
                AddInterval(element);
            else if (_xml.NodeType == XmlNodeType.Element)
                AddChild(element);
            else if (_xml.NodeType is XmlNodeType.Text or XmlNodeType.CDATA)
                text += _xml.Value;
        }
        if (element.Children.Count == 0)
            element.Text = text.Trim();
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
            Line = Math.Max(Line, error.LineNumber);
            HasText = true;
            HasEnded = true;
            return false;
        }
        Line = ((IXmlLineInfo)_xml).LineNumber;
        HasText |= _xml.NodeType is XmlNodeType.Element or XmlNodeType.Text or XmlNodeType.CDATA;
        return _xml.Depth < MaxDepth
            ? true
            : throw DiskSpdXmlText.CreateError(sourceFile, Line, $"elements are nested deeper than {MaxDepth}");
    }
}
