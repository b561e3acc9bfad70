namespace IoBench.Analysis;

internal static class StallPattern
{
    private const int MinStalls = 3;

    /// <summary>
    /// Allowed deviation as a share of the period, strict for few stalls. Three random times are that regular in 1 of 100 cases, four in 1
    /// of 150; more are rarely so.
    /// </summary>
    private static double GetTolerance(int count) =>
        count switch
        {
            3 => 0.01,
            4 => 0.1,
            _ => 0.15,
        };

    /// <summary>Returns the seconds between two consecutive stalls; null if they are not periodic.</summary>
    /// <param name="starts">Starts of the stalls in seconds, ascending.</param>
    /// <param name="resolution">Resolution of the times in seconds.</param>
    public static double? FindPeriod(IReadOnlyList<double> starts, double resolution = 0)
    {
        if (starts.Count < MinStalls)
            return null;
        var mean = (starts[^1] - starts[0]) / (starts.Count - 1);
        // A time can be anywhere within its interval, so a period of only a few intervals cannot be distinguished from chance.
        var allowed = Math.Max(GetTolerance(starts.Count) * mean, mean >= 3 * resolution ? 0.6 * resolution : 0);
        for (var i = 1; i < starts.Count; i++)
            if (Math.Abs(starts[i] - starts[i - 1] - mean) > allowed + 1e-9)
                return null;
        return mean;
    }
}
