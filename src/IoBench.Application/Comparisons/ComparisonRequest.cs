using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

public sealed class ComparisonRequest
{
    private static readonly OptionName s_by = new("By"),
        s_baseline = new("Baseline"),
        s_role = new("Role"),
        s_capturedWorkload = new("CapturedWorkload");

    private readonly Func<string, string> _fullPath;
    private readonly OptionName? _kind;

    /// <exception cref="IoBenchException"><c>IoBench.Usage</c>: two comparisons were requested at once.</exception>
    public ComparisonRequest(OptionValues values, Func<string, string>? fullPath = null)
    {
        _fullPath = fullPath ?? (path => path);
        By = values.GetText(s_by);
        Baseline = values.GetText(s_baseline);
        var kinds = new[] { s_role, s_capturedWorkload, OptionNames.Repeat }.Where(values.IsOn).ToList();
        if (kinds.Count > 1 || (kinds.Count == 1 && (By is not null || Baseline is not null)))
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{s_role}, {s_capturedWorkload}, {OptionNames.Repeat}, and the comparison with a baseline ({s_by}, {s_baseline}) cannot be combined. Use one of them."
            );
        _kind = kinds.Count == 1 ? kinds[0] : null;
        var least = values.GetValue<double>(new OptionName("MinChangePercent")) ?? new ComparisonOptions().MinChangePercent;
        // Without repeats, the limit for "no change" is at least as high as with repeats.
        Options = new ComparisonOptions(
            values.GetValue<double>(new OptionName("Alpha")) ?? new ComparisonOptions().Alpha,
            least,
            Math.Max(new ComparisonOptions().MinSingleChangePercent, least)
        );
    }

    /// <summary>Property by which results are grouped; null for the property that distinguishes them.</summary>
    public string? By { get; }

    /// <summary>Value of the baseline group, or a file of earlier results; null for the first group.</summary>
    public string? Baseline { get; }

    public ComparisonOptions Options { get; }

    /// <summary>Earlier results that replace <see cref="Baseline"/>; read only if they are needed. Null if there are none.</summary>
    public Func<IReadOnlyList<IoTestResult>>? Earlier { get; init; }

    /// <param name="results">Results of all groups, or the current results if the baseline is a file.</param>
    public ComparisonResultSet Compare(IReadOnlyList<IoTestResult> results, Func<IoTestResult, string?>? fileOf = null)
    {
        if (_kind is not { } kind)
            return CompareByProperty(results, fileOf);
        if (kind == s_role)
            return new() { Roles = RoleInterference.Analyze(results) };
        if (kind == s_capturedWorkload)
            return new() { ObservedLatencies = ObservedLatencyComparison.Analyze(results) };
        return new() { Repeats = GetRepeatSummaries(results) };
    }

    private ComparisonResultSet CompareByProperty(IReadOnlyList<IoTestResult> results, Func<IoTestResult, string?>? fileOf)
    {
        if (Earlier is not null)
            return CompareWithBaseline(Earlier(), "baseline", results);
        var side = ComparisonProperty.Choose(results, By, Baseline, fileOf);
        // A value that the results have takes precedence over a file of the same name.
        if (Baseline is not null && !side.AnyHasValue(results, Baseline))
        {
            var file = _fullPath(Baseline);
            if (File.Exists(file))
                return CompareWithBaseline([.. ResultReader.ReadFile(file)], Baseline, results);
        }
        return new() { Comparisons = side.Compare(results, Baseline, Options), IsExpected = Baseline is not null && side.IsFile };
    }

    private ComparisonResultSet CompareWithBaseline(
        IReadOnlyList<IoTestResult> earlier,
        string name,
        IReadOnlyList<IoTestResult> results
    ) =>
        new()
        {
            Comparisons = [ComparisonResult.Compare(earlier, results, name, null, Options)],
            Earlier = earlier,
            IsExpected = true,
        };

    public static IReadOnlyList<RepeatSummary> GetRepeatSummaries(IReadOnlyList<IoTestResult> results) =>
        RepeatSummary.Summarize(results) is { Count: > 0 } summaries
            ? summaries
            : throw IoBenchException.Usage(
                "IoBench.NoRepeats",
                "The input contains no complete results to compare.",
                advice: $"Repeat a test with {OptionNames.Repeat.WithValue(3)}, or run it to a steady state."
            );
}
