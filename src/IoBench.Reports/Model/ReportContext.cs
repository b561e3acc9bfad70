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

    private readonly Lazy<ReportAnalyses> _analyses = new(() => AnalyzeResults(Results, Options, Sides));

    public ReportAnalyses Analyses => _analyses.Value;

    /// <summary>Sides that are compared are not a history, so a trend with too few runs is left out.</summary>
    private static ReportAnalyses AnalyzeResults(IReadOnlyList<IoTestResult> results, ReportOptions options, ComparisonSides sides)
    {
        var answers = ReportAnalyses.Analyze(results, options.Bought);
        ReportDocument.ReleaseMemory(results.Count);
        return sides.Comparisons.Count > 0 && answers.Trends.All(trend => trend.Direction == TrendDirection.TooFew)
            ? answers with
            {
                Trends = [],
            }
            : answers;
    }

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
            return $"I/O Test Results of {string.Join(", ", tools.Order(StringComparer.Ordinal))}";
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
