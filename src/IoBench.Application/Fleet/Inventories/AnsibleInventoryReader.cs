using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace IoBench.Application;

/// <summary>
/// Reads Ansible inventories. INI: <c>[group]</c>, one host per line followed by <c>name=value</c>, <c>[group:vars]</c>,
/// <c>[group:children]</c>, and ranges such as
/// <c>sql[01:16]</c>. YAML: mappings by indentation with plain values; anchors, lists, and values of several lines are refused.
/// </summary>
internal static partial class AnsibleInventoryReader
{
    private const int MaxRange = 10_000;

    public static IReadOnlyList<InventoryRow> ReadIni(string text, string name)
    {
        var groups = new AnsibleGroups();
        var (group, part, number) = ("ungrouped", "", 0);
        foreach (var raw in text.TrimStart('\uFEFF').Split('\n'))
        {
            number++;
            var line = raw.Trim();
            if (line.Length == 0 || line[0] is '#' or ';')
                continue;
            if (line[0] == '[' && line.Split(['#', ';'])[0].TrimEnd().EndsWith(']'))
            {
                var section = line.Split(['#', ';'])[0].Trim().Trim('[', ']').Split(':', 2);
                (group, part) = (section[0].Trim(), section.Length > 1 ? section[1].Trim() : "");
                if (part is not ("" or "vars" or "children") || group.Length == 0)
                    throw FleetInventory.InvalidData(name, number, $"'{line}' is not a section: [group], [group:vars] or [group:children]");
                continue;
            }
            if (part == "children")
                groups.AddChild(group, line.Split([' ', '\t', '#'])[0]);
            else if (part == "vars")
                SetVariable(groups.GetVariables(group), line, name, number);
            else
                AddHosts(groups, group, line, name, number);
        }
        return groups.CreateRows();
    }

    private static void AddHosts(AnsibleGroups groups, string group, string line, string name, int number)
    {
        var words = SplitWords(line, name, number);
        foreach (var host in ExpandRange(words[0], name, number))
        {
            var values = groups.AddHost(group, host, number);
            foreach (var word in words.Skip(1))
                SetVariable(values, word, name, number);
        }
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
        var (word, quote) = (new StringBuilder(), '\0');
        foreach (var c in line)
        {
            if (quote != '\0')
                quote = c == quote ? '\0' : Keep(c, quote);
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

        char Keep(char c, char open)
        {
            word.Append(c);
            return open;
        }

        void End()
        {
            if (word.Length > 0)
                words.Add(word.ToString());
            word.Clear();
        }
    }

    private static IEnumerable<string> ExpandRange(string host, string name, int number)
    {
        if (GetRangeRegex().Match(host) is not { Success: true } range)
            return [host];
        var (from, to) = (range.Groups[2].Value, range.Groups[3].Value);
        var (first, last) = (int.Parse(from, CultureInfo.InvariantCulture), int.Parse(to, CultureInfo.InvariantCulture));
        if (last < first || last - first >= MaxRange)
            throw FleetInventory.InvalidData(name, number, $"'{host}' is not a range");
        var width = from.Length > 1 && from[0] == '0' ? from.Length : 1;
        return Enumerable
            .Range(first, last - first + 1)
            .SelectMany(n =>
                ExpandRange(
                    range.Groups[1].Value + n.ToString(CultureInfo.InvariantCulture).PadLeft(width, '0') + range.Groups[4].Value,
                    name,
                    number
                )
            );
    }

    [GeneratedRegex(@"^([^\[\]]*)\[([0-9]{1,6}):([0-9]{1,6})\](.*)$")]
    private static partial Regex GetRangeRegex();
}
