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
}
