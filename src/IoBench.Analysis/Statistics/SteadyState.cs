namespace IoBench.Analysis.Statistics;

/// <summary>
/// Whether the last five rounds are steady: their range within 20 % of their average, and the best-fit line's change over them within 10 % of it.
/// Source: SNIA Solid State Storage Performance Test Specification, "Steady State".
/// </summary>
/// <param name="IsSteady">Both criteria hold.</param>
/// <param name="RangePercent">(highest - lowest) / average in percent.</param>
/// <param name="SlopePercent">Change of the least-squares line over the window / average, in percent, without sign.</param>
/// <param name="Average">Average of the window.</param>
public sealed record SteadyState(bool IsSteady, double RangePercent, double SlopePercent, double Average)
{
    /// <summary>Rounds of the measurement window.</summary>
    public const int Window = 5;

    /// <summary>Widest range, in percent of the average.</summary>
    public const double RangeLimitPercent = 20;

    /// <summary>Highest change of the line, in percent of the average.</summary>
    public const double SlopeLimitPercent = 10;

    /// <summary>Judges the last <see cref="Window"/> rounds; null while there are fewer.</summary>
    public static SteadyState? Of(IReadOnlyList<double> rounds)
    {
        if (rounds.Count < Window)
            return null;
        var window = rounds.Skip(rounds.Count - Window).ToArray();
        var average = window.Average();
        if (average == 0)
            return new(false, 0, 0, 0);
        var range = (window.Max() - window.Min()) / average * 100;
        const double middle = (Window - 1) / 2.0;
        double cross = 0,
            square = 0;
        for (var i = 0; i < Window; i++)
        {
            cross += (i - middle) * (window[i] - average);
            square += (i - middle) * (i - middle);
        }
        var slope = Math.Abs(cross / square * (Window - 1)) / average * 100;
        return new(range <= RangeLimitPercent && slope <= SlopeLimitPercent, range, slope, average);
    }
}
