using System.Globalization;
using IoBench.Engine;
using IoBench.Reports.Model;

namespace IoBench.Reports.Sections;

/// <summary>How long I/Os took: percentiles of each run, and the share of I/Os by latency. Left out when no run knows its latency.</summary>
internal static class LatencySection
{
    private const int MaxRunsInChart = 60;
    private const int MaxRunsSideBySide = 4;
    private const double BandWidth = 8, LatencyWidth = 10;

    private static readonly (string Name, Func<IoTestResult, double?> Value, SeriesLook Look)[] s_lines =
    [
        // Light to dark with rising percentile: the order survives grey printing.
        ("average", run => run.AverageLatencyMs, new("7F7F7F", MarkerShape.Diamond, true)),
        ("median", run => run.P50Ms, new("72B0DB", MarkerShape.Circle)),
        ("p90", run => run.P90Ms, new("3D8FC6", MarkerShape.Square)),
        ("p99", run => run.P99Ms, new("0B4F82", MarkerShape.Triangle)),
        ("p99.9", run => run.P999Ms, new("D55E00", MarkerShape.Circle)),
        ("longest", run => run.MaxLatencyMs, new("4A1500", MarkerShape.Square)),
    ];

    private sealed record NamedRun(string Name, IoTestResult Run);

    private static readonly (TableColumn, Func<NamedRun, CellValue>)[] s_columns =
    [
        (new("Run", false, 46), item => CellValue.Of(item.Name)),
        (new("Threads"), item => CellValue.Of(item.Run.ThreadCount, CellStyle.Whole)),
        (new("Outstanding"), item => CellValue.Of(item.Run.OutstandingIO, CellStyle.Whole)),
        Milliseconds("Average", run => run.AverageLatencyMs), Milliseconds("Least", run => run.MinLatencyMs), Milliseconds("Median", run => run.P50Ms),
        Milliseconds("p90", run => run.P90Ms), Milliseconds("p95", run => run.P95Ms), Milliseconds("p99", run => run.P99Ms), Milliseconds("p99.9", run => run.P999Ms),
        Milliseconds("Longest", run => run.MaxLatencyMs), Milliseconds("Std dev", run => run.LatencyStdDevMs),
        Milliseconds("Response average", run => run.ResponseAverageMs), Milliseconds("Response p99", run => run.ResponseP99Ms),
        (new("Little's law (ms)"), item => CellValue.Of(item.Run.LittlesLawLatencyMs, CellStyle.ThreeDecimals)),
        (new("I/Os"), item => CellValue.Of(item.Run.IOCount, CellStyle.Whole)),
    ];

    /// <summary>The section; null when no run knows its latency.</summary>
    public static Section? Build(ReportContext context)
    {
        var runs = context.Results.Where(run => run.AverageLatencyMs is not null || run.MaxLatencyMs is not null || run.Histogram is not null || run.LittlesLawLatencyMs is not null).ToList();
        if (runs.Count == 0)
            return null;
        var names = runs.ConvertAll(context.NameOf);
        var charts = new List<ChartSpec>();
        if (PercentileChart(context, runs, names) is { } percentiles)
            charts.Add(percentiles);
        var blocks = new List<Block>();
        if (runs.Any(run => run.Source == IoResultSource.Sqlio))
            blocks.Add(new TextBlock("SQLIO cuts latency to whole milliseconds twice, so its average can be up to 2 ms too low. Little's law (outstanding / IOPS) is finer."));
        var tables = new List<Block>
        {
            new TextBlock("Latency by run", CellStyle.Heading),
            ColumnSet.Table("Latency", [.. runs.Select((run, index) => new NamedRun(names[index], run))], s_columns) with { WrapsHeader = true },
        };
        foreach (var sqlio in new[] { false, true })
            AddHistograms(context, [.. runs.Where(run => run.Histogram is { Buckets.Count: > 0 } histogram && histogram.Kind == "sqlio" == sqlio)], sqlio, charts, tables);
        if (charts.Count > 0)
            blocks.Add(new ChartsBlock(charts));
        return new("Latency", "Latency: how long I/Os took", [.. blocks, .. tables]);
    }

    private static (TableColumn, Func<NamedRun, CellValue>) Milliseconds(string name, Func<IoTestResult, double?> value)
        => (new($"{name} (ms)", MinWidth: LatencyWidth), item => RunText.LatencyCell(item.Run, value(item.Run)));

    private static ChartSpec? PercentileChart(ReportContext context, List<IoTestResult> runs, List<string> names)
    {
        var shown = Math.Min(runs.Count, MaxRunsInChart);
        // A logarithmic axis has no zero: SQLIO's 0 ms are gaps.
        var series = s_lines
            .Select(line => new ChartSeries(line.Name, [.. runs.Take(shown).Select(run => line.Value(run) is > 0 and { } value ? value : (double?)null)], line.Look))
            .Where(item => item.Values.Any(value => value is not null)).ToList();
        if (series.Count == 0)
            return null;
        if (runs.Count <= MaxRunsSideBySide)
            return ByPercentile(context, runs, names, series);
        return new(ChartKind.Lines, shown < runs.Count ? string.Create(CultureInfo.InvariantCulture, $"Latency of the first {shown} of {runs.Count:#,##0} runs") : "Latency by run", "Run", "Latency (ms), logarithmic")
        {
            Categories = names[..shown],
            Series = series,
            Logarithmic = true,
            ShowLegend = true,
            // Upright labels take their length from the drawing.
            Height = 330 + (shown > 15 ? names[..shown].Max(name => name.Length) * 4 : 0),
        };
    }

    /// <summary>Of few runs a line a run over the percentiles: a line between a handful of unlike runs says nothing.</summary>
    private static ChartSpec ByPercentile(ReportContext context, List<IoTestResult> runs, List<string> names, List<ChartSeries> lines)
        => new(ChartKind.Lines, "Latency by percentile", "Percentile", "Latency (ms), logarithmic")
        {
            Categories = lines.ConvertAll(line => line.Name),
            Series = [.. runs.Select((run, index) => new ChartSeries(names[index], lines.ConvertAll(line => line.Values[index]), LookOf(context, runs, index)))],
            Logarithmic = true,
            ShowLegend = true,
            ShowValues = runs.Count <= 2,
            Height = 330,
        };

    /// <summary>The pattern's colour, unless several runs have that.</summary>
    private static SeriesLook LookOf(ReportContext context, List<IoTestResult> runs, int index)
        => runs.Select(RunText.Pattern).Distinct().Count() < runs.Count ? Palette.Nth(index) : context.Palette.LookOf(RunText.Pattern(runs[index]));

    private static void AddHistograms(ReportContext context, List<IoTestResult> runs, bool sqlio, List<ChartSpec> charts, List<Block> tables)
    {
        if (runs.Count == 0)
            return;
        var bands = sqlio ? LatencyBands.Sqlio : LatencyBands.Covering(runs.Take(MaxRunsInChart).Select(run => run.Histogram!));
        var names = runs.ConvertAll(context.NameOf);
        charts.Add(runs.Count <= MaxRunsSideBySide ? SideBySide(context, runs, names, bands) : Stacked(runs, names, sqlio ? LatencyBands.CoarseSqlio : LatencyBands.Coarse));

        tables.Add(new TextBlock(sqlio ? "Share of I/Os by latency in percent, in SQLIO's whole milliseconds" : "Share of I/Os by latency in percent; bands in milliseconds", CellStyle.Heading));
        var columns = new List<TableColumn> { new("Run", false, 46) };
        columns.AddRange(Enumerable.Range(0, bands.Count).Select(band => new TableColumn(bands.NameOf(band), MinWidth: BandWidth)));
        tables.Add(new TableBlock(sqlio ? "SqlioHistogram" : "Histogram", columns, runs.Count, (index, cells) =>
        {
            cells[0] = CellValue.Of(names[index]);
            var shares = bands.SharesOf(runs[index].Histogram!);
            for (var band = 0; band < shares.Length; band++)
                cells[band + 1] = shares[band] == 0 ? CellValue.Empty : CellValue.Of(shares[band], sqlio ? CellStyle.Whole : CellStyle.TwoDecimals);
        }, IsFilterable: false));
    }

    private static ChartSpec SideBySide(ReportContext context, List<IoTestResult> runs, List<string> names, LatencyBands bands)
    {
        return new(ChartKind.Columns, "Share of I/Os by latency", "Latency (ms)", "Share of I/Os (%)")
        {
            Categories = [.. Enumerable.Range(0, bands.Count).Select(bands.NameOf)],
            Series = [.. runs.Select((run, index) => new ChartSeries(names[index], [.. bands.SharesOf(run.Histogram!).Select(share => (double?)share)],
                LookOf(context, runs, index)))],
            ShowLegend = true,
            Height = 330,
        };
    }

    private static ChartSpec Stacked(List<IoTestResult> runs, List<string> names, LatencyBands bands)
    {
        var shown = Math.Min(runs.Count, MaxRunsInChart);
        // Bars grow upwards; the first run shall stand on top.
        var shares = runs.Take(shown).Reverse().Select(run => bands.SharesOf(run.Histogram!)).ToList();
        return new(ChartKind.StackedBars, "Share of I/Os by latency (ms)", "Run", "Share of I/Os")
        {
            Categories = [.. names.Take(shown).Reverse()],
            Series = [.. Enumerable.Range(0, bands.Count)
                .Where(band => shares.Any(share => share[band] > 0))
                .Select(band => new ChartSeries(bands.NameOf(band), [.. shares.Select(share => (double?)share[band])], new(Palette.LatencyRamp[band])))],
            ShowLegend = true,
            Height = Math.Max(330, 110 + shown * 15),
        };
    }
}
