using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class AnalysisTables
{
    private static readonly string[] s_repeatMetrics = ["IOPS", "AverageLatencyMs", "P99Ms"];

    public static void PrintAnalyses<T>(
        CliConsole console,
        IReadOnlyList<T> answers,
        Action<TextWriter, IReadOnlyList<T>> write,
        Func<T, string> summary,
        bool table = true
    )
    {
        if (table)
            write(console.Out, answers);
        foreach (var answer in answers)
            console.Error.WriteLine(summary(answer));
    }

    public static int WriteRoleInterference(CliConsole console, IReadOnlyList<IoTestResult> results, bool table) =>
        WriteAnalyses(console, RoleInterference.Analyze(results), WriteTable, answer => answer.Summary, table);

    public static int WriteObservedLatency(CliConsole console, IReadOnlyList<IoTestResult> results, bool table) =>
        WriteAnalyses(console, ObservedLatencyComparison.Analyze(results), WriteTable, answer => answer.Summary, table);

    public static void WriteTable(TextWriter output, IReadOnlyList<RoleInterference> roles) =>
        TextTable.WriteTable(
            output,
            [
                .. roles.Select(r =>
                    new[]
                    {
                        r.MixLoadPercent is { } share ? FormattableString.Invariant($"{r.Role} {share} %") : r.Role,
                        r.Workload ?? "",
                        r.IOPattern ?? "",
                        FormatRate(r.AloneIops),
                        FormatRate(r.TogetherIops),
                        FormatChange(-r.LossPercent),
                        FormatMilliseconds(r.AloneLatencyMs),
                        FormatMilliseconds(r.TogetherLatencyMs),
                        r.LatencyFactor?.ToString("0.0", CultureInfo.InvariantCulture) ?? "",
                        FormatMilliseconds(r.AloneP99Ms),
                        FormatMilliseconds(r.TogetherP99Ms),
                    }
                ),
            ],
            "Role",
            "Workload",
            "IOPattern",
            "#IOPS alone",
            "#together",
            "#%",
            "#Avg ms alone",
            "#together",
            "#times",
            "#P99 alone",
            "#together"
        );

    public static void WriteTable(TextWriter output, IReadOnlyList<RepeatSummary> repeats) =>
        TextTable.WriteTable(
            output,
            [
                .. repeats.SelectMany(r =>
                    s_repeatMetrics
                        .Where(r.Metrics.ContainsKey)
                        .Select(name => (Name: name, Summary: r.Metrics[name], Format: name == "IOPS" ? "#,##0" : "0.000"))
                        .Select(metric =>
                            new[]
                            {
                                r.Label ?? "",
                                r.Workload ?? "",
                                r.IOPattern ?? "",
                                r.Rounds is null
                                    ? NumberFormat.Integer(r.Runs)
                                    : $"{NumberFormat.Integer(r.Runs)} of {NumberFormat.Integer(r.Rounds)}",
                                metric.Name,
                                FormatNumber(metric.Summary.Mean, metric.Format),
                                FormatNumber(metric.Summary.Min, metric.Format),
                                FormatNumber(metric.Summary.Max, metric.Format),
                                FormatNumber(metric.Summary.ConfidenceLow, metric.Format),
                                FormatNumber(metric.Summary.ConfidenceHigh, metric.Format),
                            }
                        )
                ),
            ],
            "Label",
            "Workload",
            "IOPattern",
            "#Runs",
            "Metric",
            "#Mean",
            "#Lowest",
            "#Highest",
            "#95% from",
            "#to"
        );

    public static void WriteTable(TextWriter output, IReadOnlyList<ObservedLatencyComparison> loads) =>
        TextTable.WriteTable(
            output,
            [
                .. loads.Select(l =>
                    new[]
                    {
                        l.Workload ?? "",
                        l.IOPattern ?? "",
                        FormatRate(l.TargetIops),
                        FormatRate(l.IOPS),
                        FormatMilliseconds(l.ObservedMs),
                        FormatMilliseconds(l.MeasuredMs),
                        l.Factor?.ToString("0.0", CultureInfo.InvariantCulture) ?? "",
                    }
                ),
            ],
            "Workload",
            "IOPattern",
            "#Target IOPS",
            "#IOPS",
            "#SQL Server ms",
            "#Storage ms",
            "#times"
        );

    public static void WriteTable(TextWriter output, SaturationResult sweep) =>
        TextTable.WriteTable(
            output,
            [
                .. sweep.Points.Select(p =>
                    new[]
                    {
                        NumberFormat.Integer(p.Load),
                        FormatRate(p.IOPS),
                        ThroughputDisplay.ToUnit(p.MBps)?.ToString("#,##0.0", CultureInfo.InvariantCulture) ?? "",
                        FormatMilliseconds(p.AverageLatencyMs),
                        FormatMilliseconds(p.P99Ms),
                        FormatMilliseconds(p.LittlesLawMs),
                        FormatChange(p.LittlesLawErrorPercent),
                        p.Load == sweep.KneeOutstanding ? "<- knee" : "",
                    }
                ),
            ],
            "#Outstanding",
            "#IOPS",
            "#" + ThroughputDisplay.Unit,
            "#Avg ms",
            "#P99 ms",
            "?#Little's law ms",
            "?#Difference %",
            " "
        );

    public static void WriteTable(TextWriter output, IReadOnlyList<HistoryTrend> trends) =>
        TextTable.WriteTable(
            output,
            [
                .. trends.Select(t =>
                    new[]
                    {
                        t.Workload ?? t.IOPattern ?? "",
                        t.ComputerName ?? "",
                        t.Metric,
                        NumberFormat.Integer(t.Runs),
                        FormatDay(t.First),
                        FormatDay(t.Last),
                        FormatValue(t.Median),
                        FormatValue(t.Latest),
                        FormatChange(t.ChangePercent),
                        t.Step is { } step ? FormatDay(step.Time) : "",
                        VerdictWords.Describe(t.Direction),
                    }
                ),
            ],
            "Workload",
            "Computer",
            "Metric",
            "#Runs",
            "First",
            "Last",
            "#Median",
            "#Latest",
            "#Change %",
            "Since",
            "Trend"
        );

    private static int WriteAnalyses<T>(
        CliConsole console,
        IReadOnlyList<T> answers,
        Action<TextWriter, IReadOnlyList<T>> write,
        Func<T, string> summary,
        bool table
    )
    {
        if (table)
            console.Out.WriteLine();
        PrintAnalyses(console, answers, write, summary, table);
        return ExitCodes.Success;
    }

    private static string FormatDay(DateTimeOffset time) => time.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);

    private static string FormatValue(double value) => value.ToString(value >= 100 ? "#,##0" : "0.000", CultureInfo.InvariantCulture);

    private static string FormatRate(double? value) => FormatNumber(value, "#,##0");

    private static string FormatMilliseconds(double? value) => FormatNumber(value, value >= 1000 ? "#,##0" : "0.000");

    private static string FormatChange(double? percent) => FormatNumber(percent, "+0.0;-0.0;0.0");

    private static string FormatNumber(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture) ?? "";
}
