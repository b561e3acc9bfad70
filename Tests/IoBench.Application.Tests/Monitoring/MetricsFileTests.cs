using System.Text.RegularExpressions;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public sealed partial class MetricsFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-metrics-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Results_become_metrics_in_base_units()
    {
        var samples = WriteResults([CreateResult()]);
        var iops = Assert.Single(samples, sample => sample.Name == "iobench_iops");
        Assert.Equal(4000, iops.Value);
        Assert.Equal(
            [
                ("file", "night"),
                ("host", "SQL1"),
                ("path", @"T:\iobench.dat"),
                ("workload", "log-commit"),
                ("role", "log"),
                ("outstanding", "1"),
                ("number", "1"),
            ],
            iops.Labels
        );
        Assert.Equal(10 << 20, Get(samples, "iobench_throughput_bytes_per_second"));
        Assert.Equal(0.00025, Get(samples, "iobench_latency_average_seconds"), 9);
        Assert.Equal(0.002, Get(samples, "iobench_latency_p99_seconds"), 9);
        Assert.Equal(0.02, Get(samples, "iobench_latency_max_seconds"), 9);
        Assert.Equal(1_772_398_800, Get(samples, "iobench_test_start_timestamp_seconds"));
        Assert.Equal(30, Get(samples, "iobench_test_duration_seconds"));
        Assert.Equal(1, Get(samples, "iobench_tests"));
        Assert.Equal(0, Get(samples, "iobench_errors"));
        Assert.Equal("run", Assert.Single(samples, sample => sample.Name == "iobench_build_info")["command"]);
    }

    [Fact]
    public void Histogram_has_the_counts_of_the_result()
    {
        var samples = WriteResults([CreateResult()]);
        Assert.Equal(1000, Get(samples, "iobench_latency_seconds_count"));
        Assert.Equal(0.25, Get(samples, "iobench_latency_seconds_sum"), 9);
        double Bucket(string bound) =>
            samples.Single(sample => sample.Name == "iobench_latency_seconds_bucket" && sample["le"] == bound).Value;
        Assert.Equal(0, Bucket("5e-05"));
        Assert.Equal(900, Bucket("0.00025"));
        Assert.Equal(990, Bucket("0.0025"));
        Assert.Equal(999, Bucket("0.025"));
        // The last bucket has no upper bound.
        Assert.Equal(999, Bucket("15.0"));
        Assert.Equal(1000, Bucket("+Inf"));
    }

    [Fact]
    public void Histogram_is_omitted_if_only_percentages_are_known()
    {
        var result = CreateResult();
        foreach (var bucket in result.Histogram!.Buckets)
            bucket.ReadCount = bucket.WriteCount = null;
        Assert.DoesNotContain(WriteResults([result]), sample => sample.Family == "iobench_latency_seconds");
    }

    [Fact]
    public void Response_time_is_written_for_an_open_loop()
    {
        var result = CreateResult();
        result.ResponseAverageMs = 1;
        result.ResponseP99Ms = 3;
        result.ResponseMaxMs = 40;
        result.ResponseHistogram = result.Histogram;
        var samples = WriteResults([result]);
        Assert.Equal(0.003, Get(samples, "iobench_response_time_p99_seconds"), 9);
        Assert.Equal(1, Get(samples, "iobench_response_time_seconds_sum"), 9);
    }

    [Fact]
    public void Equal_tests_have_different_numbers()
    {
        var other = CreateResult();
        other.Workload = "page-read";
        var samples = WriteResults([CreateResult(), other, CreateResult()]);
        Assert.Equal(["1", "1", "2"], samples.Where(sample => sample.Name == "iobench_iops").Select(sample => sample["number"]));
    }

    [Theory]
    [InlineData("a\"b")]
    [InlineData("a\\b")]
    [InlineData("a\nb")]
    [InlineData("a,b=\"c\"}")]
    [InlineData("Größe 中 😀")]
    public void Labels_are_escaped(string text)
    {
        var result = CreateResult();
        result.Label = result.Workload = result.Path = text;
        var iops = WriteResults([result]).Single(sample => sample.Name == "iobench_iops");
        Assert.All((string[])["label", "workload", "path"], name => Assert.Equal(text, iops[name]));
    }

    [Fact]
    public void Unknown_values_are_omitted()
    {
        var samples = WriteResults([new IoTestResult { IOPattern = "8KB random read", Status = IoResultStatus.Failed }]);
        Assert.Equal(1, Get(samples, "iobench_test_failed"));
        Assert.Equal(1, Get(samples, "iobench_errors"));
        Assert.DoesNotContain(samples, sample => sample.Name is "iobench_iops" or "iobench_latency_average_seconds");
        Assert.Equal("8KB random read", samples.Single(sample => sample.Name == "iobench_test_failed")["workload"]);
    }

    [Fact]
    public void Verdict_is_one_for_one_word()
    {
        var slow = CreateResult();
        (slow.AverageLatencyMs, slow.WorkloadRole, slow.AccessPattern, slow.Buffering) = (
            1.9,
            "log",
            IoAccessPattern.Sequential,
            IoBuffering.None
        );
        var rules = IoRuleSet.Find("flash");
        var samples = WriteResults([slow], rules);
        var verdicts = samples.Where(sample => sample.Name == "iobench_verdict").ToList();
        Assert.Equal(["PASS", "PRELIMINARY PASS", "FAIL", "NOT RATED"], verdicts.Select(verdict => verdict["verdict"]));
        Assert.Equal(
            VerdictWords.Describe(Verdict.Create([slow], rules).Outcome),
            Assert.Single(verdicts, verdict => verdict.Value == 1)["verdict"]
        );
        Assert.Equal("flash", verdicts[0]["rule_set"]);
        Assert.Equal(
            VerdictWords.Describe(Verdict.Create([slow], rules).FindOutcome(slow)!.Value),
            Assert.Single(samples, sample => sample is { Name: "iobench_test_verdict", Value: 1 })["verdict"]
        );
    }

    [Fact]
    public void Integrity_outcome_distinguishes_verified_from_not_verified()
    {
        var result = CreateResult();
        result.Integrity = new() { ReadCount = 100, ErrorCount = 3 };
        var samples = WriteResults([result]);
        Assert.Equal(3, Get(samples, "iobench_integrity_errors"));
        Assert.Equal("DAMAGED", Assert.Single(samples, sample => sample is { Name: "iobench_integrity", Value: 1 })["outcome"]);
    }

    [Fact]
    public void Trends_have_direction_change_and_time_of_the_step()
    {
        var results = Enumerable.Range(0, 30).Select(day => DailyResults.CreateForDay(day, (day < 15 ? 12_000 : 9_000) + day % 3)).ToList();
        var trends = HistoryTrend.Analyze(results, HistoryTrend.MetricNames);
        var samples = Write(file => file.WriteTrends(trends));
        var worse = samples.Where(sample => sample.Name == "iobench_trend" && sample is { Value: 1 }).ToList();
        Assert.Equal(trends.Count, worse.Count);
        MetricSample Find(string name, string metric) => samples.Single(sample => sample.Name == name && sample["metric"] == metric);
        Assert.Equal("worse", worse.Single(sample => sample["metric"] == "IOPS")["direction"]);
        Assert.Equal(-0.25, Find("iobench_trend_change_ratio", "IOPS").Value, 3);
        Assert.Equal(DailyResults.FirstRun.AddDays(15).ToUnixTimeSeconds(), Find("iobench_trend_step_timestamp_seconds", "IOPS").Value);
        Assert.Equal(9_002, Find("iobench_trend_latest_iops", "IOPS").Value);
        Assert.Equal(9_002 * 8192.0, Find("iobench_trend_latest_bytes_per_second", "BandwidthMBps").Value);
        Assert.Equal(0.003555, Find("iobench_trend_latest_seconds", "AverageLatencyMs").Value, 0.000001);
    }

    [Fact]
    public void Checks_have_counts_and_outcomes()
    {
        var report = new HostCheckReport
        {
            Checks =
            [
                HostCheck.Pass("the clock is exact").WithName("Clock", "Clock"),
                HostCheck.Pass("512e", "Prefer 4 KB").WithName("Sectors", "Sectors") with
                {
                    Path = "/data",
                },
                HostCheck.Fail("the file system ignores flags", "Use another one").WithName("Flags", "Open flags"),
                HostCheck.NotRated("not allowed").WithName("Limits", "Limits"),
                HostCheck.NotRated("not allowed either").WithName("Limits", "Limits"),
            ],
            Seconds = 1,
            Host = new Dictionary<string, string>(),
            Folders = ["/data"],
            Storage = [],
        };
        var samples = Write(file => file.WriteChecks(report));
        double Count(string outcome) => samples.Single(sample => sample.Name == "iobench_checks" && sample["outcome"] == outcome).Value;
        Assert.Equal([1, 1, 1, 2], [Count("PASS"), Count("WARNING"), Count("FAIL"), Count("NOT RATED")]);
        Assert.Equal(
            ["PASS", "WARNING", "FAIL", "NOT RATED", "NOT RATED"],
            samples.Where(sample => sample is { Name: "iobench_check", Value: 1 }).Select(sample => sample["outcome"])
        );
        Assert.Equal("/data", samples.First(sample => sample["check"] == "Sectors")["path"]);
    }

    [Fact]
    public void Each_night_replaces_the_file_of_the_last_night()
    {
        WriteResults([CreateResult()]);
        var faster = CreateResult();
        faster.IOPS = 5000;
        Assert.Equal(5000, Get(WriteResults([faster]), "iobench_iops"));
        Assert.Equal(["night.prom"], Directory.GetFiles(_folder).Select(Path.GetFileName));
    }

    [Theory]
    [InlineData("hello")]
    [InlineData("# TYPE node_load1 gauge\nnode_load1 1\n")]
    [InlineData("[]")]
    public void File_of_another_program_is_refused(string content)
    {
        File.WriteAllText(FilePath, content);
        var error = Assert.Throws<IoBenchException>(() => MetricsFile.Reserve(FilePath));
        Assert.Equal(ErrorIds.OutputNotRecognized, error.ErrorId);
        Assert.Equal(content, File.ReadAllText(FilePath));
    }

    [Fact]
    public void Results_are_not_replaced_by_metrics()
    {
        using (var writer = new StreamWriter(FilePath))
            ResultWriter.Write(writer, [CreateResult()], ResultFormat.Json);
        Assert.Equal(ErrorIds.OutputNotRecognized, Assert.Throws<IoBenchException>(() => MetricsFile.Reserve(FilePath)).ErrorId);
    }

    [Fact]
    public void Metrics_are_not_replaced_by_results()
    {
        WriteResults([CreateResult()]);
        Assert.Equal(
            ErrorIds.OutputNotRecognized,
            Assert.Throws<IoBenchException>(() => OutputFile.Reserve(FilePath, mayExist: true)).ErrorId
        );
    }

    [Theory]
    [InlineData("night.json")]
    [InlineData("night")]
    public void Other_extension_is_refused(string name) =>
        Assert.Equal(
            "IoBench.InvalidOutputPath",
            Assert.Throws<IoBenchException>(() => MetricsFile.Reserve(Path.Combine(_folder, name))).ErrorId
        );

    [Fact]
    public void File_is_removed_if_nothing_was_written()
    {
        MetricsFile.Reserve(FilePath)!.Dispose();
        Assert.Empty(Directory.GetFiles(_folder));
    }

    [Fact]
    public void Documentation_lists_every_metric_and_no_other()
    {
        var text = File.ReadAllText(Path.Combine(SampleFiles.RepositoryRoot, "docs", "how-to", "monitoring.md"));
        var table = MetricRow().Matches(text).Select(match => match.Groups[1].Value).ToList();
        Assert.Equal(MonitoringMetric.All.Select(metric => metric.Name).Order(), table.Order());
        AssertMetricsExist(text);
    }

    [Fact]
    public void Dashboard_queries_only_metrics_that_exist()
    {
        var text = File.ReadAllText(Path.Combine(SampleFiles.RepositoryRoot, "docs", "examples", "grafana-dashboard.json"));
        using var dashboard = System.Text.Json.JsonDocument.Parse(text);
        var queries = dashboard
            .RootElement.GetProperty("panels")
            .EnumerateArray()
            .SelectMany(panel => panel.GetProperty("targets").EnumerateArray())
            .Select(target => target.GetProperty("expr").GetString()!)
            .ToList();
        Assert.NotEmpty(queries);
        Assert.All(queries, query => Assert.Matches(MetricName(), query));
        AssertMetricsExist(text);
    }

    private static void AssertMetricsExist(string text)
    {
        var names = MonitoringMetric
            .All.SelectMany(metric =>
                metric.IsHistogram
                    ? (string[])[metric.Name, metric.Name + "_bucket", metric.Name + "_sum", metric.Name + "_count"]
                    : [metric.Name]
            )
            .ToHashSet();
        Assert.DoesNotContain(MetricName().Matches(text).Select(match => match.Value), name => !names.Contains(name));
    }

    private string FilePath => Path.Combine(_folder, "night.prom");

    private IReadOnlyList<MetricSample> WriteResults(IReadOnlyList<IoTestResult> results, params IoRuleSet[] rules) =>
        Write(file => file.WriteResults("run", results, rules));

    private IReadOnlyList<MetricSample> Write(Action<MetricsFile> write)
    {
        using (var file = MetricsFile.Reserve(FilePath)!)
            write(file);
        return OpenMetricsParser.Parse(File.ReadAllText(FilePath));
    }

    private static double Get(IReadOnlyList<MetricSample> samples, string name) => samples.Single(sample => sample.Name == name).Value;

    private static IoTestResult CreateResult() =>
        new()
        {
            Status = IoResultStatus.Complete,
            Workload = "log-commit",
            WorkloadRole = "log: commits",
            ComputerName = "SQL1",
            StartTime = new DateTimeOffset(2026, 3, 1, 22, 0, 0, TimeSpan.FromHours(1)),
            Path = @"T:\iobench.dat",
            FileSizeMB = 20480,
            TotalOutstanding = 1,
            OutstandingIO = 1,
            ThreadCount = 1,
            WritePercent = 100,
            Operation = IoOperation.Write,
            BlockSizeKB = 4,
            DurationSeconds = 30,
            IOPS = 4000,
            BandwidthMBps = 10,
            AverageLatencyMs = 0.25,
            P99Ms = 2,
            MaxLatencyMs = 20,
            Histogram = new()
            {
                Buckets =
                [
                    new()
                    {
                        FromMs = 0.1,
                        ToMs = 0.2,
                        WriteCount = 900,
                        Percent = 90,
                    },
                    new()
                    {
                        FromMs = 2,
                        ToMs = 2.1,
                        WriteCount = 60,
                        ReadCount = 30,
                        Percent = 9,
                    },
                    new()
                    {
                        FromMs = 19,
                        ToMs = 20,
                        ReadCount = 9,
                        Percent = 0.9,
                    },
                    new()
                    {
                        FromMs = 20,
                        ToMs = null,
                        WriteCount = 1,
                        Percent = 0.1,
                    },
                ],
            },
        };

    [GeneratedRegex(@"\biobench_[a-z0-9_]+")]
    private static partial Regex MetricName();

    [GeneratedRegex(@"^\| `(iobench_[a-z0-9_]+)`", RegexOptions.Multiline)]
    private static partial Regex MetricRow();
}
