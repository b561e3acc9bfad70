namespace IoBench.Analysis;

/// <summary>
/// Steady-state check of the last five rounds: their range is at most 20% of their average, and the best-fit line changes by at most 10% of
/// it.
/// Source: SNIA Solid State Storage Performance Test Specification, "Steady State".
/// </summary>
/// <param name="IsSteady">Whether both criteria are met.</param>
/// <param name="RangePercent">(highest - lowest) / average in percent.</param>
/// <param name="SlopePercent">Absolute change of the least-squares line over the window / average, in percent.</param>
/// <param name="Average">Average of the window.</param>
public sealed record SteadyState(bool IsSteady, double RangePercent, double SlopePercent, double Average)
{
    /// <summary>Number of rounds in the measurement window.</summary>
    public const int Window = 5;

    /// <summary>Largest range in percent of the average.</summary>
    public const double RangeLimitPercent = 20;

    /// <summary>Largest change of the line in percent of the average.</summary>
    public const double SlopeLimitPercent = 10;

    /// <summary>Checks the last <see cref="Window"/> rounds; null if there are fewer.</summary>
    public static SteadyState? FromRounds(IReadOnlyList<double> rounds)
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
