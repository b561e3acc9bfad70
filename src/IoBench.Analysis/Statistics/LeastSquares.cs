namespace IoBench.Analysis;

/// <summary>A straight line fitted by least squares. The interval of the slope has 95% confidence (Student's t).</summary>
/// <param name="P">Two-sided probability of such a slope if there is none.</param>
public sealed record LeastSquares(int Count, double Slope, double Intercept, double SlopeLow, double SlopeHigh, double P)
{
    /// <summary>Fits the line; null if there are fewer than three points or all have one x.</summary>
    public static LeastSquares? FitLine(IReadOnlyList<(double X, double Y)> points)
    {
        var n = points.Count;
        if (n < 3)
            return null;
        var meanX = points.Average(p => p.X);
        var meanY = points.Average(p => p.Y);
        var sxx = points.Sum(p => (p.X - meanX) * (p.X - meanX));
        if (sxx == 0)
            return null;
        var slope = points.Sum(p => (p.X - meanX) * (p.Y - meanY)) / sxx;
        var intercept = meanY - slope * meanX;
        var error = Math.Sqrt(points.Sum(p => Math.Pow(p.Y - intercept - slope * p.X, 2)) / (n - 2) / sxx);
        var half = StudentT.Quantile(0.05, n - 2) * error;
        double p;
        if (error != 0)
            p = StudentT.TwoSidedP(slope / error, n - 2);
        else
            p = slope == 0 ? 1 : 0;
        return new(n, slope, intercept, slope - half, slope + half, p);
    }
}
