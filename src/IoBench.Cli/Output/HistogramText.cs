using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Cli.Output;

/// <summary>One result in some lines: its percentiles, its latency bands as bars, its rate over time.</summary>
internal static class HistogramText
{
    private const int BarWidth = 32;
    private const double FewPercent = 1;
    private const string Levels = "▁▂▃▄▅▆▇█";

    public static IEnumerable<string> Of(IoTestResult result)
    {
        yield return Title(result);
        yield return Percentiles(result);
        foreach (var band in Bands(result))
            yield return band;
        if (Sparkline(result) is { } line)
            yield return line;
    }

    private static string Title(IoTestResult result)
    {
        var name = result.Workload is null ? result.IOPattern : $"{result.Workload}: {result.IOPattern}";
        var size = result.FileSizeMB is { } megabytes ? $" ({new IoSize((long)(megabytes * (1 << 20))).ToDisplayString()})" : "";
        return string.Create(CultureInfo.InvariantCulture,
            $"{name} on {result.Path}{size}, {result.ThreadCount} thread{(result.ThreadCount == 1 ? "" : "s")} x {result.OutstandingIO} outstanding, {result.DurationSeconds:0.0} s")
            + (result.IOCount is { } count ? string.Create(CultureInfo.InvariantCulture, $", {count:#,##0} I/Os") : "");
    }

    private static string Percentiles(IoTestResult result)
    {
        (string Name, double? Value)[] values =
        [
            ("min", result.MinLatencyMs), ("avg", result.AverageLatencyMs), ("p50", result.P50Ms), ("p90", result.P90Ms), ("p95", result.P95Ms),
            ("p99", result.P99Ms), ("p99.9", result.P999Ms), ("max", result.MaxLatencyMs),
        ];
        return "latency (ms)   " + string.Join("   ", values.Where(v => v.Value is not null).Select(v => string.Create(CultureInfo.InvariantCulture, $"{v.Name} {v.Value:0.000}")));
    }

    /// <summary>Bands that double; at each end those that hold less than a hundredth of the I/Os are one.</summary>
    private static IEnumerable<string> Bands(IoTestResult result)
    {
        var buckets = result.Histogram?.Buckets.Where(b => b.Percent > 0).OrderBy(b => b.FromMs).ToList() ?? [];
        if (buckets.Count == 0)
            yield break;
        var bands = result.Histogram!.Kind == "sqlio"
            ? buckets.ConvertAll(b => new Band(b.FromMs, b.ToMs, b.Percent))
            : JoinEnds(Doubling(buckets), result.MinLatencyMs, result.MaxLatencyMs);
        var most = bands.Max(b => b.Percent);
        var format = bands[0].From < 0.1 && result.Histogram.Kind != "sqlio" ? "0.000" : "0.00";
        foreach (var (from, to, percent) in bands)
        {
            var bar = (int)Math.Round(percent / most * BarWidth);
            var upper = to?.ToString(format, CultureInfo.InvariantCulture) ?? "";
            yield return string.Create(CultureInfo.InvariantCulture,
                $"{from.ToString(format, CultureInfo.InvariantCulture),9} - {upper,9} | {(bar == 0 ? "." : new string('#', bar)),-BarWidth} {percent,6:0.0} %");
        }
    }

    private static List<Band> Doubling(List<IoHistogramBucket> buckets)
    {
        // Powers of 2 of a millisecond: edges such as 0.125, 0.25, 0.5 that people know.
        static int Power(double ms) => ms <= 1 / 1024.0 ? -10 : (int)Math.Floor(Math.Log2(ms));
        return [.. buckets.GroupBy(b => Power(b.FromMs)).OrderBy(g => g.Key)
            .Select(g => new Band(g.Key == -10 ? 0 : Math.Pow(2, g.Key), Math.Pow(2, g.Key + 1), g.Sum(b => b.Percent)))];
    }

    private static List<Band> JoinEnds(List<Band> bands, double? least, double? greatest)
    {
        while (bands.Count > 2 && bands[0].Percent + bands[1].Percent < FewPercent)
            bands = [new Band(bands[0].From, bands[1].To, bands[0].Percent + bands[1].Percent), .. bands.Skip(2)];
        while (bands.Count > 2 && bands[^1].Percent + bands[^2].Percent < FewPercent)
            bands = [.. bands.SkipLast(2), new Band(bands[^2].From, bands[^1].To, bands[^2].Percent + bands[^1].Percent)];
        // The ends are what was measured.
        if (least > bands[0].From && least < bands[0].To)
            bands[0] = bands[0] with { From = least.Value };
        if (greatest > bands[^1].From)
            bands[^1] = bands[^1] with { To = greatest };
        return bands;
    }

    private static string? Sparkline(IoTestResult result)
    {
        var rates = result.Timeline.Select(p => p.IOPS).OfType<double>().ToList();
        if (rates.Count < 3 || rates.Max() <= 0)
            return null;
        // At most 60 characters: neighbours are averaged.
        var step = (int)Math.Ceiling(rates.Count / 60.0);
        var points = rates.Chunk(step).Select(chunk => chunk.Average()).ToList();
        var top = points.Max();
        var line = new StringBuilder("IOPS over time  ");
        foreach (var point in points)
            line.Append(Levels[(int)Math.Clamp(point / top * (Levels.Length - 1), 0, Levels.Length - 1)]);
        if (result is { IopsStdDev: { } deviation, IOPS: > 0 })
            line.Append(CultureInfo.InvariantCulture, $"   variation {deviation / result.IOPS.Value:0.00}");
        return line.ToString();
    }

    /// <summary>Share of I/Os between two latencies; an open end is null.</summary>
    private readonly record struct Band(double From, double? To, double Percent);
}
