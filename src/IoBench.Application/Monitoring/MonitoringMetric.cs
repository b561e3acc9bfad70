namespace IoBench.Application;

/// <summary>A metric family of the file of <c>--metrics</c>.</summary>
/// <param name="Unit">Unit in which the name ends; empty for a number without a unit.</param>
internal sealed record MonitoringMetric(string Name, string Unit, string Help)
{
    public bool IsHistogram { get; init; }
}

/// <summary>All metric families, in the order of the file. docs/how-to/monitoring.md lists them.</summary>
internal static class MonitoringMetrics
{
    private const string Seconds = "seconds";
    private const string BytesPerSecond = "bytes_per_second";
    private const string Ratio = "ratio";

    /// <summary>Always the first family, because it identifies a file of IoBench.</summary>
    public static readonly MonitoringMetric BuildInfo = new("iobench_build_info", "", "Version and command of IoBench. Always 1.");

    public static readonly MonitoringMetric LastRun = new(
        "iobench_last_run_timestamp_seconds",
        Seconds,
        "Time at which IoBench wrote the metrics."
    );

    public static readonly MonitoringMetric Tests = new("iobench_tests", "", "Number of tests.");

    public static readonly MonitoringMetric Errors = new("iobench_errors", "", "Number of tests that failed or are not complete.");

    public static readonly MonitoringMetric Verdict = new(
        "iobench_verdict",
        "",
        "1 for the verdict of the rule set, 0 for the other verdicts."
    );

    public static readonly MonitoringMetric TestVerdict = new(
        "iobench_test_verdict",
        "",
        "1 for the verdict of the rule set on a test, 0 for the other verdicts."
    );

    public static readonly MonitoringMetric TestFailed = new(
        "iobench_test_failed",
        "",
        "1 if the test failed or is not complete, otherwise 0."
    );

    public static readonly MonitoringMetric TestStart = new("iobench_test_start_timestamp_seconds", Seconds, "Start time of the test.");

    public static readonly MonitoringMetric TestDuration = new("iobench_test_duration_seconds", Seconds, "Duration of the measurement.");

    public static readonly MonitoringMetric Iops = new("iobench_iops", "", "I/Os per second.");

    public static readonly MonitoringMetric Throughput = new("iobench_throughput_bytes_per_second", BytesPerSecond, "Throughput.");

    public static readonly MonitoringMetric Latency = CreateHistogram("iobench_latency_seconds", "Latency of the I/Os of the test.");

    public static readonly MonitoringMetric AverageLatency = new("iobench_latency_average_seconds", Seconds, "Average latency.");

    public static readonly MonitoringMetric P99Latency = new("iobench_latency_p99_seconds", Seconds, "p99 latency.");

    public static readonly MonitoringMetric MaxLatency = new("iobench_latency_max_seconds", Seconds, "Maximum latency.");

    public static readonly MonitoringMetric ResponseTime = CreateHistogram(
        "iobench_response_time_seconds",
        "Open loop: response time of the I/Os of the test, from the scheduled start."
    );

    public static readonly MonitoringMetric AverageResponseTime = new(
        "iobench_response_time_average_seconds",
        Seconds,
        "Open loop: average response time."
    );

    public static readonly MonitoringMetric P99ResponseTime = new(
        "iobench_response_time_p99_seconds",
        Seconds,
        "Open loop: p99 response time."
    );

    public static readonly MonitoringMetric MaxResponseTime = new(
        "iobench_response_time_max_seconds",
        Seconds,
        "Open loop: maximum response time."
    );

    public static readonly MonitoringMetric Integrity = new(
        "iobench_integrity",
        "",
        "Verified tests: 1 for the outcome of the integrity check, 0 for the other outcomes."
    );

    public static readonly MonitoringMetric IntegrityErrors = new(
        "iobench_integrity_errors",
        "",
        "Verified tests: number of integrity errors."
    );

    public static readonly MonitoringMetric Trend = new(
        "iobench_trend",
        "",
        "1 for the direction of the trend, 0 for the other directions."
    );

    public static readonly MonitoringMetric TrendChange = new(
        "iobench_trend_change_ratio",
        Ratio,
        "Change over the whole time or at the step, as a share of the earlier value."
    );

    public static readonly MonitoringMetric TrendStep = new(
        "iobench_trend_step_timestamp_seconds",
        Seconds,
        "Time of the step, if the metric changed abruptly."
    );

    public static readonly MonitoringMetric TrendRuns = new("iobench_trend_runs", "", "Number of runs of the trend.");

    public static readonly MonitoringMetric TrendLastRun = new(
        "iobench_trend_last_run_timestamp_seconds",
        Seconds,
        "Start time of the last run of the trend."
    );

    public static readonly MonitoringMetric Checks = new("iobench_checks", "", "Number of host checks with this outcome.");

    public static readonly MonitoringMetric Check = new(
        "iobench_check",
        "",
        "1 for the outcome of the host check, 0 for the other outcomes."
    );

    private static readonly (string Suffix, string Unit, string ResultUnit, double Factor)[] s_trendUnits =
    [
        ("iops", "", "IOPS", 1),
        (BytesPerSecond, BytesPerSecond, "MiB/s", 1 << 20),
        (Seconds, Seconds, "ms", 0.001),
    ];

    private static readonly Dictionary<string, (MonitoringMetric Latest, MonitoringMetric Median, double Factor)> s_trendValues =
        s_trendUnits.ToDictionary(
            unit => unit.ResultUnit,
            unit =>
                (
                    new MonitoringMetric($"iobench_trend_latest_{unit.Suffix}", unit.Unit, "Value of the last run of the trend."),
                    new MonitoringMetric($"iobench_trend_median_{unit.Suffix}", unit.Unit, "Median of the runs of the trend."),
                    unit.Factor
                )
        );

    public static IReadOnlyList<MonitoringMetric> All { get; } =
    [
        BuildInfo,
        LastRun,
        Tests,
        Errors,
        Verdict,
        TestVerdict,
        TestFailed,
        TestStart,
        TestDuration,
        Iops,
        Throughput,
        Latency,
        AverageLatency,
        P99Latency,
        MaxLatency,
        ResponseTime,
        AverageResponseTime,
        P99ResponseTime,
        MaxResponseTime,
        Integrity,
        IntegrityErrors,
        Trend,
        TrendChange,
        TrendStep,
        TrendRuns,
        TrendLastRun,
        .. s_trendValues.Values.SelectMany(value => new[] { value.Latest, value.Median }),
        Checks,
        Check,
    ];

    /// <param name="resultUnit">Unit of a metric of the results, such as <c>ms</c>.</param>
    /// <returns>The metrics for the last value and the median of a trend, and the factor to their unit.</returns>
    public static (MonitoringMetric Latest, MonitoringMetric Median, double Factor) GetTrendValues(string resultUnit) =>
        s_trendValues[resultUnit];

    private static MonitoringMetric CreateHistogram(string name, string help) => new(name, Seconds, help) { IsHistogram = true };
}
