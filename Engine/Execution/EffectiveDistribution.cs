using System.Globalization;
using System.Text;

namespace IoBench.Engine;

/// <summary>Where the I/Os of distributions (DiskSpd's -rd) really went, in the lines in which DiskSpd tells it.</summary>
public static class EffectiveDistribution
{
    /// <summary>Its name among <see cref="IoTestResult.ToolDetails"/>.</summary>
    public const string Name = "Effective IO distributions";

    /// <summary>A line for each target with its threads, and one for each part, in bytes; null when there is no distribution.</summary>
    internal static string? Text(IEnumerable<Lane> lanes, Func<Lane, string> pathOf)
    {
        var text = new StringBuilder();
        foreach (var target in lanes.Where(lane => lane.EffectiveParts.Any()).GroupBy(lane => lane.Plan.TargetIndex))
        {
            var lane = target.First();
            text.Append(CultureInfo.InvariantCulture, $"target: {pathOf(lane)} [thread:{Threads([.. target.Select(l => l.Plan.Thread)])}]\n");
            foreach (var (percent, from, to) in lane.EffectiveParts)
                text.Append(CultureInfo.InvariantCulture, $"{Share(percent, lane.PlacedPercent)}% of IO => [{from} - {to})\n");
        }
        return text.Length == 0 ? null : text.ToString().TrimEnd('\n');
    }

    /// <summary>A whole percentage; with one decimal where parts fell away and the others are scaled up.</summary>
    private static string Share(int percent, int placed) => placed == 100 ? percent.ToString(CultureInfo.InvariantCulture)
        : (100.0 * percent / placed).ToString("0.0", CultureInfo.InvariantCulture);

    /// <summary>Numbers of threads as DiskSpd lists them: <c> 0 1</c>, or of more in a row first and last, <c> 0 - 3 7</c>.</summary>
    private static string Threads(List<int> threads)
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
