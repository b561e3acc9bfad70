using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>
/// Property paths of a result that a format preserves or omits. Every property must be in one of the lists, so a new property fails the
/// tests until it is added to a list.
/// </summary>
internal sealed class FormatCarries
{
    private readonly string[] _patterns;
    private readonly string[] _left;
    private readonly Func<string, double> _tolerance;
    private readonly HashSet<string> _carried;
    private readonly Dictionary<string, HashSet<string>> _seen;
    private readonly SortedDictionary<string, HashSet<string>> _others = [];

    /// <summary>Creates the lists of a format.</summary>
    /// <param name="carried">Patterns of paths that are read back unchanged.</param>
    /// <param name="left">Patterns of paths that the format cannot contain, or that the reader derives.</param>
    /// <param name="tolerance">Maximum difference of a number, by path, because of the decimals of the format.</param>
    public FormatCarries(string[] carried, string[] left, Func<string, double>? tolerance = null)
    {
        (_patterns, _left, _tolerance) = (carried, left, tolerance ?? (_ => 0));
        _carried = [.. PropertyPaths.All.Where(path => carried.Any(p => PropertyPaths.Matches(path, p)))];
        _seen = _carried.ToDictionary(path => path, _ => new HashSet<string>());
    }

    public void CheckLists()
    {
        var all = _patterns.Concat(_left).ToList();
        var wrong = PropertyPaths.All.Where(path => all.Count(p => PropertyPaths.Matches(path, p)) != 1).ToList();
        Assert.True(wrong.Count == 0, "Neither carried nor left, or both: " + string.Join(", ", wrong));
        CheckNames(all);
    }

    /// <summary>Checks that no other property had two values, because a property that varies must be listed as preserved.</summary>
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
        // A missing value counts as a value.
        foreach (var (path, known) in _seen)
            if (!present.Contains(path))
                known.Add(Text(null));
    }

    /// <summary>Checks that every preserved property had at least two values, because otherwise nothing was verified.</summary>
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
