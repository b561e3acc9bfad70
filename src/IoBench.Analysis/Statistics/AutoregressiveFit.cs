namespace IoBench.Analysis;

/// <summary>Least-squares fits without first-order autocorrelation (Prais and Winsten, 1954). Likelihoods are logarithms.</summary>
internal sealed class AutoregressiveFit
{
    // The error cannot be zero, even if all values are equal.
    private const double MinRelativeError = 1e-4;

    private readonly double[] _y;
    private readonly double[] _sumFrom;
    private readonly double _first,
        _rest,
        _autocorrelation,
        _cc,
        _cy,
        _yy,
        _least;

    /// <param name="autocorrelation">Autocorrelation of consecutive values, from 0 to below 1.</param>
    public AutoregressiveFit(double[] values, double autocorrelation)
    {
        var n = values.Length;
        var mean = values.Average();
        _first = Math.Sqrt(1 - autocorrelation * autocorrelation);
        _rest = 1 - autocorrelation;
        _autocorrelation = autocorrelation;
        _y = new double[n];
        _sumFrom = new double[n + 1];
        for (var i = n - 1; i >= 0; i--)
        {
            _y[i] = i == 0 ? _first * (values[0] - mean) : values[i] - mean - autocorrelation * (values[i - 1] - mean);
            _sumFrom[i] = _sumFrom[i + 1] + _y[i];
        }
        _cc = _first * _first + (n - 1) * _rest * _rest;
        _cy = _first * _y[0] + _rest * _sumFrom[1];
        _yy = _y.Sum(v => v * v);
        _least = n * Math.Pow(MinRelativeError * mean, 2);
    }

    public double LevelLikelihood => GetLikelihood(_yy - _cy * _cy / _cc);

    public double GetStepLikelihood(int at)
    {
        var after = _y.Length - at - 1;
        var ss = 1 + after * _rest * _rest;
        var sc = _rest + after * _rest * _rest;
        var sy = _y[at] + _rest * _sumFrom[at + 1];
        return GetLikelihood(GetResidual(ss, sc, sy));
    }

    public (double Likelihood, double Error) FitSlope(IReadOnlyList<double> times)
    {
        var mean = times.Average();
        double ss = 0,
            sc = 0,
            sy = 0;
        for (var i = 0; i < _y.Length; i++)
        {
            var t = i == 0 ? _first * (times[0] - mean) : times[i] - mean - _autocorrelation * (times[i - 1] - mean);
            ss += t * t;
            sc += t * (i == 0 ? _first : _rest);
            sy += t * _y[i];
        }
        var own = ss - sc * sc / _cc;
        if (own <= 0)
            return (LevelLikelihood, 0);
        var residual = GetResidual(ss, sc, sy);
        return (GetLikelihood(residual), Math.Sqrt(Math.Max(0, residual) / (_y.Length - 2) / own));
    }

    private double GetResidual(double ss, double sc, double sy) =>
        _yy - _cy * _cy / _cc - Math.Pow(sy - _cy * sc / _cc, 2) / (ss - sc * sc / _cc);

    private double GetLikelihood(double residual) =>
        -_y.Length / 2.0 * Math.Log(Math.Max(residual, _least)) + 0.5 * Math.Log(1 - _autocorrelation * _autocorrelation);

    public const int MinSegment = 3;

    private const double StepLimit = 15,
        StepLimitPerAutocorrelation = 3,
        SlopeLimit = 12.5,
        MaxAutocorrelation = 0.95,
        AutocorrelationStep = 0.05,
        FullLimitAutocorrelation = 0.6,
        Winsorized = 6;

    /// <summary>
    /// Fits a level, a step, and a slope, each with first-order autoregressive errors, and compares them by likelihood. Consecutive daily
    /// results are correlated: if they are treated as independent, chance looks like a trend in one of four months.
    /// </summary>
    /// <remarks>
    /// The limits are simulated: of months with 30 daily results without a change, at most 2% exceed them, at autocorrelations from 0 to
    /// 0.7.
    /// The usual rank test (Mann and Kendall, with the variance of Hamed and Rao, 1998) finds a trend in 6 to 21% of the same months.
    /// Sources: C. Cochrane and G. H. Orcutt (1949) for the transformation; D. W. K. Andrews (1993) for the search for break points.
    /// </remarks>
    /// <returns>StepAt: index of the first value after a step; null if a level or a slope explains the values. IsSlope: whether a slope explains
    /// the values. SlopeError: standard error of the slope.</returns>
    public static (int? StepAt, bool IsSlope, double SlopeError) FindChange(IReadOnlyList<double> times, IReadOnlyList<double> values)
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
            ? (stepAt, false, slopeError)
            : (null, isSlope, slopeError);
    }

    /// <summary>Whether the nearest values on both sides lie at their own level. One or two bad values at the end are no step.</summary>
    private static bool IsLasting(IReadOnlyList<double> values, int at)
    {
        var before = SampleSummary.GetRobustSpread([.. values.Take(at)]).Median;
        var after = SampleSummary.GetRobustSpread([.. values.Skip(at)]).Median;
        bool IsAt(double value, double own, double other) => Math.Abs(value - own) <= Math.Abs(value - other);
        var nextToStep = values.Skip(at).Take(MinSegment).Count(value => IsAt(value, after, before));
        return IsAt(values[at], after, before) && IsAt(values[at - 1], before, after) && nextToStep >= MinSegment - 1;
    }

    // A single extreme day, such as one with a backup, must neither hide a change nor cause one.
    private static double[] Winsorize(IReadOnlyList<double> values)
    {
        var (middle, spread) = SampleSummary.GetRobustSpread([.. values]);
        return
        [
            .. values.Select(value => spread == 0 ? value : Math.Clamp(value, middle - Winsorized * spread, middle + Winsorized * spread)),
        ];
    }
}
