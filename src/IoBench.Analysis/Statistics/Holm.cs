namespace IoBench.Analysis;

/// <summary>
/// Holm's step-down correction for many tests at once: no more than alpha false alarms over all of them.
/// Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
/// </summary>
public static class Holm
{
    /// <summary>The adjusted probabilities, in the order given; each to be compared with alpha itself.</summary>
    public static double[] Adjust(IReadOnlyList<double> probabilities)
    {
        var order = Enumerable.Range(0, probabilities.Count).OrderBy(i => probabilities[i]).ToArray();
        var adjusted = new double[probabilities.Count];
        double highest = 0;
        for (var rank = 0; rank < order.Length; rank++)
        {
            highest = Math.Max(highest, Math.Min(1, (order.Length - rank) * probabilities[order[rank]]));
            adjusted[order[rank]] = highest;
        }
        return adjusted;
    }
}
