namespace IoBench.Application;

internal static class InventoryYaml
{
    public static IReadOnlyList<InventoryRow> Read(string text, string name)
    {
        var groups = new InventoryGroups();
        foreach (var group in Parse(text, name).Children)
            AddGroup(groups, group, name, 0);
        return groups.Rows();
    }

    private static void AddGroup(InventoryGroups groups, Node group, string name, int depth)
    {
        if (depth > 20)
            throw FleetInventory.Wrong(name, group.Line, "groups are nested too deeply");
        foreach (var part in group.Children)
        {
            if (part.Key == "hosts")
                part.Children.ForEach(host => AddHost(groups, group.Key, host));
            else if (part.Key == "vars")
                part.Children.ForEach(value => groups.Vars(group.Key)[value.Key] = value.Value);
            else if (part.Key == "children")
                foreach (var child in part.Children)
                {
                    groups.Child(group.Key, child.Key);
                    AddGroup(groups, child, name, depth + 1);
                }
            else
                throw FleetInventory.Wrong(name, part.Line, $"'{part.Key}' is none of hosts, vars, children");
        }
    }

    private static void AddHost(InventoryGroups groups, string group, Node host)
    {
        var values = groups.Host(group, host.Key, host.Line);
        host.Children.ForEach(value => values[value.Key] = value.Value);
    }

    private static Node Parse(string text, string name)
    {
        var root = new Node("", "", -1, 0);
        var open = new Stack<Node>([root]);
        var number = 0;
        foreach (var raw in text.TrimStart('\uFEFF').Split('\n'))
        {
            number++;
            var line = WithoutComment(raw.TrimEnd());
            if (line.Trim() is "" or "---" or "...")
                continue;
            var indent = line.Length - line.TrimStart(' ').Length;
            if (line[indent] == '\t' || line[indent] == '-' || line[indent] is '&' or '*' or '{' or '[')
                throw FleetInventory.Wrong(name, number, "only mappings, one per line and indented by blanks, are read");
            var split = KeyEnd(line, indent);
            if (split < 0)
                throw FleetInventory.Wrong(name, number, $"'{line.Trim()}' is not 'name: value'");
            while (open.Peek().Indent >= indent)
                open.Pop();
            var value = line[(split + 1)..].Trim();
            if (value.Length > 0 && value[0] is '&' or '*' or '|' or '>' or '[' || value.StartsWith('{') && value != "{}")
                throw FleetInventory.Wrong(name, number, $"'{value}' is not read: give a plain value");
            var node = new Node(
                line[indent..split].Trim().Trim('"', '\''),
                value is "{}" or "null" or "~" ? "" : value.Trim('"', '\''),
                indent,
                number
            );
            open.Peek().Children.Add(node);
            open.Push(node);
        }
        return root;
    }

    private static int KeyEnd(string line, int from)
    {
        var quote = line[from] is '"' or '\'' ? line[from] : '\0';
        for (
            var i =
                quote == '\0' ? from
                : line.IndexOf(quote, from + 1) is var end && end < 0 ? line.Length
                : end;
            i < line.Length;
            i++
        )
            if (line[i] == ':' && (i + 1 == line.Length || line[i + 1] == ' '))
                return i;
        return -1;
    }

    private static string WithoutComment(string line)
    {
        var quote = '\0';
        for (var i = 0; i < line.Length; i++)
        {
            if (quote != '\0')
                quote = line[i] == quote ? '\0' : quote;
            else if (line[i] is '"' or '\'')
                quote = line[i];
            else if (line[i] == '#' && (i == 0 || line[i - 1] == ' '))
                return line[..i].TrimEnd();
        }
        return line;
    }

    private sealed record Node(string Key, string Value, int Indent, int Line)
    {
        public List<Node> Children { get; } = [];
    }
}
