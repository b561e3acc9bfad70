namespace IoBench.Formats;

/// <summary>An element with all of its descendants, for small parts of a document: the profile, the system, one processor.</summary>
internal sealed class XmlTree
{
    private const int MaxElements = 200_000;

    internal required string Name { get; init; }
    internal required int Line { get; init; }
    internal string Text { get; private set; } = "";
    internal List<XmlTree> Children { get; } = [];
    internal Dictionary<string, string> Attributes { get; } = new(0);

    /// <summary>Whether the end of the element was read; false for truncated text.</summary>
    internal bool IsWhole { get; private set; }

    /// <summary>Returns the first child element with a name; null if there is none.</summary>
    internal XmlTree? this[string name] => Children.Find(c => c.Name == name);

    internal string? TextOf(string name) => this[name]?.Text;

    /// <summary>Reads the element whose start tag is the scanner's current tag.</summary>
    internal static XmlTree Read(XmlScanner scanner)
    {
        var count = 0;
        var depth = scanner.Depth;
        var root = New(scanner);
        var open = new Stack<XmlTree>();
        open.Push(root);
        while (true)
        {
            switch (scanner.Read())
            {
                case XmlPiece.EndOfText:
                    return root;
                case XmlPiece.Start:
                    var child = New(scanner);
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
                    closed.IsWhole = true;
                    if (scanner.Depth < depth || open.Count == 0)
                        return root;
                    break;
            }
        }
    }

    private static XmlTree New(XmlScanner scanner)
    {
        var tree = new XmlTree { Name = scanner.Name, Line = scanner.Line };
        foreach (var (name, value) in scanner.Attributes)
            tree.Attributes[name] = value;
        return tree;
    }
}
