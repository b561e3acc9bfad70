using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Property by which a comparison groups results: any flat property, such as the label, path, computer, or source file.</summary>
public sealed class ComparisonProperty
{
    private const string FileProperty = nameof(IoTestResult.SourceFile);
    private static readonly string[] s_otherProperties = [nameof(IoTestResult.ComputerName), nameof(IoTestResult.Path)];

    private readonly ResultMetric _property;
    private readonly Func<IoTestResult, string?>? _fileOf;

    /// <summary>Finds a property by name (case-insensitive). <c>computer</c> and <c>file</c> are short for ComputerName and
    /// SourceFile.</summary>
    /// <param name="fileOf">Returns the file from which a result was read; null to use the file that the result names.</param>
    public ComparisonProperty(string name, Func<IoTestResult, string?>? fileOf = null)
    {
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
                advice: "Compare by Label, Path, ComputerName, Buffering, or another property."
            );
        _fileOf = IsFile ? fileOf : null;
    }

    /// <summary>Without a name, chooses the property that distinguishes the results: the label if each file has one, then the file, then
    /// the computer or the path.</summary>
    /// <param name="baseline">Value of the baseline: the property that has this value is chosen. Null if none was specified.</param>
    public static ComparisonProperty Choose(
        IReadOnlyList<IoTestResult> results,
        string? name,
        string? baseline,
        Func<IoTestResult, string?>? fileOf = null
    )
    {
        if (name is not null)
            return new(name, fileOf);
        var label = new ComparisonProperty(nameof(IoTestResult.Label));
        var file = new ComparisonProperty(FileProperty, fileOf);
        if (baseline is not null)
            return !label.AnyHasValue(results, baseline) && file.AnyHasValue(results, baseline) ? file : label;
        var labels = label.CountValues(results);
        if (
            labels > 1
            && (
                file.CountValues(results) <= 1
                || results
                    .GroupBy(file.GetValue)
                    .All(group => label.CountValues(group) == 1 && label.GetValue(group.First()) is { Length: > 0 })
            )
        )
            return label;
        return new[] { file, label }
                .Concat(s_otherProperties.Select(other => new ComparisonProperty(other)))
                .FirstOrDefault(side => side.CountValues(results) > 1)
            ?? label;
    }

    public bool IsFile => _property.Name == FileProperty;

    public string? GetValue(IoTestResult result) =>
        _fileOf is null ? Convert.ToString(_property.Value(result), CultureInfo.InvariantCulture) : _fileOf(result);

    public bool AnyHasValue(IEnumerable<IoTestResult> results, string side) =>
        results.Any(result => string.Equals(GetValue(result), side, StringComparison.OrdinalIgnoreCase));

    /// <param name="baseline">Value of the baseline; null for the value of the first result.</param>
    public IReadOnlyList<ComparisonResult> Compare(IReadOnlyList<IoTestResult> results, string? baseline, ComparisonOptions? options = null)
    {
        if (!IsFile)
            return ComparisonResult.CompareBy(results, GetValue, _property.Name, baseline, options);
        var names = GetShortFileNames(results.Select(GetValue).OfType<string>());
        return ComparisonResult.CompareBy(
            results,
            result => GetValue(result) is { } file ? names[file] : null,
            _property.Name,
            baseline is not null && names.TryGetValue(baseline, out var known) ? known : baseline,
            options
        );
    }

    // Omit the folder if the file names alone are unique.
    private static Dictionary<string, string> GetShortFileNames(IEnumerable<string> files)
    {
        var all = files.Distinct().ToList();
        return all.GroupBy(file => file[(file.LastIndexOfAny(['/', '\\']) + 1)..])
            .SelectMany(group => group.Select(file => (File: file, Name: group.Count() == 1 ? group.Key : file)))
            .ToDictionary(pair => pair.File, pair => pair.Name);
    }

    private int CountValues(IEnumerable<IoTestResult> results) =>
        results.Select(GetValue).Distinct(StringComparer.OrdinalIgnoreCase).Count();
}
