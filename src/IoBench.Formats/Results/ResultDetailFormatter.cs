using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Formats the details of one result as lines of text: percentiles, latency bands as bars, and the IOPS over time.</summary>
public static class ResultDetailFormatter
{
    private const int BarWidth = 32;
    private const int SparkWidth = 60;
    private const double FewPercent = 1;
    private const string Levels = "▁▂▃▄▅▆▇█";

    public static IEnumerable<string> FormatResult(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return FormatLines(result);
    }

    /// <summary>IOPS over time, at most 60 characters; null if there are fewer than three intervals.</summary>
    public static string? CreateSparkline(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        var rates = result.Timeline.Select(p => p.IOPS).OfType<double>().ToList();
        if (rates.Count < 3 || rates.Max() <= 0)
            return null;
        var step = (rates.Count + SparkWidth - 1) / SparkWidth;
        var points = rates.Chunk(step).Select(chunk => chunk.Average()).ToList();
        var top = points.Max();
        var line = string.Concat(points.Select(point => Levels[(int)Math.Clamp(point / top * (Levels.Length - 1), 0, Levels.Length - 1)]));
        return result is { IopsStdDev: { } deviation, IOPS: > 0 }
            ? line + string.Create(CultureInfo.InvariantCulture, $"   variation {deviation / result.IOPS.Value:0.00}")
            : line;
    }

    private static IEnumerable<string> FormatLines(IoTestResult result)
    {
        yield return FormatTitle(result);
        yield return FormatPercentiles(result);
        foreach (var band in FormatLatencyBands(result))
            yield return band;
        if (CreateSparkline(result) is { } line)
            yield return "IOPS over time  " + line;
    }

    private static string FormatTitle(IoTestResult result)
    {
        var title = string.Join(": ", new[] { result.Workload ?? result.Label, result.IOPattern }.Where(part => part is not null));
        if (result.Path is not null)
            title += $" on {result.Path}";
        if (result.FileSizeMB is { } megabytes)
            title += $" ({IoSize.Format((long)(megabytes * (1 << 20)))})";
        if (result.ThreadCount is { } threads)
            title += ", " + NumberFormat.Pluralize(threads, "thread");
        if (result is { ThreadCount: not null, OutstandingIO: { } depth })
            title += string.Create(CultureInfo.InvariantCulture, $" x {depth} outstanding");
        if (result.DurationSeconds is { } seconds)
            title += string.Create(CultureInfo.InvariantCulture, $", {seconds:0.0} s");
        return result.IOCount is { } count ? title + string.Create(CultureInfo.InvariantCulture, $", {count:#,##0} I/Os") : title;
    }

    private static string FormatPercentiles(IoTestResult result)
    {
        var shown = DisplayLatency.FromResult(result);
        (string Name, double? Value)[] values =
        [
            ("min", shown.MinMs),
            ("avg", shown.AverageMs),
            ("p50", shown.P50Ms),
            ("p90", shown.P90Ms),
            ("p95", shown.P95Ms),
            ("p99", shown.P99Ms),
            ("p99.9", shown.P999Ms),
            ("max", shown.MaxMs),
        ];
        return (shown.IsResponse ? "response (ms)   " : "latency (ms)   ")
            + (
                values.All(v => v.Value is null)
                    ? "not known"
                    : string.Join("   ", values.Where(v => v.Value is not null).Select(v => $"{v.Name} {NumberFormat.Fixed(v.Value, 3)}"))
            );
    }

    /// <summary>Formats bands that double in width. At each end, bands with less than 1% of the I/Os are merged.</summary>
    private static IEnumerable<string> FormatLatencyBands(IoTestResult result)
    {
        var shown = DisplayLatency.FromResult(result);
        var buckets = shown.Histogram?.Buckets.Where(b => b.Percent > 0).OrderBy(b => b.FromMs).ToList() ?? [];
        if (buckets.Count == 0)
            yield break;
        var bands = shown.Histogram!.Kind is "sqlio" or "fio"
            ? buckets.ConvertAll(b => (From: b.FromMs, To: b.ToMs, b.Percent))
            : MergeSmallEnds(MergeToDoublingBands(buckets), shown.MinMs, shown.MaxMs);
        var max = bands.Max(b => b.Percent);
        var decimals = bands[0].From < 0.1 && shown.Histogram.Kind != "sqlio" ? 3 : 2;
        foreach (var (from, to, percent) in bands)
        {
            var bar = (int)Math.Round(percent / max * BarWidth);
            var upper = NumberFormat.Fixed(to, decimals, "more");
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"{NumberFormat.Fixed(from, decimals), 9} - {upper, 9} | {(bar == 0 ? "." : new string('#', bar)), -BarWidth} {percent, 6:0.0} %"
            );
        }
    }

    private static List<(double From, double? To, double Percent)> MergeToDoublingBands(List<IoHistogramBucket> buckets)
    {
        // Use powers of 2 of a millisecond, so that the edges are familiar numbers such as 0.125, 0.25, and 0.5.
        static int Power(double ms) => ms <= 1 / 1024.0 ? -10 : (int)Math.Floor(Math.Log2(ms));
        return
        [
            .. buckets
                .GroupBy(b => Power(b.FromMs))
                .OrderBy(g => g.Key)
                .Select(g => (g.Key == -10 ? 0 : Math.Pow(2, g.Key), (double?)Math.Pow(2, g.Key + 1), g.Sum(b => b.Percent))),
        ];
    }

    private static List<(double From, double? To, double Percent)> MergeSmallEnds(
        List<(double From, double? To, double Percent)> bands,
        double? min,
        double? max
    )
    {
        while (bands.Count > 2 && bands[0].Percent + bands[1].Percent < FewPercent)
            bands = [(bands[0].From, bands[1].To, bands[0].Percent + bands[1].Percent), .. bands.Skip(2)];
        while (bands.Count > 2 && bands[^1].Percent + bands[^2].Percent < FewPercent)
            bands = [.. bands.SkipLast(2), (bands[^2].From, bands[^1].To, bands[^2].Percent + bands[^1].Percent)];
        // Replace the outer edges with the measured minimum and maximum.
        if (min > bands[0].From && min < bands[0].To)
            bands[0] = (min.Value, bands[0].To, bands[0].Percent);
        if (max > bands[^1].From)
            bands[^1] = (bands[^1].From, max, bands[^1].Percent);
        return bands;
    }
}
