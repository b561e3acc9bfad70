using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Merges the results of a fleet's hosts, in any order. Results of runs that were not concurrent are never added up.</summary>
public static class FleetMerge
{
    /// <summary>Name of the host fact that lists the hosts that were missing when an interrupted test was resumed.</summary>
    public const string ResumedAloneFact = "Resumed alone";

    private const double OutlierDeviations = 3.5,
        MinOutlierPercent = 10;
    private const int MinHostsForOutliers = 4;

    /// <summary>Returns one group for each test of a fleet. Ignores other results and duplicates.</summary>
    public static IReadOnlyList<FleetGroup> FindGroups(IEnumerable<IoTestResult> results, IEnumerable<FleetFailure>? failures = null)
    {
        ArgumentNullException.ThrowIfNull(results);
        var failed = (failures ?? []).ToList();
        var groups = results
            .Where(result => result is { GroupId: not null, Member: not null })
            .GroupBy(result => result.GroupId!, StringComparer.Ordinal)
            .ToDictionary(
                group => group.Key,
                group =>
                    group
                        .GroupBy(result => result.Member!, StringComparer.Ordinal)
                        .Select(ChooseComplete)
                        .OrderBy(result => result.Member, NaturalNameComparer.Instance)
                        .ToList(),
                StringComparer.Ordinal
            );
        var ids = groups
            .Keys.Concat(failed.Select(failure => failure.GroupId).OfType<string>())
            .Distinct(StringComparer.Ordinal)
            .Order(NaturalNameComparer.Instance);
        return [.. ids.Select(id => CreateGroup(id, groups.GetValueOrDefault(id) ?? [], failed))];
    }

    /// <summary>Sets the share of the common window and the list of hosts in each result of the group.</summary>
    public static void SetGroupValues(FleetGroup group)
    {
        ArgumentNullException.ThrowIfNull(group);
        // All results share one list. Otherwise, 1,000 hosts would need 1,000 lists of 1,000 names.
        List<string> members = [.. group.Hosts.Select(host => host.Host)];
        foreach (var host in group.Hosts)
        {
            host.Result.CommonWindowPercent = group.CommonSeconds is null ? null : host.CommonPercent;
            host.Result.GroupMembers = members;
        }
    }

    internal static string? FindResumedAlone(IReadOnlyList<IoTestResult> results) =>
        results.Select(result => result.Host.GetValueOrDefault(ResumedAloneFact)).FirstOrDefault(mark => mark is not null);

    private static IoTestResult ChooseComplete(IEnumerable<IoTestResult> same) =>
        same.OrderByDescending(result => result.Status == IoResultStatus.Complete).First();

    /// <summary>
    /// Finds results of one run that several members claim, such as a copied file in which the name was changed. The first member keeps the
    /// result.
    /// </summary>
    private static Dictionary<IoTestResult, IoTestResult> FindCopies(IReadOnlyList<IoTestResult> results) =>
        results
            .Where(result => result.RunId is not null)
            .GroupBy(result => (result.RunId, result.StartTime, result.IOCount, result.IOPS))
            .SelectMany(same => same.Skip(1).Select(copy => KeyValuePair.Create(copy, same.First())))
            .ToDictionary();

    private static FleetFailure CreateCopyFailure(IoTestResult copy, IoTestResult original, string group) =>
        new(
            copy.Member!,
            group,
            "IoBench.FleetSameResult",
            $"its result is a copy of the result of {original.Member} (same run ID), so IoBench does not include it in the sum.",
            "Remove one of the two files."
        );

    private static FleetFailure CreateFailure(IoTestResult result, string group)
    {
        var id = result.ErrorId ?? ErrorIds.TestFailed;
        return result.ErrorDetails is { } details
            ? new FleetFailure(result.Member!, group, id, details.What, details.Advice)
            : new FleetFailure(
                result.Member!,
                group,
                id,
                result.ErrorMessage ?? $"the test is {result.Status.ToString().ToLowerInvariant()}."
            );
    }

    private static FleetGroup CreateGroup(string id, IReadOnlyList<IoTestResult> results, IReadOnlyList<FleetFailure> failures)
    {
        var copies = FindCopies(results);
        var complete = results
            .Where(result => result is { Status: IoResultStatus.Complete, IOPS: not null } && !copies.ContainsKey(result))
            .ToList();
        var failed = failures
            .Where(failure =>
                (failure.GroupId is null || failure.GroupId == id) && !complete.Exists(result => result.Member == failure.Host)
            )
            .Concat(
                results
                    .Except(complete)
                    .Select(result =>
                        copies.TryGetValue(result, out var original) ? CreateCopyFailure(result, original, id) : CreateFailure(result, id)
                    )
            )
            .DistinctBy(failure => failure.Host)
            .OrderBy(failure => failure.Host, NaturalNameComparer.Instance)
            .ToList();
        var windows = complete.ConvertAll(FleetMerge.GetMeasuredTime);
        var isTimed = windows.Count > 0 && windows.TrueForAll(window => window is not null);
        var from = isTimed ? windows.Max(window => window!.Value.From) : 0;
        var to = isTimed ? windows.Min(window => window!.Value.To) : 0;
        var common = isTimed ? Math.Max(0, to - from) : (double?)null;
        var hosts = complete.Select((result, i) => CreateHostResult(result, windows[i], from, to)).ToList();
        var share = common is null ? null : hosts.Select(host => (double?)host.CommonPercent).Min();
        var isSummed = share >= FleetGroup.SumFromPercent && hosts.TrueForAll(host => host.IOPS is not null);
        var sum = isSummed ? hosts.Sum(host => host.IOPS!.Value) : (double?)null;
        hosts = WithSharesAndOutliers(hosts, sum, isSummed);
        var sorted = isSummed ? hosts.OrderBy(host => host.IOPS).ToList() : [];
        var spread = SampleSummary.FromSamples(sorted.Select(host => host.IOPS));
        var histogram = FleetHistogram.FromResults(complete);
        return new FleetGroup
        {
            GroupId = id,
            Test = results.Count == 0 ? id : JoinTestNames(complete.Count > 0 ? complete : results),
            Hosts = hosts,
            AskedHosts = Math.Max(complete.Count + failed.Count, complete.Max(result => result.GroupHosts) ?? 0),
            Failures = failed,
            CommonSeconds = common,
            CommonPercent = share,
            StartSpreadSeconds = isTimed
                ? complete.Max(result => result.StartOffsetSeconds) - complete.Min(result => result.StartOffsetSeconds)
                : null,
            IOPS = sum,
            MBps = isSummed ? hosts.Sum(host => host.MBps ?? 0) : null,
            MedianIops = spread?.Median,
            Slowest = sorted.FirstOrDefault(),
            Fastest = sorted.LastOrDefault(),
            SpreadPercent = spread is { Median: > 0 } ? (spread.Max - spread.Min) / spread.Median * 100 : null,
            AverageLatencyMs = GetAverageLatency(complete),
            P50Ms = histogram?.GetPercentile(50),
            P99Ms = histogram?.GetPercentile(99),
            P999Ms = histogram?.GetPercentile(99.9),
            MaxLatencyMs = complete.Max(result => result.ResponseMaxMs ?? result.MaxLatencyMs),
            Histogram = histogram,
            Warnings = [.. FleetGroup.CreateWarnings(complete, share, common)],
            IsResumedAlone = FindResumedAlone(results) is not null,
        };
    }

    private static FleetHostResult CreateHostResult(IoTestResult result, (double From, double To)? own, double from, double to)
    {
        var (iops, mbps) = FleetMerge.GetRatesBetween(result, from, to);
        return new FleetHostResult
        {
            Host = result.Member!,
            Result = result,
            IOPS = iops,
            MBps = mbps,
            CommonPercent = own is { } window ? Math.Clamp((to - from) / (window.To - window.From) * 100, 0, 100) : 0,
        };
    }

    /// <summary>Outliers are found by the median absolute deviation, which the outliers themselves do not increase.</summary>
    private static List<FleetHostResult> WithSharesAndOutliers(List<FleetHostResult> hosts, double? sum, bool isSummed)
    {
        if (!isSummed || sum is not > 0)
            return hosts;
        var (median, deviation) = SampleSummary.GetRobustSpread([.. hosts.Select(host => host.IOPS!.Value)]);
        var limit = Math.Max(OutlierDeviations * deviation, MinOutlierPercent / 100 * median);
        // Hosts with different tests are not comparable.
        var isAlike = hosts.Select(host => FleetGroup.GetTestName(host.Result)).Distinct().Count() == 1;
        return hosts.ConvertAll(host =>
            host with
            {
                SharePercent = isAlike ? host.IOPS / (sum / hosts.Count) * 100 : null,
                IsOutlier = isAlike && hosts.Count >= MinHostsForOutliers && Math.Abs(host.IOPS!.Value - median) > limit,
            }
        );
    }

    private static string JoinTestNames(IReadOnlyList<IoTestResult> results) =>
        string.Join(", ", results.Select(FleetGroup.GetTestName).Distinct().Take(4));

    private static double? GetAverageLatency(IReadOnlyList<IoTestResult> results)
    {
        var known = results
            .Select(result => (Average: result.ResponseAverageMs ?? result.AverageLatencyMs, Count: (double)(result.IOCount ?? 0)))
            .ToList();
        return known.Count > 0 && known.TrueForAll(item => item is { Average: not null, Count: > 0 })
            ? known.Sum(item => item.Average!.Value * item.Count) / known.Sum(item => item.Count)
            : null;
    }

    /// <summary>In seconds since the group's start time; null if the result has no such start.</summary>
    internal static (double From, double To)? GetMeasuredTime(IoTestResult result)
    {
        if (result is not { StartOffsetSeconds: { } offset, DurationSeconds: { } seconds and > 0 })
            return null;
        var from = offset + (result.Specification?.WarmUp.TotalSeconds ?? 0);
        return (from, from + seconds);
    }

    /// <summary>Times are seconds since the group's start time. Intervals that are partly inside count by that part.</summary>
    internal static (double? Iops, double? MBps) GetRatesBetween(IoTestResult result, double from, double to)
    {
        if (GetMeasuredTime(result) is not { } own || to <= from)
            return (null, null);
        if (result.Timeline.Count == 0)
            return (result.IOPS, result.BandwidthMBps);
        double count = 0,
            bytes = 0,
            seconds = 0,
            begin = own.From;
        foreach (var point in result.Timeline)
        {
            var end = own.From + point.Seconds;
            var part = Math.Min(end, to) - Math.Max(begin, from);
            if (part > 0)
            {
                count += (point.IOPS ?? 0) * part;
                bytes += (point.MBps ?? 0) * part;
                seconds += part;
            }
            begin = end;
        }
        return seconds > 0 ? (count / seconds, bytes / seconds) : (null, null);
    }
}
