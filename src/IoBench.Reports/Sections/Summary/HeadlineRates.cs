using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class HeadlineRates
{
    private const double TerabyteInMB = 1024 * 1024;

    /// <param name="Value">Median of the runs; of a history, the latest value.</param>
    /// <param name="Unit">MiB/s or IOPS.</param>
    internal sealed record MeasuredRate(string Label, double Value, string Unit, RunGroup Test)
    {
        public string Text => Unit == "MiB/s" ? ThroughputDisplay.Format(Value) : $"{NumberFormat.Rate(Value)} {Unit}";

        /// <summary>Source of the value, such as <c>latest value of 14 days</c> or <c>median of 3 runs</c>; null for a single run.</summary>
        public string? Basis =>
            Test.Runs.Count == 1 ? null
            : TestIdentity.FindHistory(Test.Runs) is { } history ? Invariant($"latest value of {history.Days} days")
            : Invariant($"median of {Test.Runs.Count} runs");
    }

    private static readonly (string Label, string Unit, string[] Workloads, Func<IoTestResult, double?> Value)[] s_rates =
    [
        ("Tempdb", "IOPS", ["tempdb"], run => run.IOPS),
        ("Log throughput", "MiB/s", ["log-stream"], run => run.BandwidthMBps),
        ("Checkpoint writes", "MiB/s", ["checkpoint", "checkpoint-256k", "checkpoint-1m"], run => run.BandwidthMBps),
        ("Backup reads", "MiB/s", ["backup-read"], run => run.BandwidthMBps),
        ("Backup writes", "MiB/s", ["backup-write"], run => run.BandwidthMBps),
    ];

    public static IEnumerable<MeasuredRate> GetRates(RunGroup side)
    {
        foreach (var rate in s_rates)
        {
            var tests = side
                .Runs.Where(run => run.Status == IoResultStatus.Complete && rate.Workloads.Contains(run.Workload) && rate.Value(run) is > 0)
                .GroupBy(TestIdentity.GetKey)
                .Select(group => new RunGroup(group.First().Workload!, [.. group]))
                .ToList();
            if (tests.MaxBy(test => GetValue(test, rate.Value)) is { } best)
                yield return new(rate.Label, GetValue(best, rate.Value)!.Value, rate.Unit, best);
        }
    }

    /// <summary>Null if no scan was measured, or only of a small file that a cache can hold.</summary>
    public static string? DescribeReadTimes(RunGroup side, bool isOne)
    {
        var able = side
            .Runs.Where(run => run.Status == IoResultStatus.Complete && run.BandwidthMBps > 0 && !RuleEvaluator.IsPreliminary(run))
            .ToList();
        var scan = GetFastest(able.Where(run => RuleEvaluator.IsOfKind(run, IoRuleKind.Scan)));
        var backup = GetFastest(able.Where(run => run.Workload == "backup-read")) ?? scan;
        var check = GetFastest(able.Where(run => run.Workload == "checkdb")) ?? scan;
        if (backup is null && check is null)
            return null;
        var parts = new List<string>();
        if (backup is { } reading)
            parts.Add($"a backup reads 1 TB in about {FormatDuration(reading)} (at {ThroughputDisplay.Format(reading)})");
        if (check is { } checking)
            parts.Add(
                $"CHECKDB reads 1 TB in about {FormatDuration(checking)}{(checking == backup ? "" : $" (at {ThroughputDisplay.Format(checking)})")}"
            );
        return RunDescription.ToSentence(
            $"At the measured read throughput{(isOne ? $" of {side.Name}" : "")}, {string.Join(" and ", parts)}, if nothing else limits the reads. This estimate does not include the backup target, the network, the CPUs, or other load"
        );
    }

    private static double? GetFastest(IEnumerable<IoTestResult> runs) =>
        runs.GroupBy(TestIdentity.GetKey).Max(test => GetValue(new RunGroup("", [.. test]), run => run.BandwidthMBps));

    /// <summary>Of a history, only the latest value describes the current state.</summary>
    private static double? GetValue(RunGroup test, Func<IoTestResult, double?> value) =>
        TestIdentity.FindHistory(test.Runs) is { } history ? value(history.Latest) ?? test.GetMedian(value) : test.GetMedian(value);

    private static string FormatDuration(double megabytesPerSecond)
    {
        var minutes = TerabyteInMB / megabytesPerSecond / 60;
        return minutes switch
        {
            < 1.5 => Invariant($"{minutes * 60:0} seconds"),
            < 120 => Invariant($"{minutes:0} minutes"),
            _ => Invariant($"{minutes / 60:0.#} hours"),
        };
    }
}
