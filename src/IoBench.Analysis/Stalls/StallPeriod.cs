namespace IoBench.Analysis.Stalls;

/// <summary>Whether moments follow one another after equal times: strict where there are few, so that chance is not named.</summary>
internal static class StallPeriod
{
    private const int Fewest = 3;

    /// <summary>Of random moments three lie this evenly in 1 of 100 cases, four in 1 of 150, more hardly ever: (share of the period that a distance may be off).</summary>
    private static double Tolerance(int count) =>
        count switch
        {
            3 => 0.01,
            4 => 0.1,
            _ => 0.15,
        };

    /// <summary>Seconds from one to the next; null when they have no period.</summary>
    /// <param name="starts">The moments in seconds, ascending.</param>
    /// <param name="resolution">How exactly the moments are known, in seconds.</param>
    public static double? Of(IReadOnlyList<double> starts, double resolution = 0)
    {
        if (starts.Count < Fewest)
            return null;
        var mean = (starts[^1] - starts[0]) / (starts.Count - 1);
        // Within an interval of a timeline a moment can be anywhere; periods of few intervals cannot be told from chance then.
        var allowed = Math.Max(Tolerance(starts.Count) * mean, mean >= 3 * resolution ? 0.6 * resolution : 0);
        for (var i = 1; i < starts.Count; i++)
            if (Math.Abs(starts[i] - starts[i - 1] - mean) > allowed + 1e-9)
                return null;
        return mean;
    }
}
