using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Methods as rows, and numbers of committers side by side. The device's requests are those with the most committers.</summary>
internal static class CommitTable
{
    private const int MethodWidth = 24;
    private const int ReplicaMethodWidth = 27;
    private const int PartWidth = 11;
    private const int RateWidth = 9;
    private const int LatencyWidth = 8;
    private const int CountWidth = 7;

    public static IEnumerable<string> Format(CommitResult result)
    {
        var isFirst = true;
        foreach (var group in result.GetGroups())
        {
            var committers = group.Select(item => item.Committers).Distinct().ToList();
            var most = committers.Max();
            if (!isFirst)
                yield return "";
            isFirst = false;
            yield return group.Key;
            var heading = "Method".PadRight(MethodWidth);
            var units = "".PadRight(MethodWidth);
            foreach (var count in committers)
            {
                heading += " " + NumberFormat.Pluralize(count, "committer").PadLeft(RateWidth + 1 + LatencyWidth);
                units += $" {"commits/s", RateWidth} {"p99 ms", LatencyWidth}";
            }
            yield return $"{heading}  {"writes", CountWidth}{"flushes", CountWidth + 1}{"FUA", CountWidth + 1}";
            yield return $"{units}  {$"per commit ({NumberFormat.Pluralize(most, "committer")})", 3 * CountWidth + 2}";
            foreach (var method in group.GroupBy(item => item.Method))
            {
                var line = method.MinBy(item => item.Committers)!.MethodName.PadRight(MethodWidth);
                foreach (var count in committers)
                {
                    var item = method.FirstOrDefault(item => item.Committers == count);
                    line += $" {NumberFormat.Grouped(item?.CommitsPerSecond, unknown: "-"), RateWidth}";
                    line += $" {(item?.P99Ms is { } p99 ? NumberFormat.Fixed(p99, 3) : "-"), LatencyWidth}";
                }
                var last = method.First(item => item.Committers == most);
                yield return $"{line}  {FormatCount(last.WritesPerCommit), CountWidth}{FormatCount(last.FlushesPerCommit), CountWidth + 1}{FormatCount(last.FuaWritesPerCommit), CountWidth + 1}";
            }
        }
        if (
            result.Measurements.Any(item =>
                item.WritesPerCommit is null || item.FlushesPerCommit is null || item.FuaWritesPerCommit is null
            )
        )
            yield return "n/c: not counted";
    }

    /// <summary>A commit with the replica, and its parts below it.</summary>
    public static IEnumerable<string> Format(ReplicaResult replica)
    {
        var (facts, isFirst) = (replica.Replica, true);
        foreach (var group in replica.Measurements.GroupBy(item => item.WriteDescription))
        {
            if (isFirst)
                yield return $"Replica {string.Join("  ", new[] { replica.Address, facts.Path, facts.FileSystem, facts.Device }.OfType<string>().Select(SafeText.Escape))}";
            isFirst = false;
            yield return group.Key;
            yield return $"{"Method".PadRight(ReplicaMethodWidth)} {"committers", 10} {"commits/s", RateWidth}  {"Part".PadRight(PartWidth)} {"avg ms", LatencyWidth} {"p50 ms", LatencyWidth} {"p99 ms", LatencyWidth}  longest at p99";
            foreach (var item in group)
            {
                var lead =
                    $"{item.MethodName.PadRight(ReplicaMethodWidth)} {item.Committers, 10} {NumberFormat.Grouped(item.CommitsPerSecond, unknown: "-"), RateWidth}";
                yield return $"{lead}  {FormatPart("commit", (item.AverageMs, item.P50Ms, item.P99Ms))}";
                foreach (var part in Enum.GetValues<CommitPart>())
                {
                    var share = item.GetLongestPercent(part) is { } percent ? FormattableString.Invariant($"{percent:0}%") : "-";
                    yield return $"{"".PadRight(lead.Length)}  {FormatPart(ReplicaMeasurement.GetName(part), item.GetLatencies(part))}  {share, 14}";
                }
            }
        }
    }

    private static string FormatPart(string name, (double? Average, double? P50, double? P99) latencies) =>
        $"{name.PadRight(PartWidth)} {FormatLatency(latencies.Average), LatencyWidth} {FormatLatency(latencies.P50), LatencyWidth} {FormatLatency(latencies.P99), LatencyWidth}";

    private static string FormatLatency(double? milliseconds) => milliseconds is { } value ? NumberFormat.Fixed(value, 3) : "-";

    private static string FormatCount(double? count) => count is { } value ? NumberFormat.Fixed(value, 2) : "n/c";
}
