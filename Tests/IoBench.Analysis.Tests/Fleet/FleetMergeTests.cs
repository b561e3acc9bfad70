using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class FleetMergeTests
{
    private static string[] GetHostNames(int count) => [.. Enumerable.Range(1, count).Select(n => $"sql{n}")];

    private static Dictionary<string, double> StartTogether(IEnumerable<string> hosts) => hosts.ToDictionary(host => host, _ => 0.0);

    private static FleetGroup MergeSingleGroup(IEnumerable<IoTestResult> results, IEnumerable<FleetFailure>? failures = null) =>
        Assert.Single(FleetMerge.FindGroups(results, failures));

    [Theory]
    [InlineData(4)]
    [InlineData(16)]
    [InlineData(40)]
    public void Sum_of_the_hosts_equals_the_array_capacity(int hosts)
    {
        var array = new SharedArrayModel(300_000, 33_000);
        var group = MergeSingleGroup(array.Run("g/1", StartTogether(GetHostNames(hosts))));
        Assert.Equal(hosts, group.Hosts.Count);
        Assert.InRange(group.IOPS!.Value, array.GetTotalIops(GetHostNames(hosts)) * 0.98, array.GetTotalIops(GetHostNames(hosts)) * 1.02);
        Assert.Equal(group.IOPS.Value / 128, group.MBps!.Value, 0.01);
        Assert.Empty(group.Warnings);
        Assert.Empty(group.Outliers);
        Assert.Equal(100, group.CommonPercent!.Value, 1e-9);
        Assert.DoesNotContain("share", group.Summary);
    }

    [Theory]
    [InlineData("512", "512", null)]
    [InlineData("4096", "4096", null)]
    [InlineData("512", null, null)]
    [InlineData("512", "16384", null)]
    [InlineData("512", "4096", "512 bytes on sql1, and 4,096 bytes on sql2. ")]
    [InlineData("4096", "512", "512 bytes on sql2, and 4,096 bytes on sql1. ")]
    public void Hosts_with_different_physical_sectors_get_a_warning(string first, string? second, string? text)
    {
        var results = new SharedArrayModel(300_000, 33_000).Run("g/1", StartTogether(GetHostNames(2))).ToList();
        foreach (var result in results)
            if ((result.Member == "sql1" ? first : second) is { } size)
                result.Host["Physical sector size"] = size;
        var warning = MergeSingleGroup(results).Warnings.SingleOrDefault(item => item.Code == "IoBench.FleetSectorSizes");
        Assert.Equal(text is null, warning is null);
        if (text is null)
            return;
        Assert.Contains(text, warning!.ToString(), StringComparison.Ordinal);
        Assert.EndsWith("Use trace flag 1800 on the servers with 512-byte sectors.", warning.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Copy_of_a_result_with_another_member_name_is_not_added_up()
    {
        var results = new SharedArrayModel(300_000, 33_000).Run("g/1", StartTogether(GetHostNames(3))).ToList();
        foreach (var result in results)
            result.RunId = "run-" + result.Member;
        var (original, copy) = (results.Find(result => result.Member == "sql2")!, results.Find(result => result.Member == "sql3")!);
        copy.RunId = original.RunId;
        copy.StartTime = original.StartTime;
        copy.IOCount = original.IOCount;
        copy.IOPS = original.IOPS;
        var group = MergeSingleGroup(results);
        Assert.Equal(["sql1", "sql2"], group.Hosts.Select(host => host.Host));
        var failure = Assert.Single(group.Failures);
        Assert.Equal(("sql3", "IoBench.FleetSameResult"), (failure.Host, failure.ErrorId));
        Assert.Contains("copy of the result of sql2", failure.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Only_the_host_with_half_of_its_share_is_an_outlier()
    {
        var array = new SharedArrayModel(300_000, 33_000) { Shares = { ["sql3"] = 0.5 } };
        var group = MergeSingleGroup(array.Run("g/1", StartTogether(GetHostNames(16))));
        Assert.Equal("sql3", Assert.Single(group.Outliers).Host);
        Assert.Equal(("sql3", "sql3"), (group.Slowest!.Host, group.Findings.Single(f => f.Code == FindingCodes.FleetOutlier).Subject));
        var share = array.GetHostIops(GetHostNames(16))["sql3"] / (array.GetTotalIops(GetHostNames(16)) / 16) * 100;
        Assert.InRange(group.Slowest.SharePercent!.Value, share - 2, share + 2);
        Assert.Contains("sql3 gets 52% of its share", group.Summary);
    }

    [Fact]
    public void Skewed_starts_change_only_the_common_window()
    {
        var array = new SharedArrayModel(300_000, 33_000) { Shares = { ["sql3"] = 0.5 } };
        var offsets = GetHostNames(16).Select((host, i) => (host, i * 0.36)).ToDictionary(pair => pair.host, pair => pair.Item2);
        var (level, skewed) = (
            MergeSingleGroup(array.Run("g/1", StartTogether(GetHostNames(16)))),
            MergeSingleGroup(array.Run("g/2", offsets))
        );
        Assert.InRange(skewed.IOPS!.Value / level.IOPS!.Value, 0.98, 1.02);
        Assert.InRange(skewed.MedianIops!.Value / level.MedianIops!.Value, 0.98, 1.02);
        Assert.Equal("sql3", Assert.Single(skewed.Outliers).Host);
        Assert.Equal(30 - 15 * 0.36, skewed.CommonSeconds!.Value, 1e-6);
        Assert.Equal(15 * 0.36, skewed.StartSpreadSeconds!.Value, 1e-6);
        Assert.Contains(
            "82% of the duration of the longest test. The sums cover only this time",
            Assert.Single(skewed.Warnings).ToString()
        );
        Assert.Contains(skewed.Findings, finding => finding is { Code: FindingCodes.FleetWindow, Severity: FindingSeverity.Warning });
        // Each host measures a different value over its own whole duration.
        Assert.True(skewed.Hosts.Sum(host => host.Result.IOPS) > skewed.IOPS * 1.02);
    }

    [Fact]
    public void Results_are_not_added_up_below_half_of_a_common_window()
    {
        var group = MergeSingleGroup(
            new SharedArrayModel(300_000, 33_000).Run("g/1", new Dictionary<string, double> { ["sql1"] = 0, ["sql2"] = 16 })
        );
        Assert.Equal((null, null, null), (group.IOPS, group.MBps, group.Slowest));
        Assert.InRange(group.CommonPercent!.Value, 46, 47);
        Assert.Contains("no sum for", group.Summary);
        Assert.Equal(VerdictOutcome.NotRated, group.Findings[0].Outcome);
    }

    [Fact]
    public void Results_that_did_not_run_together_are_not_added_up()
    {
        var array = new SharedArrayModel(300_000, 33_000);
        var results = array
            .Run("g/1", StartTogether(["sql1", "sql2"]))
            .Concat(array.Run("later/1", StartTogether(["sql3"])))
            .Append(new IoTestResult { IOPS = 1, Status = IoResultStatus.Complete })
            .ToList();
        var groups = FleetMerge.FindGroups(results);
        Assert.Equal([2, 1], groups.Select(group => group.Hosts.Count));
        results[0].StartOffsetSeconds = null;
        Assert.Null(FleetMerge.FindGroups(results).First(group => group.GroupId == "g/1").IOPS);
    }

    [Fact]
    public void Each_host_is_listed_once_as_a_result_or_a_failure()
    {
        var results = new SharedArrayModel(300_000, 33_000).Run("g/1", StartTogether(GetHostNames(6)));
        results.Single(result => result.Member == "sql5").Status = IoResultStatus.Cancelled;
        results.Add(results[0]);
        var group = MergeSingleGroup(
            results,
            [
                new("sql7", null, "IoBench.HostNotReached", "no way to it"),
                new("sql7", "g/1", "IoBench.HostLost", "again"),
                new("sql1", "g/1", "IoBench.HostLost", "lost after its result came"),
            ]
        );
        Assert.Equal(["sql1", "sql2", "sql3", "sql4", "sql6"], group.Hosts.Select(host => host.Host));
        Assert.Equal(["sql5", "sql7"], group.Failures.Select(failure => failure.Host));
        Assert.Equal(7, group.AskedHosts);
        Assert.Contains("2 of 7 hosts failed (sql5, sql7)", group.Summary);
        Assert.Contains(
            group.Findings,
            finding => finding is { Code: FindingCodes.FleetFailure, Subject: "sql7", Severity: FindingSeverity.Critical }
        );
    }

    [Fact]
    public void Group_percentiles_are_computed_from_the_IOs_of_all_hosts()
    {
        static IoTestResult Of(string host, double latency, long count) =>
            new()
            {
                Status = IoResultStatus.Complete,
                GroupId = "g/1",
                Member = host,
                StartOffsetSeconds = 0,
                DurationSeconds = 10,
                IOPS = count / 10,
                IOCount = count,
                AverageLatencyMs = latency,
                MaxLatencyMs = latency * 2,
                P99Ms = latency,
                Histogram = new IoHistogram
                {
                    Buckets =
                    [
                        new()
                        {
                            FromMs = latency - 0.01,
                            ToMs = latency + 0.01,
                            ReadCount = count,
                            WriteCount = 0,
                        },
                    ],
                },
            };
        // All slow I/Os are those of one host. The mean of the p99 values of the hosts would be 50.5 ms.
        var group = MergeSingleGroup([Of("fast", 1, 98_000), Of("slow", 100, 2_000)]);
        Assert.Equal(1, group.P50Ms!.Value, 1e-6);
        Assert.Equal(100, group.P99Ms!.Value, 1e-6);
        Assert.Equal((98_000 + 2_000 * 100) / 100_000.0, group.AverageLatencyMs!.Value, 1e-6);
        Assert.Equal(200, group.MaxLatencyMs);
        Assert.Equal(1, MergeSingleGroup([Of("fast", 1, 99_500), Of("slow", 100, 500)]).P99Ms!.Value, 1e-6);
    }

    [Fact]
    public void Warning_of_all_hosts_is_listed_once()
    {
        var results = new SharedArrayModel(300_000, 33_000).Run("g/1", StartTogether(GetHostNames(16)));
        results.ForEach(result =>
            result.AddWarning(new IoWarning(WarningCodes.FileCache, $"the file of {result.Member} may be in memory."))
        );
        Assert.StartsWith("16 of 16 hosts: ", Assert.Single(MergeSingleGroup(results).Warnings).ToString());
    }

    [Fact]
    public void Each_result_contains_group_members_and_common_window()
    {
        var results = new SharedArrayModel(300_000, 33_000).Run("g/1", new Dictionary<string, double> { ["sql1"] = 0, ["sql2"] = 3 });
        FleetMerge.SetGroupValues(MergeSingleGroup(results));
        Assert.All(results, result => Assert.Equal(["sql1", "sql2"], result.GroupMembers));
        Assert.All(results, result => Assert.Equal(90, result.CommonWindowPercent!.Value, 1e-6));
    }

    [Theory]
    [InlineData("sql2", "sql10")]
    [InlineData("SQL9", "sql10")]
    [InlineData("a", "sql1")]
    [InlineData("sql1", "sql1a")]
    [InlineData("20251122-1/2", "20251122-1/10")]
    public void Host_names_are_in_natural_order(string first, string second)
    {
        Assert.True(NaturalNameComparer.Instance.Compare(first, second) < 0);
        Assert.True(NaturalNameComparer.Instance.Compare(second, first) > 0);
    }
}
