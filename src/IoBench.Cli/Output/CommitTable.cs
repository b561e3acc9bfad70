using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Methods as rows, and numbers of committers side by side. The device's requests are those with the most committers.</summary>
internal static class CommitTable
{
    private const int MethodWidth = 24;
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

    private static string FormatCount(double? count) => count is { } value ? NumberFormat.Fixed(value, 2) : "n/c";
}
