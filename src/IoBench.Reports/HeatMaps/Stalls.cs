using System.Globalization;

namespace IoBench.Reports;

/// <summary>Times in which hardly any I/O ended: a controller's cache that is flushed, a snapshot, a path that is switched.</summary>
internal static class Stalls
{
    /// <summary>An interval with less than this share of the usual I/Os.</summary>
    private const double StalledShare = 0.2;
    private const int MinStalls = 3;
    private const double MaxVariation = 0.15;

    /// <summary>What a map says about stalls, in a sentence; null when there are none.</summary>
    public static string? Say(HeatMap map)
    {
        var rates = map.Counts.Select(column => column.Sum()).ToList();
        var usual = rates.Order().ElementAt(rates.Count / 2);
        var stalls = new List<(double Start, double Length)>();
        for (var column = 0; column < rates.Count; column++)
        {
            if (rates[column] >= usual * StalledShare)
                continue;
            var start = column == 0 ? 0 : map.Ends[column - 1];
            if (stalls.Count > 0 && stalls[^1] is var last && Math.Abs(last.Start + last.Length - start) < 1e-6)
                stalls[^1] = last with { Length = map.Ends[column] - last.Start };
            else
                stalls.Add((start, map.Ends[column] - start));
        }
        if (usual <= 0 || stalls.Count == 0)
            return null;
        var length = stalls.Average(stall => stall.Length);
        var gaps = stalls.Zip(stalls.Skip(1), (one, next) => next.Start - one.Start).ToList();
        var period = gaps.Count == 0 ? 0 : gaps.Average();
        return stalls.Count >= MinStalls && gaps.TrueForAll(gap => Math.Abs(gap - period) <= period * MaxVariation)
            ? string.Create(CultureInfo.InvariantCulture, $"{map.Name}: every {period:0.#} s hardly any I/O ends for about {length:0.#} s: a stall with a period.")
            : string.Create(CultureInfo.InvariantCulture, $"{map.Name}: hardly any I/O ended {(stalls.Count == 1 ? "once" : $"{stalls.Count} times")}, for {stalls.Max(stall => stall.Length):0.#} s at most (first at {stalls[0].Start:0.#} s).");
    }
}
