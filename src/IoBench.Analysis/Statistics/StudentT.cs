using System.Collections.Concurrent;

namespace IoBench.Analysis;

/// <summary>Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.5.8 (continued fraction) and 26.7.1.</summary>
public static class StudentT
{
    /// <summary>Two-sided probability that |T| is at least |t|. The degrees of freedom need not be an integer (Welch).</summary>
    public static double TwoSidedP(double t, double degreesOfFreedom)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(degreesOfFreedom);
        if (double.IsNaN(t))
            return double.NaN;
        if (double.IsInfinity(t))
            return 0;
        return RegularizedBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
    }

    /// <summary>The t that |T| exceeds with this probability; for example, 2.262 for 0.05 and 9 degrees of freedom.</summary>
    public static double Quantile(double twoSidedP, double degreesOfFreedom)
    {
        if (twoSidedP is not (> 0 and < 1))
            throw new ArgumentOutOfRangeException(nameof(twoSidedP), twoSidedP, "A probability between 0 and 1 is needed.");
        // Doubling finds an upper bound, bisection the value. 200 bisections exhaust the precision of a double.
        double low = 0,
            high = 1;
        while (TwoSidedP(high, degreesOfFreedom) > twoSidedP && high < 1e300)
            high *= 2;
        for (var i = 0; i < 200; i++)
        {
            var middle = (low + high) / 2;
            if (TwoSidedP(middle, degreesOfFreedom) > twoSidedP)
                low = middle;
            else
                high = middle;
        }
        return (low + high) / 2;
    }

    /// <summary>Caches quantiles, because many patterns, repeats, and suites need the same few.</summary>
    internal static double CachedQuantile(double twoSidedP, double degreesOfFreedom)
    {
        // Estimated degrees of freedom rarely repeat, so limit the size of the cache.
        if (s_quantiles.Count > 10_000)
            s_quantiles.Clear();
        return s_quantiles.GetOrAdd((twoSidedP, degreesOfFreedom), static key => Quantile(key.P, key.Degrees));
    }

    private static readonly ConcurrentDictionary<(double P, double Degrees), double> s_quantiles = new();

    private static double RegularizedBeta(double x, double a, double b)
    {
        if (x <= 0)
            return 0;
        if (x >= 1)
            return 1;
        var front = Math.Exp(
            SpecialFunctions.LogGamma(a + b)
                - SpecialFunctions.LogGamma(a)
                - SpecialFunctions.LogGamma(b)
                + a * Math.Log(x)
                + b * Math.Log(1 - x)
        );
        // The continued fraction converges fast below this value; above it, use the symmetric fraction.
        return x < (a + 1) / (a + b + 2) ? front * ContinuedFraction(x, a, b) / a : 1 - front * ContinuedFraction(1 - x, b, a) / b;
    }

    // Lentz's method.
    private static double ContinuedFraction(double x, double a, double b)
    {
        const double tiny = 1e-300;
        double c = 1,
            d = 1 - (a + b) * x / (a + 1);
        d = 1 / (Math.Abs(d) < tiny ? tiny : d);
        var result = d;
        for (var m = 1; m <= 10_000; m++)
        {
            var even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            result *= Step(even, ref c, ref d);
            var odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            var change = Step(odd, ref c, ref d);
            result *= change;
            if (Math.Abs(change - 1) < 1e-15)
                break;
        }
        return result;

        static double Step(double coefficient, ref double c, ref double d)
        {
            d = 1 + coefficient * d;
            c = 1 + coefficient / c;
            d = 1 / (Math.Abs(d) < tiny ? tiny : d);
            if (Math.Abs(c) < tiny)
                c = tiny;
            return c * d;
        }
    }
}
