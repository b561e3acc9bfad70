using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>
/// Property paths of a result that a format preserves or omits. Every property must be in one of the lists, so a new property fails the
/// tests until it is added to a list.
/// </summary>
internal sealed class PropertyCoverage
{
    private readonly string[] _patterns;
    private readonly string[] _omitted;
    private readonly Func<string, double> _tolerance;
    private readonly HashSet<string> _preserved;
    private readonly Dictionary<string, HashSet<string>> _seen;
    private readonly SortedDictionary<string, HashSet<string>> _others = [];

    /// <summary>Creates the lists of a format.</summary>
    /// <param name="carried">Patterns of paths that are read back unchanged.</param>
    /// <param name="left">Patterns of paths that the format cannot contain, or that the reader derives.</param>
    /// <param name="tolerance">Maximum difference of a number, by path, because of the decimals of the format.</param>
    public PropertyCoverage(string[] carried, string[] left, Func<string, double>? tolerance = null)
    {
        (_patterns, _omitted, _tolerance) = (carried, left, tolerance ?? (_ => 0));
        _preserved = [.. PropertyPaths.All.Where(path => carried.Any(p => PropertyPaths.IsMatch(path, p)))];
        _seen = _preserved.ToDictionary(path => path, _ => new HashSet<string>());
    }

    public void AssertListsAreComplete()
    {
        var all = _patterns.Concat(_omitted).ToList();
        var wrong = PropertyPaths.All.Where(path => all.Count(p => PropertyPaths.IsMatch(path, p)) != 1).ToList();
        Assert.True(wrong.Count == 0, "Neither carried nor left, or both: " + string.Join(", ", wrong));
        AssertPathsExist(all);
    }

    /// <summary>Checks that no other property had two values, because a property that varies must be listed as preserved.</summary>
    public void AssertOthersDoNotVary()
    {
        var varied = _others.Where(o => o.Value.Count > 1 && o.Key != nameof(IoTestResult.SourceLine)).Select(o => o.Key).ToList();
        Assert.True(varied.Count == 0, "Varies and is not named as carried: " + string.Join(", ", varied));
        AssertPathsExist(_patterns);
    }

    private static void AssertPathsExist(IEnumerable<string> patterns)
    {
        var idle = patterns.Where(p => !PropertyPaths.All.Any(path => PropertyPaths.IsMatch(path, p))).ToList();
        Assert.True(idle.Count == 0, "No property is named so: " + string.Join(", ", idle));
    }

    public void AssertEqual(IoTestResult expected, IoTestResult actual, string context)
    {
        var (wanted, got) = (PropertyPaths.GetValues(expected), PropertyPaths.GetValues(actual));
        RecordValues(wanted);
        var off = wanted
            .Keys.Union(got.Keys)
            .Select(place => (place, path: PropertyPaths.GetPath(place)))
            .Where(p => _preserved.Contains(p.path) && !AreEqual(p.path, wanted.GetValueOrDefault(p.place), got.GetValueOrDefault(p.place)))
            .Select(p => $"{p.place}: {Format(wanted.GetValueOrDefault(p.place))} became {Format(got.GetValueOrDefault(p.place))}")
            .ToList();
        Assert.True(off.Count == 0, $"{context}: {off.Count} differ\n" + string.Join('\n', off.Take(60)));
    }

    private void RecordValues(SortedDictionary<string, object> values)
    {
        var present = new HashSet<string>();
        foreach (var (place, value) in values)
        {
            var path = PropertyPaths.GetPath(place);
            present.Add(path);
            if (!_seen.TryGetValue(path, out var known) && !_others.TryGetValue(path, out known))
                known = _others[path] = [];
            if (known.Count < 3)
                known.Add(Format(value));
        }
        // A missing value counts as a value.
        foreach (var (path, known) in _seen)
            if (!present.Contains(path))
                known.Add(Format(null));
    }

    /// <summary>Checks that every preserved property had at least two values, because otherwise nothing was verified.</summary>
    public void AssertPreservedPropertiesVary()
    {
        var never = _seen.Where(s => s.Value.Count < 2).Select(s => s.Key).Order(StringComparer.Ordinal).ToList();
        Assert.True(never.Count == 0, "Never generated with two values: " + string.Join(", ", never));
    }

    private bool AreEqual(string path, object? wanted, object? got) =>
        (wanted, got) switch
        {
            (double a, double b) => Math.Abs(a - b) <= _tolerance(path) + Math.Abs(a) * 1e-9,
            _ => Equals(wanted, got),
        };

    private static string Format(object? value) => value is null ? "nothing" : Convert.ToString(value, CultureInfo.InvariantCulture)!;
}
