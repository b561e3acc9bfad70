using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

internal static class FleetMessages
{
    private const double SmallShare = 80;

    public static string GetTestName(IoTestResult result) => result.Workload ?? result.IOPattern ?? result.Label ?? "test";

    public static string DescribeGroup(FleetGroup group)
    {
        var missing = group.AskedHosts - group.Hosts.Count;
        var failed =
            missing <= 0
                ? ""
                : $"; {missing} of {group.AskedHosts} failed{(group.Failures.Count == 0 ? "" : $" ({JoinNames(group.Failures.Select(failure => failure.Host))})")}";
        if (group.Hosts.Count == 0)
            return $"{group.Test}: no host gave a result{failed}.";
        var hosts = NumberFormat.Pluralize(group.Hosts.Count, "host");
        if (group.IOPS is not { } sum)
            return $"{group.Test}: nothing is added up over {hosts}, {DescribeNoSumReason(group)}{failed}.";
        var spread =
            group.Hosts.Count < 2
                ? ""
                : $", median {NumberFormat.Grouped(group.MedianIops, 0, "?")} per host from {NumberFormat.Grouped(group.Slowest!.IOPS, 0, "?")} ({group.Slowest.Host}) to {NumberFormat.Grouped(group.Fastest!.IOPS, 0, "?")} ({group.Fastest.Host})";
        var p99 = group.P99Ms is { } tail ? $", p99 {NumberFormat.Milliseconds(tail)}" : "";
        return $"{group.Test}: {NumberFormat.Grouped(sum, 0, "?")} IOPS, {Throughput.Format(group.MBps ?? 0)} at {hosts}{spread}{p99}{DescribeSmallShares(group)}{failed}.";
    }

    public static string DescribeSmallShares(FleetGroup group)
    {
        var small = group.Hosts.Where(host => host.SharePercent < SmallShare).OrderBy(host => host.SharePercent).ToList();
        return small.Count switch
        {
            0 => "",
            <= 3 => string.Concat(
                small.Select(host =>
                    string.Create(CultureInfo.InvariantCulture, $", {host.Host} gets {host.SharePercent:0} % of its share")
                )
            ),
            _ => string.Create(
                CultureInfo.InvariantCulture,
                $", {small.Count} hosts get less than {SmallShare:0} % of their share, {small[0].Host} {small[0].SharePercent:0} %"
            ),
        };
    }

    public static IEnumerable<FleetWarning> CreateWarnings(IReadOnlyList<IoTestResult> complete, double? share, double? common)
    {
        if (complete.Count == 0)
            yield break;
        if (common is null)
            yield return new(
                "",
                WarningCodes.FleetNoStart,
                "A result says no start: it cannot be known whether these hosts ran together, and nothing is added up."
            );
        else if (share < FleetGroup.SumFromPercent)
            yield return new(
                "",
                WarningCodes.FleetWindow,
                $"All hosts measured together for {common:0.0} s only, {share:0} % of the time of one of them: nothing is added up."
            );
        else if (share < FleetGroup.WarnBelowPercent)
            yield return new(
                "",
                WarningCodes.FleetWindow,
                $"All hosts measured together for {common:0.0} s, {share:0} % of the time of one of them: sums are of that time alone."
            );
        if (FleetMerge.FindResumedAlone(complete) is { } mark)
            yield return new(
                "",
                WarningCodes.FleetResumedAlone,
                $"Resumed alone: {mark}. Their sum is not the group's, and is added to nothing."
            );
        // Warnings of different hosts differ in file names and numbers, so group them by code.
        foreach (
            var group in complete
                .SelectMany(result =>
                    result.GetWarnings().DistinctBy(GetWarningKey).Select(warning => (Key: GetWarningKey(warning), Warning: warning))
                )
                .GroupBy(item => item.Key)
        )
            yield return new(
                string.Create(CultureInfo.InvariantCulture, $"{group.Count()} of {complete.Count} hosts"),
                group.First().Warning.Code,
                group.First().Warning.Text
            );
    }

    private static string JoinNames(IEnumerable<string> names)
    {
        var all = names.ToList();
        return NameListFormat.Format(all, all.Count <= 6 ? 6 : 5);
    }

    private static string GetWarningKey(IoWarning warning) => warning.Code.Length > 0 ? warning.Code : warning.ToString();

    private static string DescribeNoSumReason(FleetGroup group) =>
        group.CommonSeconds is null
            ? "which say no start"
            : string.Create(CultureInfo.InvariantCulture, $"which measured together for {group.CommonSeconds:0.0} s only");
}
