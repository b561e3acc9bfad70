using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class AnswerTables
{
    private static readonly string[] s_repeated = ["IOPS", "AverageLatencyMs", "P99Ms"];

    public static void Print<T>(
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

    public static int WriteRoles(CliConsole console, IReadOnlyList<IoTestResult> results, bool table) =>
        WriteAnswers(console, RoleInterference.Of(results), Write, answer => answer.Summary, table);

    public static int WriteOwnLoad(CliConsole console, IReadOnlyList<IoTestResult> results, bool table) =>
        WriteAnswers(console, ObservedLatency.Of(results), Write, answer => answer.Summary, table);

    public static void Write(TextWriter output, IReadOnlyList<RoleInterference> roles) =>
        TextTable.Write(
            output,
            [
                .. roles.Select(r =>
                    new[]
                    {
                        r.MixLoadPercent is { } share ? FormattableString.Invariant($"{r.Role} {share} %") : r.Role,
                        r.Workload ?? "",
                        r.IOPattern ?? "",
                        Rate(r.AloneIops),
                        Rate(r.TogetherIops),
                        Change(-r.LossPercent),
                        Ms(r.AloneLatencyMs),
                        Ms(r.TogetherLatencyMs),
                        r.LatencyFactor?.ToString("0.0", CultureInfo.InvariantCulture) ?? "",
                        Ms(r.AloneP99Ms),
                        Ms(r.TogetherP99Ms),
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

    public static void Write(TextWriter output, IReadOnlyList<RepeatSummary> repeats) =>
        TextTable.Write(
            output,
            [
                .. repeats.SelectMany(r =>
                    s_repeated
                        .Where(r.Metrics.ContainsKey)
                        .Select(name => (Name: name, Summary: r.Metrics[name], Format: name == "IOPS" ? "#,##0" : "0.000"))
                        .Select(metric =>
                            new[]
                            {
                                r.Label ?? "",
                                r.Workload ?? "",
                                r.IOPattern ?? "",
                                r.Rounds is null ? Figures.Whole(r.Runs) : $"{Figures.Whole(r.Runs)} of {Figures.Whole(r.Rounds)}",
                                metric.Name,
                                Number(metric.Summary.Median, metric.Format),
                                Number(metric.Summary.Min, metric.Format),
                                Number(metric.Summary.Max, metric.Format),
                                Number(metric.Summary.ConfidenceLow, metric.Format),
                                Number(metric.Summary.ConfidenceHigh, metric.Format),
                            }
                        )
                ),
            ],
            "Label",
            "Workload",
            "IOPattern",
            "#Runs",
            "Metric",
            "#Median",
            "#Lowest",
            "#Highest",
            "#95 % from",
            "#to"
        );

    public static void Write(TextWriter output, IReadOnlyList<ObservedLatency> loads) =>
        TextTable.Write(
            output,
            [
                .. loads.Select(l =>
                    new[]
                    {
                        l.Workload ?? "",
                        l.IOPattern ?? "",
                        Rate(l.TargetIops),
                        Rate(l.IOPS),
                        Ms(l.ObservedMs),
                        Ms(l.MeasuredMs),
                        l.Factor?.ToString("0.0", CultureInfo.InvariantCulture) ?? "",
                    }
                ),
            ],
            "Workload",
            "IOPattern",
            "#IOPS asked",
            "#IOPS",
            "#SQL Server ms",
            "#Storage ms",
            "#times"
        );

    public static void Write(TextWriter output, SaturationResult sweep) =>
        TextTable.Write(
            output,
            [
                .. sweep.Points.Select(p =>
                    new[]
                    {
                        Figures.Whole(p.Load),
                        Rate(p.IOPS),
                        Throughput.In(p.MBps)?.ToString("#,##0.0", CultureInfo.InvariantCulture) ?? "",
                        Ms(p.AverageLatencyMs),
                        Ms(p.P99Ms),
                        Ms(p.LittlesLawMs),
                        Change(p.LittlesLawErrorPercent),
                        p.Load == sweep.KneeOutstanding ? "<- knee" : "",
                    }
                ),
            ],
            "#Outstanding",
            "#IOPS",
            "#" + Throughput.Unit,
            "#Avg ms",
            "#P99 ms",
            "#Little's law ms",
            "#off %",
            " "
        );

    public static void Write(TextWriter output, IReadOnlyList<HistoryTrend> trends) =>
        TextTable.Write(
            output,
            [
                .. trends.Select(t =>
                    new[]
                    {
                        t.Workload ?? t.IOPattern ?? "",
                        t.ComputerName ?? "",
                        t.Metric,
                        Figures.Whole(t.Runs),
                        Day(t.First),
                        Day(t.Last),
                        Figure(t.Median),
                        Figure(t.Latest),
                        Change(t.ChangePercent),
                        t.Step is { } step ? Day(step.Time) : "",
                        t.Direction switch
                        {
                            TrendDirection.Better => "better",
                            TrendDirection.Worse => "WORSE",
                            TrendDirection.Steady => "steady",
                            _ => "too few runs",
                        },
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

    private static int WriteAnswers<T>(
        CliConsole console,
        IReadOnlyList<T> answers,
        Action<TextWriter, IReadOnlyList<T>> write,
        Func<T, string> summary,
        bool table
    )
    {
        if (table)
            console.Out.WriteLine();
        Print(console, answers, write, summary, table);
        return ExitCodes.Done;
    }

    private static string Day(DateTimeOffset time) => time.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);

    private static string Figure(double value) => value.ToString(value >= 100 ? "#,##0" : "0.000", CultureInfo.InvariantCulture);

    private static string Rate(double? value) => Number(value, "#,##0");

    private static string Ms(double? value) => Number(value, value >= 1000 ? "#,##0" : "0.000");

    private static string Change(double? percent) => Number(percent, "+0.0;-0.0;0.0");

    private static string Number(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture) ?? "";
}
