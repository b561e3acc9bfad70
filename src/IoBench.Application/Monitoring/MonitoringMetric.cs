namespace IoBench.Application;

/// <summary>A metric family of the file of <c>--metrics</c>. docs/how-to/monitoring.md lists all of them.</summary>
/// <param name="Unit">Unit in which the name ends; empty for a number without a unit.</param>
internal sealed record MonitoringMetric(string Name, string Help, string Unit, bool IsHistogram)
{
    private const string Seconds = "seconds";
    private const string BytesPerSecond = "bytes_per_second";
    private const string Ratio = "ratio";

    private static readonly List<MonitoringMetric> s_all = [];

    /// <summary>All metrics, in the order of the file.</summary>
    public static IReadOnlyList<MonitoringMetric> All => s_all;

    /// <summary>Always the first family, because it identifies a file of IoBench.</summary>
    public static readonly MonitoringMetric BuildInfo = Add(
        "iobench_build_info",
        "The labels contain the version and the command of IoBench. The value is always 1."
    );

    public static readonly MonitoringMetric LastRun = Add(
        "iobench_last_run_timestamp_seconds",
        "Time at which IoBench wrote the metrics.",
        Seconds
    );

    public static readonly MonitoringMetric Tests = Add("iobench_tests", "Number of tests.");

    public static readonly MonitoringMetric Errors = Add("iobench_errors", "Number of tests that failed or are not complete.");

    public static readonly MonitoringMetric Verdict = Add(
        "iobench_verdict",
        "1 for the verdict that the rule set returned, 0 for all other verdicts."
    );

    public static readonly MonitoringMetric TestVerdict = Add(
        "iobench_test_verdict",
        "1 for the verdict that the rule set returned for the test, 0 for all other verdicts."
    );

    public static readonly MonitoringMetric TestFailed = Add(
        "iobench_test_failed",
        "1 if the test failed or is not complete, otherwise 0."
    );

    public static readonly MonitoringMetric TestStart = Add("iobench_test_start_timestamp_seconds", "Start time of the test.", Seconds);

    public static readonly MonitoringMetric TestDuration = Add("iobench_test_duration_seconds", "Duration of the measurement.", Seconds);

    public static readonly MonitoringMetric Iops = Add("iobench_iops", "I/Os per second.");

    public static readonly MonitoringMetric Throughput = Add("iobench_throughput_bytes_per_second", "Throughput.", BytesPerSecond);

    public static readonly MonitoringMetric Latency = Add(
        "iobench_latency_seconds",
        "Latency of the I/Os during the test.",
        Seconds,
        isHistogram: true
    );

    public static readonly MonitoringMetric AverageLatency = Add("iobench_latency_average_seconds", "Average latency.", Seconds);

    public static readonly MonitoringMetric P99Latency = Add("iobench_latency_p99_seconds", "p99 latency.", Seconds);

    public static readonly MonitoringMetric MaxLatency = Add("iobench_latency_max_seconds", "Maximum latency.", Seconds);

    public static readonly MonitoringMetric ResponseTime = Add(
        "iobench_response_time_seconds",
        "Open loop: response time of the I/Os during the test, measured from the scheduled start of each I/O.",
        Seconds,
        isHistogram: true
    );

    public static readonly MonitoringMetric AverageResponseTime = Add(
        "iobench_response_time_average_seconds",
        "Open loop: average response time.",
        Seconds
    );

    public static readonly MonitoringMetric P99ResponseTime = Add(
        "iobench_response_time_p99_seconds",
        "Open loop: p99 response time.",
        Seconds
    );

    public static readonly MonitoringMetric MaxResponseTime = Add(
        "iobench_response_time_max_seconds",
        "Open loop: maximum response time.",
        Seconds
    );

    public static readonly MonitoringMetric Integrity = Add(
        "iobench_integrity",
        "Verified tests: 1 for the actual outcome of the integrity check, 0 for all other outcomes."
    );

    public static readonly MonitoringMetric IntegrityErrors = Add(
        "iobench_integrity_errors",
        "Verified tests: number of integrity errors."
    );

    public static readonly MonitoringMetric Trend = Add(
        "iobench_trend",
        "1 for the actual direction of the trend, 0 for all other directions."
    );

    public static readonly MonitoringMetric TrendChange = Add(
        "iobench_trend_change_ratio",
        "Change over the whole period, relative to the mean. If the metric changed abruptly: size of the abrupt change, relative to the median before this change.",
        Ratio
    );

    public static readonly MonitoringMetric TrendStep = Add(
        "iobench_trend_step_timestamp_seconds",
        "Time of the abrupt change, if the metric changed abruptly.",
        Seconds
    );

    public static readonly MonitoringMetric TrendRuns = Add("iobench_trend_runs", "Number of runs in the trend.");

    public static readonly MonitoringMetric TrendLastRun = Add(
        "iobench_trend_last_run_timestamp_seconds",
        "Start time of the last run in the trend.",
        Seconds
    );

    private static readonly Dictionary<string, (MonitoringMetric Latest, MonitoringMetric Median, double Factor)> s_trendValues = new()
    {
        ["IOPS"] = AddTrendValues("iops", "", 1),
        ["MiB/s"] = AddTrendValues(BytesPerSecond, BytesPerSecond, 1 << 20),
        ["ms"] = AddTrendValues(Seconds, Seconds, 0.001),
    };

    public static readonly MonitoringMetric Checks = Add("iobench_checks", "Number of host checks with this outcome.");

    public static readonly MonitoringMetric Check = Add(
        "iobench_check",
        "1 for the actual outcome of the host check, 0 for all other outcomes."
    );

    /// <param name="resultUnit">Unit of a metric of the results, such as <c>ms</c>.</param>
    /// <returns>The metrics for the last value and the median of a trend, and the factor to their unit.</returns>
    public static (MonitoringMetric Latest, MonitoringMetric Median, double Factor) GetTrendValues(string resultUnit) =>
        s_trendValues[resultUnit];

    private static (MonitoringMetric, MonitoringMetric, double) AddTrendValues(string suffix, string unit, double factor) =>
        (
            Add($"iobench_trend_latest_{suffix}", "Value of the last run in the trend.", unit),
            Add($"iobench_trend_median_{suffix}", "Median of the runs in the trend.", unit),
            factor
        );

    private static MonitoringMetric Add(string name, string help, string unit = "", bool isHistogram = false)
    {
        s_all.Add(new(name, help, unit, isHistogram));
        return s_all[^1];
    }
}
