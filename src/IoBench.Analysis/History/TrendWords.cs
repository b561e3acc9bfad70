using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

internal static class TrendWords
{
    private const int MaxChanges = 6;

    public static string Of(HistoryTrend trend)
    {
        var metric = MetricCatalog.Get(trend.Metric);
        var unit = metric.Unit.Length == 0 || metric.Unit == metric.Words ? "" : " " + metric.Unit;
        var where = $"{trend.Workload ?? trend.IOPattern} on {trend.ComputerName ?? trend.Path ?? "?"}";
        var days = Days((trend.Last - trend.First).TotalDays);
        var way = trend.Direction == TrendDirection.Worse ? "worse" : "better";
        return trend switch
        {
            { Direction: TrendDirection.TooFew } =>
                $"{where}: {Number(trend.Latest)}{unit}; {Figures.Counted(trend.Points.Count, "run")} {(trend.Points.Count == 1 ? "is" : "are")} too few for a trend ({HistoryTrend.MinRuns} at different times are needed).",
            { Direction: TrendDirection.Steady } => string.Create(
                CultureInfo.InvariantCulture,
                $"{where}: steady at {Number(trend.Points.Average(p => p.Value))}{unit} over {trend.Points.Count} runs in {days}."
            ),
            { Step: { } step } => string.Create(
                CultureInfo.InvariantCulture,
                $"{where}: {way} since {Day(step.Time)}: {metric.Words} went from {Number(step.Before)} to {Number(step.After)}{unit} ({step.ChangePercent:+0.#;-0.#} %) at once, latest {Number(trend.Latest)}.{At(step)}"
            ),
            _ => string.Create(
                CultureInfo.InvariantCulture,
                $"{where}: {way}: {metric.Words} changed by {trend.ChangePercent:+0.#;-0.#} % in {days} little by little, latest {Number(trend.Latest)}{unit}."
            ),
        };
    }

    public static string Day(DateTimeOffset time) => time.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);

    public static string Changes(TrendStep step) => NameList.Of(step.HostChanges, MaxChanges, "; ");

    private static string Days(double days) => Figures.Plain(days) is var text && text == "1" ? "1 day" : $"{text} days";

    private static string At(TrendStep step) => step.HostChanges.Count == 0 ? "" : $" Changed at the same time: {Changes(step)}.";

    private static string Number(double value) => Figures.Short(value, wholeFrom: 100);
}
