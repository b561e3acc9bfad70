namespace IoBench.Analysis;

internal enum SeriesShape
{
    Level,

    Step,

    Slope,
}

/// <summary>
/// Fits a level, a step, and a slope, each with first-order autoregressive errors, and compares them by likelihood. Consecutive daily
/// results are correlated: if they are treated as independent, chance looks like a trend in one of four months.
/// </summary>
/// <remarks>
/// The limits are simulated: of months with 30 daily results without a change, at most 2% exceed them, at autocorrelations from 0 to 0.7.
/// The usual rank test (Mann and Kendall, with the variance of Hamed and Rao, 1998) finds a trend in 6 to 21% of the same months.
/// Sources: C. Cochrane and G. H. Orcutt (1949) for the transformation; D. W. K. Andrews (1993) for the search for break points.
/// </remarks>
internal sealed record TimeSeriesChange(SeriesShape Shape, int StepAt, double SlopeError)
{
    public const int MinSegment = 3;

    private const double StepLimit = 15,
        StepLimitOfLikeness = 3,
        SlopeLimit = 12.5,
        HighestLikeness = 0.95,
        LikenessStep = 0.05,
        LikenessOfFullLimit = 0.6,
        Winsorized = 6;

    public static TimeSeriesChange Detect(IReadOnlyList<double> times, IReadOnlyList<double> values)
    {
        var y = Winsorize(values);
        var (level, step, slope, stepAt, stepLikeness, slopeError) = (
            double.NegativeInfinity,
            double.NegativeInfinity,
            double.NegativeInfinity,
            0,
            0.0,
            0.0
        );
        for (var likeness = 0.0; likeness <= HighestLikeness + 1e-9; likeness += LikenessStep)
        {
            var fit = new AutoregressiveFit(y, likeness);
            level = Math.Max(level, fit.LevelLikelihood);
            var (line, error) = fit.FitSlope(times);
            if (line > slope)
                (slope, slopeError) = (line, error);
            for (var at = MinSegment; at <= y.Length - MinSegment; at++)
            {
                if (fit.GetStepLikelihood(at) is var found && found > step)
                    (step, stepAt, stepLikeness) = (found, at, likeness);
            }
        }
        var limit = StepLimit + StepLimitOfLikeness * Math.Min(1, stepLikeness / LikenessOfFullLimit);
        var (isStep, isSlope) = (2 * (step - level) > limit, 2 * (slope - level) > SlopeLimit);
        // A step has one more parameter (its position), so it must fit better by that much.
        var stepIsBetter = 2 * (step - slope) > Math.Log(y.Length);
        var shape =
            !isStep && !isSlope ? SeriesShape.Level
            : isStep && (stepIsBetter || !isSlope) ? SeriesShape.Step
            : SeriesShape.Slope;
        return new(shape, shape == SeriesShape.Step ? stepAt : 0, slopeError);
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
