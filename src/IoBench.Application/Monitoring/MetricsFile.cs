using System.Text;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>File of <c>--metrics</c> for monitoring, such as the textfile collector of the Prometheus node_exporter. Each run replaces the
/// whole file. Only a file that IoBench wrote for this purpose is replaced.</summary>
public sealed class MetricsFile : IDisposable
{
    public const string Extension = ".prom";

    private static readonly UTF8Encoding s_encoding = new(encoderShouldEmitUTF8Identifier: false);

    private static readonly string[] s_verdicts = [.. Enum.GetValues<VerdictOutcome>().Select(VerdictWords.Describe)];

    private static readonly string[] s_directions = [.. Enum.GetValues<TrendDirection>().Select(VerdictWords.Describe)];

    private static readonly string[] s_checkOutcomes = ["PASS", "WARNING", "FAIL", "NOT RATED"];

    private static readonly (MonitoringMetric Metric, Func<IoTestResult, double?> Value)[] s_values =
    [
        (MonitoringMetric.TestFailed, result => result.Status == IoResultStatus.Complete ? 0 : 1),
        (MonitoringMetric.TestStart, result => ToUnixSeconds(result.StartTime)),
        (MonitoringMetric.TestDuration, result => result.DurationSeconds),
        (MonitoringMetric.Iops, result => result.IOPS),
        (MonitoringMetric.Throughput, result => result.BandwidthMBps * (1 << 20)),
        (MonitoringMetric.AverageLatency, result => result.AverageLatencyMs / 1000),
        (MonitoringMetric.P99Latency, result => result.P99Ms / 1000),
        (MonitoringMetric.MaxLatency, result => result.MaxLatencyMs / 1000),
        (MonitoringMetric.AverageResponseTime, result => result.ResponseAverageMs / 1000),
        (MonitoringMetric.P99ResponseTime, result => result.ResponseP99Ms / 1000),
        (MonitoringMetric.MaxResponseTime, result => result.ResponseMaxMs / 1000),
        (MonitoringMetric.IntegrityErrors, result => result.Integrity?.ErrorCount),
    ];

    private MetricsFile(OutputFile output) => Output = output;

    public OutputFile Output { get; }

    /// <summary>Locks the name before the work begins; null if no file was requested.</summary>
    /// <exception cref="IoBenchException">The errors of <see cref="OutputFile.Reserve"/>, and <c>IoBench.InvalidOutputPath</c> for another
    /// extension.</exception>
    public static MetricsFile? Reserve(string? path)
    {
        if (path is null)
            return null;
        // The collector reads no other files, and the name of a result file here is a mistake.
        if (!Path.GetExtension(path).Equals(Extension, StringComparison.OrdinalIgnoreCase))
            throw IoBenchException.Usage(
                "IoBench.InvalidOutputPath",
                $"{new OptionName("MetricsPath")}: {path} does not end in {Extension}.",
                path,
                advice: $"Use a name such as iobench{Extension}, because the collector reads only files with this extension."
            );
        return new(OutputFile.Reserve(path, mayExist: true, isOwn: IsMetrics));
    }

    /// <summary>Writes the metrics and the verdicts of tests.</summary>
    /// <param name="command">Command that rated the results, such as <c>run</c>.</param>
    /// <param name="rules">Rule sets that rate the results.</param>
    public void WriteResults(string command, IReadOnlyList<IoTestResult> results, IEnumerable<IoRuleSet> rules)
    {
        var text = Begin(command, GetCommonHost(results), out var labels);
        text.Add(MonitoringMetric.Tests, labels, results.Count);
        text.Add(MonitoringMetric.Errors, labels, results.Count(result => result.Status != IoResultStatus.Complete));
        var tests = OpenMetricsText.NumberEqualLabels(results.Select(CreateLabels));
        for (var i = 0; i < results.Count; i++)
            AddResult(text, tests[i], results[i]);
        foreach (var set in rules)
        {
            var verdict = Verdict.Create(results, set);
            AddVerdict(text, MonitoringMetric.Verdict, labels, set, verdict.Outcome);
            for (var i = 0; i < results.Count; i++)
                if (verdict.FindOutcome(results[i]) is { } outcome)
                    AddVerdict(text, MonitoringMetric.TestVerdict, tests[i], set, outcome);
        }
        Save(text);
    }

    /// <summary>Writes the trends of a history.</summary>
    public void WriteTrends(IReadOnlyList<HistoryTrend> trends)
    {
        var text = Begin("history", null, out _);
        var labels = OpenMetricsText.NumberEqualLabels(trends.Select(CreateLabels));
        for (var i = 0; i < trends.Count; i++)
            AddTrend(text, labels[i], trends[i]);
        Save(text);
    }

    /// <summary>Writes the outcomes of the checks of this computer.</summary>
    public void WriteChecks(HostCheckReport report)
    {
        var text = Begin("check", Environment.MachineName, out var labels);
        foreach (var outcome in s_checkOutcomes)
            text.Add(
                MonitoringMetric.Checks,
                $"{labels},{OpenMetricsText.FormatLabels(("outcome", outcome))}",
                report.Checks.Count(check => check.Word == outcome)
            );
        var checks = OpenMetricsText.NumberEqualLabels(
            report.Checks.Select(check =>
                OpenMetricsText.FormatLabels(
                    ("file", FileLabel),
                    ("host", Environment.MachineName),
                    ("path", check.Path),
                    ("check", check.Check)
                )
            )
        );
        for (var i = 0; i < checks.Count; i++)
            text.AddStates(MonitoringMetric.Check, checks[i], "outcome", s_checkOutcomes, report.Checks[i].Word);
        Save(text);
    }

    /// <summary>Releases the name. If nothing was written, the file is removed.</summary>
    public void Dispose() => Output.Dispose();

    /// <summary>Name of the file without its extension. The collector refuses equal labels in two files, so every metric has it.</summary>
    private string FileLabel => Path.GetFileNameWithoutExtension(Output.Path);

    private OpenMetricsText Begin(string command, string? host, out string labels)
    {
        var text = new OpenMetricsText();
        labels = OpenMetricsText.FormatLabels(("file", FileLabel), ("host", host));
        text.Add(
            MonitoringMetric.BuildInfo,
            $"{labels},{OpenMetricsText.FormatLabels(("command", command), ("version", IoTestResult.OwnVersion))}",
            1
        );
        text.Add(
            MonitoringMetric.LastRun,
            $"{labels},{OpenMetricsText.FormatLabels(("command", command))}",
            ToUnixSeconds(DateTimeOffset.UtcNow)
        );
        return text;
    }

    private void Save(OpenMetricsText text) => Output.Save(stream => stream.Write(s_encoding.GetBytes(text.ToString())));

    private static void AddResult(OpenMetricsText text, string labels, IoTestResult result)
    {
        foreach (var (metric, value) in s_values)
            text.Add(metric, labels, value(result));
        text.AddHistogram(MonitoringMetric.Latency, labels, result.Histogram, result.AverageLatencyMs);
        text.AddHistogram(MonitoringMetric.ResponseTime, labels, result.ResponseHistogram, result.ResponseAverageMs);
        if (result.Integrity is { } integrity)
            text.AddStates(
                MonitoringMetric.Integrity,
                labels,
                "outcome",
                Enum.GetValues<IoIntegrityOutcome>().Select(GetName),
                GetName(integrity.Outcome)
            );

        static string GetName(IoIntegrityOutcome outcome) =>
            outcome switch
            {
                IoIntegrityOutcome.Verified => "VERIFIED",
                IoIntegrityOutcome.NotVerified => "NOT VERIFIED",
                _ => "DAMAGED",
            };
    }

    private static void AddVerdict(OpenMetricsText text, MonitoringMetric metric, string labels, IoRuleSet set, VerdictOutcome outcome) =>
        text.AddStates(
            metric,
            $"{labels},{OpenMetricsText.FormatLabels(("rule_set", set.Name))}",
            "verdict",
            s_verdicts,
            VerdictWords.Describe(outcome)
        );

    private static void AddTrend(OpenMetricsText text, string labels, HistoryTrend trend)
    {
        text.AddStates(MonitoringMetric.Trend, labels, "direction", s_directions, VerdictWords.Describe(trend.Direction));
        text.Add(MonitoringMetric.TrendChange, labels, trend.ChangePercent / 100);
        text.Add(MonitoringMetric.TrendStep, labels, ToUnixSeconds(trend.Step?.Time));
        text.Add(MonitoringMetric.TrendRuns, labels, trend.Runs);
        text.Add(MonitoringMetric.TrendLastRun, labels, ToUnixSeconds(trend.Last));
        var (latest, median, factor) = MonitoringMetric.GetTrendValues(MetricCatalog.Get(trend.Metric).Unit!);
        text.Add(latest, labels, trend.Latest * factor);
        text.Add(median, labels, trend.Median * factor);
    }

    private string CreateLabels(IoTestResult result) =>
        OpenMetricsText.FormatLabels(
            ("file", FileLabel),
            ("host", result.ComputerName),
            ("path", result.Path),
            ("workload", result.Workload ?? result.IOPattern),
            ("role", result.WorkloadRole?.Split(':')[0]),
            ("label", result.Label),
            ("outstanding", result.TotalOutstanding is { } outstanding ? NumberFormat.Integer(outstanding) : null)
        );

    private string CreateLabels(HistoryTrend trend) =>
        OpenMetricsText.FormatLabels(
            ("file", FileLabel),
            ("host", trend.ComputerName),
            ("path", trend.Path),
            ("workload", trend.Workload ?? trend.IOPattern),
            ("metric", trend.Metric)
        );

    /// <summary>Null if the results are of several hosts.</summary>
    private static string? GetCommonHost(IReadOnlyList<IoTestResult> results) =>
        results.Select(result => result.ComputerName).Distinct().ToList() is [var host] ? host : null;

    private static double? ToUnixSeconds(DateTimeOffset? time) => time?.ToUnixTimeMilliseconds() / 1000.0;

    /// <summary>Whether a file begins as <see cref="OpenMetricsText"/> begins it.</summary>
    private static bool IsMetrics(FileStream stream)
    {
        stream.Position = 0;
        var head = new byte[OpenMetricsText.Start.Length];
        return stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false) == head.Length
            && Encoding.UTF8.GetString(head) == OpenMetricsText.Start;
    }
}
