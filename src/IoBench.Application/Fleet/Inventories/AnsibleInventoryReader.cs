using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace IoBench.Application;

/// <summary>Reads Ansible inventories. INI: groups, variables, children, and ranges such as <c>sql[01:16]</c>. YAML: mappings with plain
/// values; anchors, lists, and values of several lines are refused.</summary>
internal static partial class AnsibleInventoryReader
{
    public static IReadOnlyList<InventoryRow> ReadIni(string text, string name)
    {
        var groups = new AnsibleGroups();
        var group = "ungrouped";
        var part = "";
        var number = 0;
        foreach (var raw in text.TrimStart('\uFEFF').Split('\n'))
        {
            number++;
            var line = raw.Trim();
            if (line.Length == 0 || line[0] is '#' or ';')
                continue;
            if (line[0] == '[' && line.Split(['#', ';'])[0].TrimEnd().EndsWith(']'))
            {
                var section = line.Split(['#', ';'])[0].Trim().Trim('[', ']').Split(':', 2);
                group = section[0].Trim();
                part = section.Length > 1 ? section[1].Trim() : "";
                if (part is not ("" or "vars" or "children") || group.Length == 0)
                    throw FleetInventory.InvalidData(
                        name,
                        number,
                        $"'{line}' is not a section. Use [group], [group:vars], or [group:children]"
                    );
                CheckGroup(group, name, number);
                continue;
            }
            if (part == "children")
                groups.AddChild(group, CheckGroup(line.Split([' ', '\t', '#'])[0], name, number));
            else if (part == "vars")
                SetVariable(groups.GetVariables(group), line, name, number);
            else
                AddHosts(groups, group, line, name, number);
        }
        return groups.CreateRows();
    }

    private static string CheckGroup(string group, string name, int number) =>
        InventoryNames.FindGroupError(group) is { } error ? throw FleetInventory.InvalidData(name, number, error) : group;

    private static void AddHosts(AnsibleGroups groups, string group, string line, string name, int number)
    {
        var words = SplitWords(line, name, number);
        if (words.Count == 0)
            throw FleetInventory.InvalidData(name, number, "the host has no name");
        foreach (var host in ExpandRanges(words[0], name, number))
        {
            var values = groups.AddHost(group, host, number);
            foreach (var word in words.Skip(1))
                SetVariable(values, word, name, number);
        }
        if (groups.HostCount > FleetInventory.MaxHosts)
            throw FleetInventory.CreateTooManyError(name, number);
    }

    private static void SetVariable(Dictionary<string, string> values, string pair, string name, int number)
    {
        var split = pair.IndexOf('=', StringComparison.Ordinal);
        if (split <= 0)
            throw FleetInventory.InvalidData(name, number, $"'{pair}' is not name=value");
        values[pair[..split].Trim()] = pair[(split + 1)..].Trim().Trim('"', '\'');
    }

    private static List<string> SplitWords(string line, string name, int number)
    {
        var words = new List<string>();
        var word = new StringBuilder();
        var quote = '\0';
        foreach (var c in line)
        {
            if (quote != '\0' && c == quote)
                quote = '\0';
            else if (quote != '\0')
                word.Append(c);
            else if (c is '"' or '\'')
                quote = c;
            else if (c == '#' && word.Length == 0)
                break;
            else if (char.IsWhiteSpace(c))
                End();
            else
                word.Append(c);
        }
        if (quote != '\0')
            throw FleetInventory.InvalidData(name, number, "a quote is not closed");
        End();
        return words;

        void End()
        {
            if (word.Length > 0)
                words.Add(word.ToString());
            word.Clear();
        }
    }

    private static IEnumerable<string> ExpandRanges(string host, string name, int number)
    {
        var ranges = GetRangeRegex().Matches(host).Select(match => ReadRange(match, host, name, number)).ToList();
        var count = 1L;
        foreach (var range in ranges)
        {
            count *= range.Last - range.First + 1;
            // Checked after each range, so that the product cannot overflow.
            if (count > FleetInventory.MaxHosts)
                throw FleetInventory.CreateTooManyError(name, number);
        }
        IEnumerable<string> names = [""];
        var rest = 0;
        foreach (var range in ranges)
        {
            var text = host[rest..range.Start];
            names = names.SelectMany(begin =>
                Enumerable
                    .Range(range.First, range.Last - range.First + 1)
                    .Select(n => begin + text + n.ToString(CultureInfo.InvariantCulture).PadLeft(range.Width, '0'))
            );
            rest = range.End;
        }
        return names.Select(begin => begin + host[rest..]);
    }

    /// <returns>First and last number, their digits with leading zeros, and the place of the brackets in the text.</returns>
    private static (int First, int Last, int Width, int Start, int End) ReadRange(Match match, string host, string name, int number)
    {
        var from = match.Groups[1].Value;
        var first = int.Parse(from, CultureInfo.InvariantCulture);
        var last = int.Parse(match.Groups[2].Value, CultureInfo.InvariantCulture);
        return last >= first
            ? (first, last, from.Length > 1 && from[0] == '0' ? from.Length : 1, match.Index, match.Index + match.Length)
            : throw FleetInventory.InvalidData(name, number, $"'{host}' is not a range, because {last} is less than {first}");
    }

    [GeneratedRegex(@"\[([0-9]{1,6}):([0-9]{1,6})\]")]
    private static partial Regex GetRangeRegex();

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
        CheckGroup(group.Key, name, group.Line);
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
                throw FleetInventory.InvalidData(name, part.Line, $"'{part.Key}' is not one of hosts, vars, children");
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
                throw FleetInventory.InvalidData(name, number, "use only mappings, one per line, indented by spaces");
            var split = FindKeyEnd(line, indent);
            if (split < 0)
                throw FleetInventory.InvalidData(name, number, $"'{line.Trim()}' is not 'name: value'");
            while (open.Peek().Indent >= indent)
                open.Pop();
            var value = line[(split + 1)..].Trim();
            if (value.Length > 0 && value[0] is '&' or '*' or '|' or '>' or '[' || value.StartsWith('{') && value != "{}")
                throw FleetInventory.InvalidData(name, number, $"'{value}' is not supported. Use a plain value");
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
        var start = from;
        if (line[from] is '"' or '\'')
            start = line.IndexOf(line[from], from + 1);
        for (var i = start; i >= 0 && i < line.Length; i++)
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
