using System.Globalization;

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

    /// <summary>Parses a 31-bit count. An invalid value is a problem and returns 0, as in the other methods.</summary>
    internal static int ParseInt32(DiskSpdXmlElement element, XmlProblemHandler problem)
    {
        if (int.TryParse(element.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var value))
            return value;
        ReportInvalid(element, "not a number", problem);
        return 0;
    }

    internal static long ParseUInt32(DiskSpdXmlElement element, XmlProblemHandler problem)
    {
        if (uint.TryParse(element.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var value))
            return value;
        ReportInvalid(element, "not a number", problem);
        return 0;
    }

    internal static long ParseSize(DiskSpdXmlElement element, XmlProblemHandler problem)
    {
        if (long.TryParse(element.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var value))
            return value;
        ReportInvalid(element, "not a size in bytes", problem);
        return 0;
    }

    internal static bool ParseBoolean(DiskSpdXmlElement element, XmlProblemHandler problem)
    {
        if (element.Text is "true" or "1")
            return true;
        if (element.Text is not ("false" or "0"))
            ReportInvalid(element, "neither true nor false", problem);
        return false;
    }

    private static void ReportInvalid(DiskSpdXmlElement element, string what, XmlProblemHandler problem)
    {
        var text = element.Text.Length > 40 ? element.Text[..40] + "…" : element.Text;
        problem(element.Line, $"<{element.Name}> is '{text}', which is {what}");
    }
}
