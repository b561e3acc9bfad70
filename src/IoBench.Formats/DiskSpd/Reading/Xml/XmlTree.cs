namespace IoBench.Formats.DiskSpd.Reading.Xml;

/// <summary>A part of the XML that is small and looked at as a whole: the profile, the system, one processor.</summary>
internal sealed class XmlTree
{
    /// <summary>Elements of one tree that are kept; no profile comes near it.</summary>
    private const int MaxElements = 200_000;

    internal required string Name { get; init; }
    internal required int Line { get; init; }
    internal string Text { get; private set; } = "";
    internal List<XmlTree> Children { get; } = [];
    internal Dictionary<string, string> Attributes { get; } = new(0);

    /// <summary>False when the text ended before the element did.</summary>
    internal bool IsWhole { get; private set; }

    /// <summary>The first element of a name; null when there is none.</summary>
    internal XmlTree? this[string name] => Children.Find(c => c.Name == name);

    /// <summary>The text of the first element of a name; null when there is none.</summary>
    internal string? TextOf(string name) => this[name]?.Text;

    /// <summary>Reads the element whose start tag the scanner stands at, to its end.</summary>
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
                    // An end tag further out ends what was left open within it.
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
