namespace IoBench.Analysis;

internal sealed record ChangePoint(int Index, double Before, double After)
{
    private const int MinSegment = 3;
    private const double MinDrop = 0.10;
    private const double LeastT = 8;

    /// <summary>Null unless the second level is at least 10% lower, clearly beyond noise, and a step fits better than a slope.</summary>
    internal static ChangePoint? FindStepDown(IReadOnlyList<double> values)
    {
        var n = values.Count;
        if (n < 2 * MinSegment)
            return null;
        var sums = new double[n + 1];
        var squares = new double[n + 1];
        for (var i = 0; i < n; i++)
        {
            sums[i + 1] = sums[i] + values[i];
            squares[i + 1] = squares[i] + values[i] * values[i];
        }
        double Error(int from, int to) => Math.Max(0, squares[to] - squares[from] - Math.Pow(sums[to] - sums[from], 2) / (to - from));
        var best = Enumerable.Range(MinSegment, n - 2 * MinSegment + 1).MinBy(k => Error(0, k) + Error(k, n));
        var before = sums[best] / best;
        var after = (sums[n] - sums[best]) / (n - best);
        if (!(after < before * (1 - MinDrop)))
            return null;
        var error = Error(0, best) + Error(best, n);
        var deviation = Math.Sqrt(error / (n - 2));
        if (deviation > 0 && (before - after) / (deviation * Math.Sqrt(1.0 / best + 1.0 / (n - best))) < LeastT)
            return null;
        return error <= 0.7 * GetSlopeError(values) ? new(best, before, after) : null;
    }

    private static double GetSlopeError(IReadOnlyList<double> values)
    {
        var middle = (values.Count - 1) / 2.0;
        var mean = values.Average();
        double sxx = 0,
            sxy = 0,
            syy = 0;
        for (var i = 0; i < values.Count; i++)
        {
            sxx += (i - middle) * (i - middle);
            sxy += (i - middle) * (values[i] - mean);
            syy += (values[i] - mean) * (values[i] - mean);
        }
        return syy - sxy * sxy / sxx;
    }
}
