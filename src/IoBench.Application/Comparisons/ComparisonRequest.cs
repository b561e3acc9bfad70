namespace IoBench.Application.Comparisons;

/// <summary>What is asked of results: a comparison of sides, or one within them.</summary>
public sealed class ComparisonRequest
{
    private static readonly OptionName s_by = new("By"),
        s_baseline = new("Baseline"),
        s_role = new("Role"),
        s_ownLoad = new("OwnLoad");

    private readonly OptionContext _context;
    private readonly OptionName? _kind;

    /// <summary>What was asked for.</summary>
    /// <param name="values">Of <see cref="OptionTables.Comparison"/>.</param>
    /// <param name="context">Where paths begin.</param>
    /// <exception cref="IoBenchException"><c>IoBench.Usage</c>: two comparisons were asked for at once.</exception>
    public ComparisonRequest(OptionValues values, OptionContext? context = null)
    {
        ArgumentNullException.ThrowIfNull(values);
        _context = context ?? OptionContext.Process;
        (By, Baseline) = (values.Text(s_by), values.Text(s_baseline));
        var kinds = new[] { s_role, s_ownLoad, Opt.Repeat }.Where(values.IsOn).ToList();
        if (kinds.Count > 1 || (kinds.Count == 1 && (By is not null || Baseline is not null)))
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{s_role}, {s_ownLoad}, {Opt.Repeat} and the comparison of sides ({s_by}, {s_baseline}) exclude each other: ask for one."
            );
        _kind = kinds.Count == 1 ? kinds[0] : null;
        var least = values.Value<double>(new OptionName("MinChangePercent")) ?? new ComparisonOptions().MinChangePercent;
        // What may be no change with repeats is none without them.
        Options = new ComparisonOptions(
            values.Value<double>(new OptionName("Alpha")) ?? new ComparisonOptions().Alpha,
            least,
            Math.Max(new ComparisonOptions().MinSingleChangePercent, least)
        );
    }

    /// <summary>What makes a side; null = what tells the results apart.</summary>
    public string? By { get; }

    /// <summary>The side that the others are compared with, or a file of earlier results; null = the first side.</summary>
    public string? Baseline { get; }

    /// <summary>How strict.</summary>
    public ComparisonOptions Options { get; }

    /// <summary>Earlier results in place of <see cref="Baseline"/>, read when they are needed; null = none.</summary>
    public Func<IReadOnlyList<IoTestResult>>? Earlier { get; init; }

    /// <param name="results">The results of all sides, or of the new one.</param>
    /// <param name="fileOf">The file that a result was read from; null = what the result says.</param>
    /// <exception cref="IoBenchException">
    /// <c>IoBench.NothingToCompare</c>, <c>IoBench.UnknownProperty</c>, <c>IoBench.NoRepeats</c>, and what reading a file of earlier results throws.
    /// </exception>
    public ComparisonAnswer Answer(IReadOnlyList<IoTestResult> results, Func<IoTestResult, string?>? fileOf = null)
    {
        ArgumentNullException.ThrowIfNull(results);
        if (_kind is not { } kind)
            return Sides(results, fileOf);
        return kind == s_role ? new ComparisonAnswer.Roles(RoleInterference.Of(results))
            : kind == s_ownLoad ? new ComparisonAnswer.OwnLoad(ObservedLatency.Of(results))
            : new ComparisonAnswer.Repeats(RepeatComparison.Summaries(results));
    }

    private ComparisonAnswer.Sides Sides(IReadOnlyList<IoTestResult> results, Func<IoTestResult, string?>? fileOf)
    {
        if (Earlier is not null)
            return Against(Earlier(), "baseline", results);
        var side = ComparisonSide.Choose(results, By, Baseline, fileOf);
        // What results have goes before a file of that name.
        if (Baseline is not null && !side.Has(results, Baseline) && _context.FullPath(Baseline) is var file && File.Exists(file))
            return Against([.. ResultReader.ReadFile(file)], Baseline, results);
        return new(side.Compare(results, Baseline, Options), null, IsExpected: Baseline is not null && side.IsFile);
    }

    private ComparisonAnswer.Sides Against(IReadOnlyList<IoTestResult> earlier, string name, IReadOnlyList<IoTestResult> results) =>
        new([ResultComparer.Compare(earlier, results, name, null, Options)], earlier, IsExpected: true);
}
