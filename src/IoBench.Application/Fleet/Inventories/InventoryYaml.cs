namespace IoBench.Application;

internal static class AnsibleInventoryReader
{
    public static IReadOnlyList<InventoryRow> ReadYaml(string text, string name)
    {
        var groups = new AnsibleGroups();
        foreach (var group in ParseYaml(text, name).Children)
            AddGroup(groups, group, name, 0);
        return groups.CreateRows();
    }

    private static void AddGroup(AnsibleGroups groups, YamlNode group, string name, int depth)
    {
        if (depth > 20)
            throw FleetInventory.InvalidData(name, group.Line, "groups are nested too deeply");
        foreach (var part in group.Children)
        {
            if (part.Key == "hosts")
                part.Children.ForEach(host => AddHost(groups, group.Key, host));
            else if (part.Key == "vars")
                part.Children.ForEach(value => groups.GetVariables(group.Key)[value.Key] = value.Value);
            else if (part.Key == "children")
                foreach (var child in part.Children)
                {
                    groups.AddChild(group.Key, child.Key);
                    AddGroup(groups, child, name, depth + 1);
                }
            else
                throw FleetInventory.InvalidData(name, part.Line, $"'{part.Key}' is none of hosts, vars, children");
        }
    }

    private static void AddHost(AnsibleGroups groups, string group, YamlNode host)
    {
        var values = groups.AddHost(group, host.Key, host.Line);
        host.Children.ForEach(value => values[value.Key] = value.Value);
    }

    private static YamlNode ParseYaml(string text, string name)
    {
        var root = new YamlNode("", "", -1, 0);
        var open = new Stack<YamlNode>([root]);
        var number = 0;
        foreach (var raw in text.TrimStart('\uFEFF').Split('\n'))
        {
            number++;
            var line = RemoveComment(raw.TrimEnd());
            if (line.Trim() is "" or "---" or "...")
                continue;
            var indent = line.Length - line.TrimStart(' ').Length;
            if (line[indent] == '\t' || line[indent] == '-' || line[indent] is '&' or '*' or '{' or '[')
                throw FleetInventory.InvalidData(name, number, "only mappings, one per line and indented by blanks, are read");
            var split = FindKeyEnd(line, indent);
            if (split < 0)
                throw FleetInventory.InvalidData(name, number, $"'{line.Trim()}' is not 'name: value'");
            while (open.Peek().Indent >= indent)
                open.Pop();
            var value = line[(split + 1)..].Trim();
            if (value.Length > 0 && value[0] is '&' or '*' or '|' or '>' or '[' || value.StartsWith('{') && value != "{}")
                throw FleetInventory.InvalidData(name, number, $"'{value}' is not read: give a plain value");
            var node = new YamlNode(
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

    private static int FindKeyEnd(string line, int from)
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

    private static string RemoveComment(string line)
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

    private sealed record YamlNode(string Key, string Value, int Indent, int Line)
    {
        public List<YamlNode> Children { get; } = [];
    }
}
