namespace IoBench.Analysis;

/// <summary>Point at which a regression line crosses a level, with a 95% confidence interval.</summary>
internal sealed record InverseRegression(double X, double Low, double High, int Count)
{
    /// <summary>
    /// Uses Fieller's interval with Student's t. Null for fewer than four points or only one x, or if the line does not clearly decrease.
    /// Source: N. R. Draper, H. Smith, Applied Regression Analysis, "Inverse regression (calibration)".
    /// </summary>
    internal static InverseRegression? FindCrossing(IReadOnlyList<(double X, double Y)> points, double level)
    {
        var n = points.Count;
        if (n < 4)
            return null;
        var meanX = points.Average(p => p.X);
        var meanY = points.Average(p => p.Y);
        var sxx = points.Sum(p => (p.X - meanX) * (p.X - meanX));
        var sxy = points.Sum(p => (p.X - meanX) * (p.Y - meanY));
        if (sxx == 0 || sxy >= 0)
            return null;
        var slope = sxy / sxx;
        var residual = Math.Sqrt(Math.Max(0, points.Sum(p => Math.Pow(p.Y - meanY - slope * (p.X - meanX), 2))) / (n - 2));
        var t = Distributions.StudentQuantile(0.05, n - 2);
        // If the slope is not significant, the interval of the crossing is unbounded.
        var variance = t * t * residual * residual;
        var significance = slope * slope - variance / sxx;
        if (significance <= 0)
            return null;
        var height = level - meanY;
        var root = Math.Sqrt(Math.Max(0, height * height * slope * slope - significance * (height * height - variance / n)));
        var center = height * slope / significance;
        return new(meanX + height / slope, meanX + center - root / significance, meanX + center + root / significance, n);
    }
}
