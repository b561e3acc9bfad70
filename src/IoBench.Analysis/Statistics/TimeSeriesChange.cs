namespace IoBench.Analysis.Statistics;

/// <summary>What a series does over time.</summary>
internal enum SeriesShape
{
    /// <summary>Nothing that is sure.</summary>
    Level,

    /// <summary>It has one level, then another.</summary>
    Step,

    /// <summary>It moves all the time.</summary>
    Slope,
}

/// <summary>
/// Whether a series changed, and how: a level, a step and a slope are each fitted with errors that hang together from one value to the next (first-order
/// autoregression), each with the likeness that suits it best, and compared by their likelihood. Nights resemble their neighbours: taken as independent, chance looks
/// like a trend in one month of four.
/// </summary>
/// <remarks>
/// The limits are simulated: of months of 30 nights without a change at most 2 % pass them, at autocorrelations of 0 to 0.7; series of 8 to 120 values behave much alike.
/// The usual test of ranks (Mann and Kendall, with the variance of Hamed and Rao, 1998) calls 6 to 21 % of the same months a trend where 2 % should be; held to 2 % it finds fewer slopes. Sources: C. Cochrane and
/// G. H. Orcutt (1949) for the transformation; D. W. K. Andrews (1993) for the search over break points.
/// </remarks>
internal sealed record TimeSeriesChange(SeriesShape Shape, int StepAt, double SlopeError)
{
    /// <summary>Values that a level must have at least.</summary>
    public const int MinSegment = 3;

    private const double StepLimit = 15,
        StepLimitOfLikeness = 3,
        SlopeLimit = 12.5,
        HighestLikeness = 0.95,
        LikenessStep = 0.05,
        LikenessOfFullLimit = 0.6,
        Winsorized = 6;

    /// <summary>Looks for a change.</summary>
    /// <param name="times">When, ascending.</param>
    /// <param name="values">What was measured; at least eight.</param>
    public static TimeSeriesChange Of(IReadOnlyList<double> times, IReadOnlyList<double> values)
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
            level = Math.Max(level, fit.Level);
            var (line, error) = fit.Slope(times);
            if (line > slope)
                (slope, slopeError) = (line, error);
            for (var at = MinSegment; at <= y.Length - MinSegment; at++)
            {
                if (fit.Step(at) is var found && found > step)
                    (step, stepAt, stepLikeness) = (found, at, likeness);
            }
        }
        var limit = StepLimit + StepLimitOfLikeness * Math.Min(1, stepLikeness / LikenessOfFullLimit);
        var (isStep, isSlope) = (2 * (step - level) > limit, 2 * (slope - level) > SlopeLimit);
        // A step has one parameter more, the night: it must explain that much better.
        var stepIsBetter = 2 * (step - slope) > Math.Log(y.Length);
        var shape =
            !isStep && !isSlope ? SeriesShape.Level
            : isStep && (stepIsBetter || !isSlope) ? SeriesShape.Step
            : SeriesShape.Slope;
        return new(shape, shape == SeriesShape.Step ? stepAt : 0, slopeError);
    }

    // One night of a backup must neither hide a change nor make one.
    private static double[] Winsorize(IReadOnlyList<double> values)
    {
        var (middle, spread) = RobustSpread.Of([.. values]);
        return
        [
            .. values.Select(value => spread == 0 ? value : Math.Clamp(value, middle - Winsorized * spread, middle + Winsorized * spread)),
        ];
    }
}
