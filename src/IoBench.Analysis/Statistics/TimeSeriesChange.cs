namespace IoBench.Analysis;

/// <summary>
/// Fits a level, a step, and a slope, each with first-order autoregressive errors, and compares them by likelihood. Consecutive daily
/// results are correlated: if they are treated as independent, chance looks like a trend in one of four months.
/// </summary>
/// <remarks>
/// The limits are simulated: of months with 30 daily results without a change, at most 2% exceed them, at autocorrelations from 0 to 0.7.
/// The usual rank test (Mann and Kendall, with the variance of Hamed and Rao, 1998) finds a trend in 6 to 21% of the same months.
/// Sources: C. Cochrane and G. H. Orcutt (1949) for the transformation; D. W. K. Andrews (1993) for the search for break points.
/// </remarks>
/// <param name="StepAt">Index of the first value after a step; null if a level or a slope explains the values.</param>
internal sealed record TimeSeriesChange(int? StepAt, bool IsSlope, double SlopeError)
{
    public const int MinSegment = 3;

    private const double StepLimit = 15,
        StepLimitPerAutocorrelation = 3,
        SlopeLimit = 12.5,
        MaxAutocorrelation = 0.95,
        AutocorrelationStep = 0.05,
        FullLimitAutocorrelation = 0.6,
        Winsorized = 6;

    public static TimeSeriesChange Detect(IReadOnlyList<double> times, IReadOnlyList<double> values)
    {
        var y = Winsorize(values);
        double level = double.NegativeInfinity,
            step = double.NegativeInfinity,
            slope = double.NegativeInfinity,
            stepAutocorrelation = 0,
            slopeError = 0;
        var stepAt = 0;
        for (var autocorrelation = 0.0; autocorrelation <= MaxAutocorrelation + 1e-9; autocorrelation += AutocorrelationStep)
        {
            var fit = new AutoregressiveFit(y, autocorrelation);
            level = Math.Max(level, fit.LevelLikelihood);
            var (line, error) = fit.FitSlope(times);
            if (line > slope)
            {
                slope = line;
                slopeError = error;
            }
            for (var at = MinSegment; at <= y.Length - MinSegment; at++)
            {
                var likelihood = fit.GetStepLikelihood(at);
                if (likelihood > step)
                {
                    step = likelihood;
                    stepAt = at;
                    stepAutocorrelation = autocorrelation;
                }
            }
        }
        var limit = StepLimit + StepLimitPerAutocorrelation * Math.Min(1, stepAutocorrelation / FullLimitAutocorrelation);
        var isStep = 2 * (step - level) > limit;
        var isSlope = 2 * (slope - level) > SlopeLimit;
        // A step has one more parameter (its position), so it must fit better by that much.
        var stepIsBetter = 2 * (step - slope) > Math.Log(y.Length);
        return isStep && (stepIsBetter || !isSlope) && IsLasting(values, stepAt)
            ? new(stepAt, IsSlope: false, slopeError)
            : new(null, isSlope, slopeError);
    }

    /// <summary>Whether the nearest values on both sides lie at their own level. One or two bad values at the end are no step.</summary>
    private static bool IsLasting(IReadOnlyList<double> values, int at)
    {
        var before = RobustSpread.FromValues([.. values.Take(at)]).Median;
        var after = RobustSpread.FromValues([.. values.Skip(at)]).Median;
        bool IsAt(double value, double own, double other) => Math.Abs(value - own) <= Math.Abs(value - other);
        var nextToStep = values.Skip(at).Take(MinSegment).Count(value => IsAt(value, after, before));
        return IsAt(values[at], after, before) && IsAt(values[at - 1], before, after) && nextToStep >= MinSegment - 1;
    }

    // A single extreme day, such as one with a backup, must neither hide a change nor cause one.
    private static double[] Winsorize(IReadOnlyList<double> values)
    {
        var (middle, spread) = RobustSpread.FromValues([.. values]);
        return
        [
            .. values.Select(value => spread == 0 ? value : Math.Clamp(value, middle - Winsorized * spread, middle + Winsorized * spread)),
        ];
    }
}
