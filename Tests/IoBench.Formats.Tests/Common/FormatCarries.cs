using System.Globalization;

namespace IoBench.Formats.Tests;

/// <summary>
/// What a format carries of a result, as patterns of property paths, and what it has no place for. Every property of a result must be one or the other: a new one
/// makes the tests fail until somebody says which.
/// </summary>
internal sealed class FormatCarries
{
    private readonly string[] _patterns;
    private readonly string[] _left;
    private readonly Func<string, double> _tolerance;
    private readonly HashSet<string> _carried;
    private readonly Dictionary<string, HashSet<string>> _seen;
    private readonly SortedDictionary<string, HashSet<string>> _others = [];

    /// <summary>A format.</summary>
    /// <param name="carried">What comes back the same.</param>
    /// <param name="left">What does not: the format has no place for it, or the reader makes it of what it reads.</param>
    /// <param name="tolerance">How far a number may be off: what the format's decimals lose.</param>
    public FormatCarries(string[] carried, string[] left, Func<string, double>? tolerance = null)
    {
        (_patterns, _left, _tolerance) = (carried, left, tolerance ?? (_ => 0));
        _carried = [.. PropertyPaths.All.Where(path => carried.Any(p => PropertyPaths.Matches(path, p)))];
        _seen = _carried.ToDictionary(path => path, _ => new HashSet<string>());
    }

    /// <summary>Checks that both lists together name each property once, and nothing that is none.</summary>
    public void CheckLists()
    {
        var all = _patterns.Concat(_left).ToList();
        var wrong = PropertyPaths.All.Where(path => all.Count(p => PropertyPaths.Matches(path, p)) != 1).ToList();
        Assert.True(wrong.Count == 0, "Neither carried nor left, or both: " + string.Join(", ", wrong));
        CheckNames(all);
    }

    /// <summary>Checks that no property but the carried ones had two values: what varies is carried, and must be named so.</summary>
    public void CheckRest()
    {
        var varied = _others.Where(o => o.Value.Count > 1 && o.Key != nameof(IoTestResult.SourceLine)).Select(o => o.Key).ToList();
        Assert.True(varied.Count == 0, "Varies and is not named as carried: " + string.Join(", ", varied));
        CheckNames(_patterns);
    }

    private static void CheckNames(IEnumerable<string> patterns)
    {
        var idle = patterns.Where(p => !PropertyPaths.All.Any(path => PropertyPaths.Matches(path, p))).ToList();
        Assert.True(idle.Count == 0, "No property is named so: " + string.Join(", ", idle));
    }

    /// <summary>Compares a result with what was read of what was written of it.</summary>
    public void Compare(IoTestResult expected, IoTestResult actual, string context)
    {
        var (wanted, got) = (PropertyPaths.Of(expected), PropertyPaths.Of(actual));
        Notice(wanted);
        var off = wanted
            .Keys.Union(got.Keys)
            .Select(place => (place, path: PropertyPaths.PathOf(place)))
            .Where(p => _carried.Contains(p.path) && !Same(p.path, wanted.GetValueOrDefault(p.place), got.GetValueOrDefault(p.place)))
            .Select(p => $"{p.place}: {Text(wanted.GetValueOrDefault(p.place))} became {Text(got.GetValueOrDefault(p.place))}")
            .ToList();
        Assert.True(off.Count == 0, $"{context}: {off.Count} differ\n" + string.Join('\n', off.Take(60)));
    }

    private void Notice(SortedDictionary<string, object> values)
    {
        var present = new HashSet<string>();
        foreach (var (place, value) in values)
        {
            var path = PropertyPaths.PathOf(place);
            present.Add(path);
            if (!_seen.TryGetValue(path, out var known) && !_others.TryGetValue(path, out known))
                known = _others[path] = [];
            if (known.Count < 3)
                known.Add(Text(value));
        }
        // A value that is not always there is seen too.
        foreach (var (path, known) in _seen)
            if (!present.Contains(path))
                known.Add(Text(null));
    }

    /// <summary>Checks that the results so far had at least two values of every carried property: else nothing was shown of it.</summary>
    public void CheckGenerated()
    {
        var never = _seen.Where(s => s.Value.Count < 2).Select(s => s.Key).Order(StringComparer.Ordinal).ToList();
        Assert.True(never.Count == 0, "Never generated with two values: " + string.Join(", ", never));
    }

    private bool Same(string path, object? wanted, object? got) =>
        (wanted, got) switch
        {
            (double a, double b) => Math.Abs(a - b) <= _tolerance(path) + Math.Abs(a) * 1e-9,
            _ => Equals(wanted, got),
        };

    private static string Text(object? value) => value is null ? "nothing" : Convert.ToString(value, CultureInfo.InvariantCulture)!;
}
