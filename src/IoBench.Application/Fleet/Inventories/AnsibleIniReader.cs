using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Reads Ansible inventories in the INI format: groups, variables, children, and ranges such as <c>sql[01:16]</c>. Variables of a
/// group apply to its hosts and child groups; the variable of the closest group wins.</summary>
internal sealed partial class AnsibleIniReader(string name)
{
    private readonly List<InventoryRow> _rows = [];
    private readonly Dictionary<string, InventoryRow> _hosts = new(StringComparer.Ordinal);
    private readonly Dictionary<string, HashSet<string>> _members = new(StringComparer.Ordinal);
    private readonly Dictionary<string, HashSet<string>> _children = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Dictionary<string, string>> _variables = new(StringComparer.Ordinal);
    private int _line;

    public IReadOnlyList<InventoryRow> Read(string text)
    {
        var (group, part) = ("ungrouped", "");
        foreach (var raw in text.TrimStart('\uFEFF').Split('\n'))
        {
            _line++;
            var line = raw.Trim();
            if (line.Length == 0 || line[0] is '#' or ';')
                continue;
            if (line[0] == '[' && line.Split(['#', ';'])[0].TrimEnd().EndsWith(']'))
                (group, part) = ReadSection(line);
            else if (part == "children")
                GetOrAdd(_children, group).Add(CheckGroup(line.Split([' ', '\t', '#'])[0]));
            else if (part == "vars")
                SetVariable(GetOrAdd(_variables, group), line);
            else
                AddHosts(group, line);
        }
        _rows.ForEach(AddGroupVariables);
        return _rows;
    }

    private (string Group, string Part) ReadSection(string line)
    {
        var section = line.Split(['#', ';'])[0].Trim().Trim('[', ']').Split(':', 2);
        var (group, part) = (section[0].Trim(), section.Length > 1 ? section[1].Trim() : "");
        return part is not ("" or "vars" or "children") || group.Length == 0
            ? throw CreateError($"'{line}' is not a valid section. Use [group], [group:vars], or [group:children]")
            : (CheckGroup(group), part);
    }

    private string CheckGroup(string group) => InventoryNames.FindGroupError(group) is { } error ? throw CreateError(error) : group;

    private IoBenchException CreateError(IoMessage what) => FleetInventory.InvalidData(name, _line, what);

    private void AddHosts(string group, string line)
    {
        var words = SplitWords(line);
        if (words.Count == 0)
            throw CreateError("the host has no name");
        foreach (var host in ExpandRanges(words[0]))
        {
            if (!_hosts.TryGetValue(host, out var row))
                _rows.Add(_hosts[host] = row = new InventoryRow(host, _line));
            GetOrAdd(_members, group).Add(host);
            foreach (var word in words.Skip(1))
                SetVariable(row.Variables, word);
        }
        if (_rows.Count > FleetInventory.MaxHosts)
            throw FleetInventory.CreateTooManyError(name, _line);
    }

    private void SetVariable(Dictionary<string, string> values, string pair)
    {
        var split = pair.IndexOf('=', StringComparison.Ordinal);
        if (split <= 0)
            throw CreateError($"'{pair}' is not in the form name=value");
        values[pair[..split].Trim()] = pair[(split + 1)..].Trim().Trim('"', '\'');
    }

    private void AddGroupVariables(InventoryRow row)
    {
        var level = _members.Where(group => group.Value.Contains(row.Host)).Select(group => group.Key).ToList();
        if (level.Find(group => group is not ("all" or "ungrouped")) is { } nearest)
            row.Variables.TryAdd("group", nearest);
        var seen = new HashSet<string>(["all"], StringComparer.Ordinal);
        while (level.Count > 0)
        {
            foreach (var group in level.Where(seen.Add))
                AddVariables(group);
            level = [.. _children.Where(parent => parent.Value.Overlaps(level) && !seen.Contains(parent.Key)).Select(parent => parent.Key)];
        }
        AddVariables("all");

        void AddVariables(string group)
        {
            foreach (var (key, value) in _variables.GetValueOrDefault(group) ?? [])
                row.Variables.TryAdd(key, value);
        }
    }

    private static HashSet<string> GetOrAdd(Dictionary<string, HashSet<string>> sets, string group) =>
        sets.TryGetValue(group, out var set) ? set : sets[group] = new(StringComparer.Ordinal);

    private static Dictionary<string, string> GetOrAdd(Dictionary<string, Dictionary<string, string>> values, string group) =>
        values.TryGetValue(group, out var found) ? found : values[group] = new(StringComparer.OrdinalIgnoreCase);

    private List<string> SplitWords(string line)
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
            throw CreateError("a closing quotation mark is missing");
        End();
        return words;

        void End()
        {
            if (word.Length > 0)
                words.Add(word.ToString());
            word.Clear();
        }
    }

    private IEnumerable<string> ExpandRanges(string host)
    {
        var ranges = GetRangeRegex().Matches(host).Select(match => ReadRange(match, host)).ToList();
        var count = 1L;
        foreach (var range in ranges)
        {
            count *= range.Last - range.First + 1;
            // Checked after each range, so that the product cannot overflow.
            if (count > FleetInventory.MaxHosts)
                throw FleetInventory.CreateTooManyError(name, _line);
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
    private (int First, int Last, int Width, int Start, int End) ReadRange(Match match, string host)
    {
        var from = match.Groups[1].Value;
        var first = int.Parse(from, CultureInfo.InvariantCulture);
        var last = int.Parse(match.Groups[2].Value, CultureInfo.InvariantCulture);
        return last >= first
            ? (first, last, from.Length > 1 && from[0] == '0' ? from.Length : 1, match.Index, match.Index + match.Length)
            : throw CreateError($"'{host}' is not a valid range, because {last} is less than {first}");
    }

    [GeneratedRegex(@"\[([0-9]{1,6}):([0-9]{1,6})\]")]
    private static partial Regex GetRangeRegex();
}
