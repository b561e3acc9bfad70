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
            roles,
            ("Role", r => r.MixLoadPercent is { } share ? Invariant($"{r.Role} {share} %") : r.Role),
            ("Workload", r => r.Workload),
            ("IOPattern", r => r.IOPattern),
            ("#IOPS alone", r => FormatRate(r.AloneIops)),
            ("#together", r => FormatRate(r.TogetherIops)),
            ("#%", r => FormatChange(-r.LossPercent)),
            ("#Avg ms alone", r => FormatMilliseconds(r.AloneLatencyMs)),
            ("#together", r => FormatMilliseconds(r.TogetherLatencyMs)),
            ("#times", r => FormatNumber(r.LatencyFactor, "0.0")),
            ("#P99 alone", r => FormatMilliseconds(r.AloneP99Ms)),
            ("#together", r => FormatMilliseconds(r.TogetherP99Ms))
        );

    public static void WriteTable(TextWriter output, IReadOnlyList<RepeatSummary> repeats) =>
        TextTable.WriteTable(
            output,
            [
                .. repeats.SelectMany(r =>
                    s_repeatMetrics
                        .Where(r.Metrics.ContainsKey)
                        .Select(name => (Repeat: r, Name: name, Summary: r.Metrics[name], Format: name == "IOPS" ? "#,##0" : "0.000"))
                ),
            ],
            ("Label", m => m.Repeat.Label),
            ("Workload", m => m.Repeat.Workload),
            ("IOPattern", m => m.Repeat.IOPattern),
            ("#Runs", m => FormatRuns(m.Repeat)),
            ("Metric", m => m.Name),
            ("#Mean", m => FormatNumber(m.Summary.Mean, m.Format)),
            ("#Lowest", m => FormatNumber(m.Summary.Min, m.Format)),
            ("#Highest", m => FormatNumber(m.Summary.Max, m.Format)),
            ("#95% from", m => FormatNumber(m.Summary.ConfidenceLow, m.Format)),
            ("#to", m => FormatNumber(m.Summary.ConfidenceHigh, m.Format))
        );

    public static void WriteTable(TextWriter output, IReadOnlyList<ObservedLatencyComparison> loads) =>
        TextTable.WriteTable(
            output,
            loads,
            ("Workload", l => l.Workload),
            ("IOPattern", l => l.IOPattern),
            ("#Target IOPS", l => FormatRate(l.TargetIops)),
            ("#IOPS", l => FormatRate(l.IOPS)),
            ("#SQL Server ms", l => FormatMilliseconds(l.ObservedMs)),
            ("#Storage ms", l => FormatMilliseconds(l.MeasuredMs)),
            ("#times", l => FormatNumber(l.Factor, "0.0"))
        );

    public static void WriteTable(TextWriter output, SaturationResult sweep) =>
        TextTable.WriteTable(
            output,
            sweep.Points,
            ("#Outstanding", p => NumberFormat.Integer(p.Load)),
            ("#IOPS", p => FormatRate(p.IOPS)),
            ("#" + ThroughputDisplay.Unit, p => FormatNumber(ThroughputDisplay.ToUnit(p.MBps), "#,##0.0")),
            ("#Avg ms", p => FormatMilliseconds(p.AverageLatencyMs)),
            ("#P99 ms", p => FormatMilliseconds(p.P99Ms)),
            ("?#Little's law ms", p => FormatMilliseconds(p.LittlesLawMs)),
            ("?#Difference %", p => FormatChange(p.LittlesLawErrorPercent)),
            (" ", p => p.Load == sweep.KneeOutstanding ? "<- knee" : "")
        );

    public static void WriteTable(TextWriter output, IReadOnlyList<HistoryTrend> trends) =>
        TextTable.WriteTable(
            output,
            trends,
            ("Workload", t => t.Workload ?? t.IOPattern),
            ("Computer", t => t.ComputerName),
            ("Metric", t => t.Metric),
            ("#Runs", t => NumberFormat.Integer(t.Runs)),
            ("First", t => FormatDay(t.First)),
            ("Last", t => FormatDay(t.Last)),
            ("#Median", t => FormatValue(t.Median)),
            ("#Latest", t => FormatValue(t.Latest)),
            ("#Change %", t => FormatChange(t.ChangePercent)),
            ("Since", t => t.Step is { } step ? FormatDay(step.Time) : ""),
            ("Trend", t => VerdictWords.Describe(t.Direction))
        );

    private static string FormatRuns(RepeatSummary repeat) =>
        repeat.Rounds is { } rounds
            ? $"{NumberFormat.Integer(repeat.Runs)} of {NumberFormat.Integer(rounds)}"
            : NumberFormat.Integer(repeat.Runs);

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
