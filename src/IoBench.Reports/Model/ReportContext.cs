using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports;

internal sealed record ReportContext(
    string Title,
    IReadOnlyList<IoTestResult> Results,
    ReportOptions Options,
    IoRuleSet RuleSet,
    ComparisonSides Sides,
    Palette Palette
)
{
    /// <exception cref="IoBenchException">The rule set is unknown or invalid, or the baseline has no matching run.</exception>
    public static ReportContext Create(IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        var palette = new Palette();
        // Assign colors in the order of the results, whichever section is created first.
        foreach (var run in results.Take(1000))
            palette.GetColor(RunDescription.DescribePattern(run));
        var title = string.IsNullOrWhiteSpace(options.Title) ? DescribeTitle(results) : options.Title;
        return new(
            title,
            results,
            options,
            options.RuleSet is { } name ? IoRuleSet.Find(name) : RuleSetChoice.ChooseFor(results, options.Storage).Rules,
            ComparisonSides.Create(results, options.Baseline),
            palette
        );
    }

    private readonly Lazy<IReadOnlyList<Sweep>> _sweeps = new(() => Sweep.FindAll(Results));

    public IReadOnlyList<Sweep> Sweeps => _sweeps.Value;

    private readonly Lazy<(IReadOnlyList<RunGroup> Rows, bool HasMergedRuns)> _rows = new(() =>
    {
        var rows = RunGroup.CreateRows(Results);
        ReportDocument.ReleaseMemory(Results.Count);
        return rows;
    });

    public IReadOnlyList<RunGroup> Rows => _rows.Value.Rows;

    /// <summary>Whether runs of the same test share a row.</summary>
    public bool HasMergedRuns => _rows.Value.HasMergedRuns;

    private (IReadOnlyList<IoTestResult> ShownRuns, int AvailableCount)? _heatMapRuns;
    private IReadOnlyList<HeatMap>? _heatMaps;

    public (IReadOnlyList<IoTestResult> ShownRuns, int AvailableCount) HeatMapRuns =>
        _heatMapRuns ??= HeatMap.SelectRuns(Rows, HasMergedRuns);

    public IReadOnlyList<HeatMap> HeatMaps =>
        _heatMaps ??= HeatMap.CreateAll(
            [.. HeatMapRuns.ShownRuns.Select(run => (GetName(run), HeatMap.GetIntervals(run)!))],
            HasMergedRuns ? HeatMap.MaxColumnsSideBySide : HeatMap.MaxColumns
        );

    private readonly Lazy<IReadOnlyList<StalledRun>> _stalls = new(() => StalledRun.Find(Results));

    public IReadOnlyList<StalledRun> Stalls => _stalls.Value;

    private readonly Lazy<IReadOnlyList<SlowestIO>> _slowest = new(() => SlowestIO.Find(Results));

    public IReadOnlyList<SlowestIO> SlowestIOs => _slowest.Value;

    private readonly Lazy<(
        IReadOnlyList<RoleInterference> Roles,
        IReadOnlyList<HistoryTrend> Trends,
        IReadOnlyList<ObservedLatencyComparison> ObservedLatencies,
        IReadOnlyList<CapResult> Caps,
        IReadOnlyList<FleetGroup> Fleets,
        IReadOnlyList<ScalingCurve> ScalingCurves
    )> _analyses = new(() =>
    {
        var fleets = FleetMerge.FindGroups(Results);
        var roles = RoleInterference.Find(Results);
        var trends = HistoryTrend.Find(Results);
        // Sides that are compared are not a history, so a trend with too few runs is left out.
        if (Sides.Comparisons.Count > 0 && trends.All(trend => trend.Direction == TrendDirection.TooFew))
            trends = [];
        var observed = ObservedLatencyComparison.Find(Results);
        var caps = CapResult.AnalyzePlanRuns(Results, Options.Bought);
        var curves = ScalingCurve.Find(fleets);
        ReportDocument.ReleaseMemory(Results.Count);
        return (roles, trends, observed, caps, fleets, curves);
    });

    public IReadOnlyList<RoleInterference> Roles => _analyses.Value.Roles;

    public IReadOnlyList<HistoryTrend> Trends => _analyses.Value.Trends;

    public IReadOnlyList<ObservedLatencyComparison> ObservedLatencies => _analyses.Value.ObservedLatencies;

    public IReadOnlyList<CapResult> Caps => _analyses.Value.Caps;

    public IReadOnlyList<FleetGroup> Fleets => _analyses.Value.Fleets;

    public IReadOnlyList<ScalingCurve> ScalingCurves => _analyses.Value.ScalingCurves;

    /// <param name="isGood">The verdict before is a pass, so sentences that contradict it start with "But".</param>
    public IEnumerable<string> DescribeAnalyses(bool isGood)
    {
        if (ScalingCurves.Count > 0)
            yield return ScalingCurves[0].Summary;
        else if (Fleets.Count > 0 && Fleets.MaxBy(group => group.IOPS ?? 0) is { AskedHosts: > 1 } largest)
            yield return largest.Summary;
        if (Roles.Count > 0)
            yield return AddContrast(
                isGood && RolesSection.FindMostAffected(Roles).Findings[0].Severity >= FindingSeverity.Warning,
                RolesSection.DescribeMain(Roles)
            );
        if (Trends.Count > 0)
            yield return AddContrast(
                isGood && Trends.Any(trend => trend.Direction == TrendDirection.Worse),
                TrendSection.DescribeTrends(Trends)
            );
        foreach (var load in ObservedLatencies.OrderBy(load => load.Verdict).Take(2))
            yield return AddContrast(isGood && load.Findings[0].Severity >= FindingSeverity.Warning, load.Summary);
    }

    private static string AddContrast(bool isAgainst, string sentence) =>
        !isAgainst
            ? sentence
            : "But " + (sentence.Length > 1 && char.IsUpper(sentence[1]) ? sentence : char.ToLowerInvariant(sentence[0]) + sentence[1..]);

    private readonly Lazy<Dictionary<IoTestResult, string>> _names = new(() =>
    {
        var names = RunDescription.CreateNames(Results);
        ReportDocument.ReleaseMemory(Results.Count);
        return Results
            .Select((run, index) => (run, index))
            .DistinctBy(item => item.run)
            .ToDictionary(item => item.run, item => names[item.index]);
    });

    /// <summary>A name that no other run of the report has; for a run of the baseline, its workload or pattern.</summary>
    public string GetName(IoTestResult run) =>
        _names.Value.TryGetValue(run, out var name) ? name : run.Workload ?? RunDescription.DescribePattern(run);

    /// <summary>Names the tool and the file, as in the classic workbook; for IoBench, the computer and the volume.</summary>
    public static string DescribeTitle(IReadOnlyList<IoTestResult> results)
    {
        var tools = results.Select(run => ResultFormats.GetToolName(run.Source)).Distinct().ToList();
        if (tools.Count > 1)
            return $"I/O Test Results from {string.Join(", ", tools.Order(StringComparer.Ordinal))}";
        var tool = tools[0];
        if (tool != "IoBench")
        {
            var files = results.Select(run => run.SourceFile is { } file ? RunDescription.GetFileName(file) : null);
            return $"{tool} Test Results{DescribeTitle(files, "files", " from ")}";
        }
        var computers = DescribeTitle(results.Select(run => run.ComputerName), "computers", " of ");
        var preposition = results.Any(run => run.ComputerName is not null) ? ", " : " of ";
        var volumes = DescribeTitle(results.SelectMany(run => run.Path?.Split("; ") ?? []).Select(GetVolume), "volumes", preposition);
        return $"IoBench Test Results{computers}{volumes}{FormatDates(results)}";
    }

    private static string DescribeTitle(IEnumerable<string?> names, string several, string preposition)
    {
        var known = names.OfType<string>().Distinct().Take(10_001).ToList();
        return known.Count switch
        {
            0 => "",
            1 => preposition + known[0],
            _ => Invariant($"{preposition}{known.Count} {several}"),
        };
    }

    /// <summary>The drive (<c>T:</c>), else the folder, because a mounted volume has no other name.</summary>
    private static string GetVolume(string path)
    {
        var cut = path.LastIndexOfAny(['/', '\\']);
        return cut switch
        {
            < 0 => path,
            0 => "/",
            2 when path[1] == ':' => path[..2],
            _ => path[..cut],
        };
    }

    private static string FormatDates(IReadOnlyList<IoTestResult> results)
    {
        var days = results.Select(run => run.StartTime?.Date).OfType<DateTime>().ToList();
        return days.Count == 0 ? ""
            : days.Min() == days.Max() ? days.Min().ToString(", yyyy-MM-dd", CultureInfo.InvariantCulture)
            : Invariant($", {days.Min():yyyy-MM-dd} to {days.Max():yyyy-MM-dd}");
    }
}
