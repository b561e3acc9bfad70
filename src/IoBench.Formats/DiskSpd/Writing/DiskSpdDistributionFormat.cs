using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Effective distributions (-rd) in DiskSpd's lines: the ranges that the I/Os really used.</summary>
internal static class DiskSpdDistributionFormat
{
    /// <summary>Returns one line for each target with its threads, and one for each range in bytes; null without a distribution.</summary>
    public static string? FormatEffective(IoTestResult result)
    {
        if (result.ToolDetails.TryGetValue(DiskSpdPropertyNames.Distribution, out var read))
            return read;
        if (
            result.Source != IoTestResult.OwnSource
            || result.Specification is not { } test
            || test.GetOrAddOrigin().DiskSpd is null
            || test.Targets.Count != result.Targets.Count
        )
            return null;
        var text = new StringBuilder();
        var first = 0;
        foreach (var (target, made) in test.Targets.Zip(result.Targets))
        {
            var threads = test.SharedThreadPool
                ? result.Threads.Select(t => t.ThreadId).Distinct()
                : result.Threads.Skip(first).Take(made.ThreadCount ?? 0).Select(t => t.ThreadId);
            first += made.ThreadCount ?? 0;
            var pattern = test.GetPattern(target);
            if (pattern.Distribution.Count == 0 || made.FileSizeMB is not { } megabytes)
                continue;
            var distribution = EffectiveDistribution.ForTarget(target, pattern, (long)(megabytes * 1048576));
            text.Append(CultureInfo.InvariantCulture, $"target: {made.Path} [thread:{FormatThreads([.. threads])}]\n");
            foreach (var (percent, from, to) in distribution.Parts)
                text.Append(
                    CultureInfo.InvariantCulture,
                    $"{FormatPercent(percent, distribution.PlacedPercent)}% of IO => [{from} - {to})\n"
                );
        }
        return text.Length == 0 ? null : text.ToString().TrimEnd('\n');
    }

    /// <summary>Formats a whole percentage. It has one decimal if ranges were dropped and the others are therefore scaled up.</summary>
    private static string FormatPercent(int percent, int placed) =>
        placed == 100
            ? percent.ToString(CultureInfo.InvariantCulture)
            : (100.0 * percent / placed).ToString("0.0", CultureInfo.InvariantCulture);

    /// <summary>Formats thread numbers as DiskSpd does: <c> 0 1</c>, and more than two consecutive numbers as <c> 0 - 3 7</c>.</summary>
    private static string FormatThreads(List<int> threads)
    {
        var text = new StringBuilder();
        for (var i = 0; i < threads.Count; i++)
        {
            var first = i;
            while (i + 1 < threads.Count && threads[i + 1] == threads[i] + 1)
                i++;
            text.Append(CultureInfo.InvariantCulture, $" {threads[first]}");
            if (i > first)
                text.Append(CultureInfo.InvariantCulture, $"{(i > first + 1 ? " -" : "")} {threads[i]}");
        }
        return text.ToString();
    }
}
