namespace IoBench.Formats;

/// <summary>An element with all of its descendants, for small parts of a document: the profile, the system, one processor.</summary>
internal sealed class DiskSpdXmlElement
{
    private const int MaxElements = 200_000;

    internal required string Name { get; init; }
    internal required int Line { get; init; }
    internal string Text { get; private set; } = "";
    internal List<DiskSpdXmlElement> Children { get; } = [];
    internal Dictionary<string, string> Attributes { get; } = new(0);

    /// <summary>Whether the end of the element was read; false for truncated text.</summary>
    internal bool IsComplete { get; private set; }

    /// <summary>Returns the first child element with a name; null if there is none.</summary>
    internal DiskSpdXmlElement? this[string name] => Children.Find(c => c.Name == name);

    internal string? GetText(string name) => this[name]?.Text;

    /// <summary>Reads the element whose start tag is the scanner's current tag.</summary>
    internal static DiskSpdXmlElement Read(DiskSpdXmlScanner scanner)
    {
        var count = 0;
        var depth = scanner.Depth;
        var root = Create(scanner);
        var open = new Stack<DiskSpdXmlElement>();
        open.Push(root);
        while (true)
        {
            switch (scanner.Read())
            {
                case XmlTagKind.EndOfText:
                    return root;
                case XmlTagKind.Start:
                    var child = Create(scanner);
                    if (++count <= MaxElements)
                        open.Peek().Children.Add(child);
                    open.Push(child);
                    break;
                default:
                    var closed = open.Pop();
                    // The end tag of an outer element also ends its unclosed children.
                    while (open.Count > 0 && closed.Name != scanner.Name)
                        closed = open.Pop();
                    closed.Text = closed.Children.Count == 0 ? scanner.Text : "";
                    closed.IsComplete = true;
                    if (scanner.Depth < depth || open.Count == 0)
                        return root;
                    break;
            }
        }
    }

    private static DiskSpdXmlElement Create(DiskSpdXmlScanner scanner)
    {
        var tree = new DiskSpdXmlElement { Name = scanner.Name, Line = scanner.Line };
        foreach (var (name, value) in scanner.Attributes)
            tree.Attributes[name] = value;
        return tree;
    }
}
