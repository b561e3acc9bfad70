namespace IoBench.Application;

/// <summary>Variables of a group apply to its hosts and child groups; the variable of the closest group wins.</summary>
internal sealed class AnsibleGroups
{
    private readonly Dictionary<string, (int Line, Dictionary<string, string> Values)> _hosts = new(StringComparer.Ordinal);
    private readonly List<string> _order = [];
    private readonly Dictionary<string, HashSet<string>> _members = new(StringComparer.Ordinal);
    private readonly Dictionary<string, HashSet<string>> _children = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Dictionary<string, string>> _vars = new(StringComparer.Ordinal);

    public int HostCount => _order.Count;

    public Dictionary<string, string> AddHost(string group, string host, int line)
    {
        if (!_hosts.TryGetValue(host, out var known))
        {
            known = _hosts[host] = (line, new(StringComparer.OrdinalIgnoreCase));
            _order.Add(host);
        }
        GetOrAddSet(_members, group).Add(host);
        return known.Values;
    }

    public void AddChild(string group, string child) => GetOrAddSet(_children, group).Add(child);

    public Dictionary<string, string> GetVariables(string group)
    {
        if (!_vars.TryGetValue(group, out var values))
            _vars[group] = values = new(StringComparer.OrdinalIgnoreCase);
        return values;
    }

    public IReadOnlyList<InventoryRow> CreateRows() =>
        [
            .. _order.Select(host =>
            {
                var values = new Dictionary<string, string>(_hosts[host].Values, StringComparer.OrdinalIgnoreCase);
                var level = _members.Where(group => group.Value.Contains(host)).Select(group => group.Key).ToList();
                if (level.Find(group => group is not ("all" or "ungrouped")) is { } nearest)
                    values.TryAdd("group", nearest);
                var seen = new HashSet<string>(StringComparer.Ordinal);
                while (level.Count > 0)
                {
                    foreach (var group in level.Where(group => group != "all" && seen.Add(group)))
                    foreach (var (name, value) in _vars.GetValueOrDefault(group) ?? [])
                        values.TryAdd(name, value);
                    level =
                    [
                        .. _children
                            .Where(parent => parent.Value.Overlaps(level) && !seen.Contains(parent.Key) && parent.Key != "all")
                            .Select(parent => parent.Key),
                    ];
                }
                foreach (var (name, value) in _vars.GetValueOrDefault("all") ?? [])
                    values.TryAdd(name, value);
                return new InventoryRow(host, _hosts[host].Line) { Variables = values };
            }),
        ];

    private static HashSet<string> GetOrAddSet(Dictionary<string, HashSet<string>> sets, string key)
    {
        if (!sets.TryGetValue(key, out var set))
            sets[key] = set = new(StringComparer.Ordinal);
        return set;
    }
}
