using System.Globalization;

namespace IoBench.Application.Comparisons;

/// <summary>What makes a side of a comparison: a flat property of the results, their label, path, computer, or the file they were read from.</summary>
public sealed class ComparisonSide
{
    private const string FileProperty = nameof(IoTestResult.SourceFile);
    private static readonly string[] s_others = [nameof(IoTestResult.ComputerName), nameof(IoTestResult.Path)];

    private readonly ResultMetric _property;
    private readonly Func<IoTestResult, string?>? _fileOf;

    /// <summary>A side by the name of a property, upper or lower case; <c>computer</c> and <c>file</c> stand for ComputerName and SourceFile.</summary>
    /// <param name="fileOf">The file a result was read from; null = what the result says.</param>
    /// <exception cref="IoBenchException"><c>IoBench.UnknownProperty</c>.</exception>
    public ComparisonSide(string name, Func<IoTestResult, string?>? fileOf = null)
    {
        ArgumentNullException.ThrowIfNull(name);
        var full = name.ToUpperInvariant() switch
        {
            "COMPUTER" => nameof(IoTestResult.ComputerName),
            "FILE" => FileProperty,
            _ => name,
        };
        _property =
            MetricCatalog.Find(full)
            ?? throw IoBenchException.Usage(
                "IoBench.UnknownProperty",
                $"A result has no property '{name}'.",
                name,
                advice: "Compare by Label, Path, ComputerName, Buffering or another column."
            );
        _fileOf = IsFile ? fileOf : null;
    }

    /// <summary>
    /// The side by a name; without one by what tells the results apart: labels, where each file has one; else files; else computers or paths.
    /// </summary>
    /// <param name="results">The results of all sides.</param>
    /// <param name="name">A property's name; null = what tells them apart.</param>
    /// <param name="baseline">The baseline's value, which decides for the property that has it; null = none given.</param>
    /// <param name="fileOf">The file a result was read from; null = what the result says.</param>
    /// <exception cref="IoBenchException"><c>IoBench.UnknownProperty</c>.</exception>
    public static ComparisonSide Choose(
        IReadOnlyList<IoTestResult> results,
        string? name,
        string? baseline,
        Func<IoTestResult, string?>? fileOf = null
    )
    {
        if (name is not null)
            return new(name, fileOf);
        var (label, file) = (new ComparisonSide(nameof(IoTestResult.Label)), new ComparisonSide(FileProperty, fileOf));
        if (baseline is not null)
            return !label.Has(results, baseline) && file.Has(results, baseline) ? file : label;
        var labels = label.Count(results);
        if (
            labels > 1
            && (
                file.Count(results) <= 1
                || results.GroupBy(file.Of).All(group => label.Count(group) == 1 && label.Of(group.First()) is { Length: > 0 })
            )
        )
            return label;
        return new[] { file, label }
                .Concat(s_others.Select(other => new ComparisonSide(other)))
                .FirstOrDefault(side => side.Count(results) > 1)
            ?? label;
    }

    /// <summary>Files are the sides.</summary>
    public bool IsFile => _property.Name == FileProperty;

    /// <summary>The side of a result.</summary>
    public string? Of(IoTestResult result) =>
        _fileOf is null ? Convert.ToString(_property.Value(result), CultureInfo.InvariantCulture) : _fileOf(result);

    /// <summary>Whether a result is of a side.</summary>
    public bool Has(IEnumerable<IoTestResult> results, string side) =>
        results.Any(result => string.Equals(Of(result), side, StringComparison.OrdinalIgnoreCase));

    /// <summary>Compares every side with the baseline.</summary>
    /// <param name="results">The results of all sides.</param>
    /// <param name="baseline">The baseline's value; null = that of the first result.</param>
    /// <param name="options">How strict; null = the defaults.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NothingToCompare</c>.</exception>
    public IReadOnlyList<ComparisonResult> Compare(IReadOnlyList<IoTestResult> results, string? baseline, ComparisonOptions? options = null)
    {
        if (!IsFile)
            return ResultComparer.CompareBy(results, Of, _property.Name, baseline, options);
        var names = ShortNames(results.Select(Of).OfType<string>());
        return ResultComparer.CompareBy(
            results,
            result => Of(result) is { } file ? names[file] : null,
            _property.Name,
            baseline is not null && names.TryGetValue(baseline, out var known) ? known : baseline,
            options
        );
    }

    // Files are named without their folder where that is enough to tell them apart.
    private static Dictionary<string, string> ShortNames(IEnumerable<string> files)
    {
        var all = files.Distinct().ToList();
        return all.GroupBy(file => file[(file.LastIndexOfAny(['/', '\\']) + 1)..])
            .SelectMany(group => group.Select(file => (File: file, Name: group.Count() == 1 ? group.Key : file)))
            .ToDictionary(pair => pair.File, pair => pair.Name);
    }

    private int Count(IEnumerable<IoTestResult> results) => results.Select(Of).Distinct(StringComparer.OrdinalIgnoreCase).Count();
}
