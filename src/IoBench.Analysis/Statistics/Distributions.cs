using System.Collections.Concurrent;

namespace IoBench.Analysis;

/// <summary>
/// Probability distributions and their special functions. Sources: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.5.8
/// (continued fraction) and 26.7.1 (Student's t), 6.3.5 and 6.3.18 (psi), 6.4.6 and 6.4.12 (its derivative), 6.5.29 and 6.5.31 (incomplete
/// gamma function).
/// </summary>
public static class Distributions
{
    /// <summary>Two-sided probability that |T| is at least |t|. The degrees of freedom need not be an integer (Welch).</summary>
    public static double StudentTwoSidedP(double t, double degreesOfFreedom)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(degreesOfFreedom);
        if (double.IsNaN(t))
            return double.NaN;
        if (double.IsInfinity(t))
            return 0;
        return RegularizedBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
    }

    /// <summary>The t that |T| exceeds with this probability; for example, 2.262 for 0.05 and 9 degrees of freedom.</summary>
    public static double StudentQuantile(double twoSidedP, double degreesOfFreedom)
    {
        if (twoSidedP is not (> 0 and < 1))
            throw new ArgumentOutOfRangeException(nameof(twoSidedP), twoSidedP, "A probability between 0 and 1 is needed.");
        // Doubling finds an upper bound, bisection the value. 200 bisections exhaust the precision of a double.
        double low = 0,
            high = 1;
        while (StudentTwoSidedP(high, degreesOfFreedom) > twoSidedP && high < 1e300)
            high *= 2;
        for (var i = 0; i < 200; i++)
        {
            var middle = (low + high) / 2;
            if (StudentTwoSidedP(middle, degreesOfFreedom) > twoSidedP)
                low = middle;
            else
                high = middle;
        }
        return (low + high) / 2;
    }

    /// <summary>Caches quantiles, because many patterns, repeats, and suites need the same few.</summary>
    internal static double CachedStudentQuantile(double twoSidedP, double degreesOfFreedom)
    {
        // Estimated degrees of freedom rarely repeat, so limit the size of the cache.
        if (s_quantiles.Count > 10_000)
            s_quantiles.Clear();
        return s_quantiles.GetOrAdd((twoSidedP, degreesOfFreedom), static key => StudentQuantile(key.P, key.Degrees));
    }

    private static readonly ConcurrentDictionary<(double P, double Degrees), double> s_quantiles = new();

    private static double RegularizedBeta(double x, double a, double b)
    {
        if (x <= 0)
            return 0;
        if (x >= 1)
            return 1;
        var front = Math.Exp(LogGamma(a + b) - LogGamma(a) - LogGamma(b) + a * Math.Log(x) + b * Math.Log(1 - x));
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

    // From this value on, the asymptotic series is exact to 1e-13. The recurrence leads smaller values there.
    private const double AsymptoticFrom = 12;

    /// <summary>Logarithm of the gamma function by Lanczos' approximation (g = 7, n = 9); relative error below 1e-14 for x > 0.</summary>
    internal static double LogGamma(double x)
    {
        ReadOnlySpan<double> coefficients =
        [
            0.99999999999980993,
            676.5203681218851,
            -1259.1392167224028,
            771.32342877765313,
            -176.61502916214059,
            12.507343278686905,
            -0.13857109526572012,
            9.9843695780195716e-6,
            1.5056327351493116e-7,
        ];
        x -= 1;
        var sum = coefficients[0];
        for (var i = 1; i < coefficients.Length; i++)
            sum += coefficients[i] / (x + i);
        var t = x + 7.5;
        return 0.5 * Math.Log(2 * Math.PI) + (x + 0.5) * Math.Log(t) - t + Math.Log(sum);
    }

    /// <summary>Derivative of <see cref="LogGamma"/>, for x > 0.</summary>
    internal static double Digamma(double x)
    {
        double sum = 0;
        for (; x < AsymptoticFrom; x++)
            sum -= 1 / x;
        var r = 1 / (x * x);
        return sum + Math.Log(x) - 0.5 / x - r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r * (1.0 / 240 - r / 132))));
    }

    /// <summary>Derivative of <see cref="Digamma"/>, for x > 0.</summary>
    internal static double Trigamma(double x)
    {
        double sum = 0;
        for (; x < AsymptoticFrom; x++)
            sum += 1 / (x * x);
        var r = 1 / (x * x);
        return sum + 1 / x + r / 2 + r / x * (1.0 / 6 - r * (1.0 / 30 - r * (1.0 / 42 - r * (1.0 / 30 - r * (5.0 / 66)))));
    }

    /// <summary>Trigamma decreases monotonically, so bisection finds the x above 0.</summary>
    internal static double InverseTrigamma(double y)
    {
        double low = 1e-9,
            high = 1e9;
        for (var i = 0; i < 200 && high / low > 1 + 1e-14; i++)
        {
            var middle = Math.Sqrt(low * high);
            if (Trigamma(middle) > y)
                low = middle;
            else
                high = middle;
        }
        return Math.Sqrt(low * high);
    }

    /// <summary>Probability that a chi-squared value with this number of degrees of freedom is at least <paramref name="value"/>.</summary>
    internal static double ChiSquaredP(double value, double degreesOfFreedom) =>
        value <= 0 ? 1 : UpperGamma(degreesOfFreedom / 2, value / 2);

    // The regularized upper incomplete gamma function: a series below a + 1, a continued fraction (Lentz) above.
    private static double UpperGamma(double a, double x)
    {
        var front = Math.Exp(a * Math.Log(x) - x - LogGamma(a));
        if (x < a + 1)
        {
            double term = 1 / a,
                sum = term;
            for (var n = 1; n < 10_000 && term > sum * 1e-16; n++)
                sum += term *= x / (a + n);
            return 1 - front * sum;
        }
        const double tiny = 1e-300;
        double b = x + 1 - a,
            c = 1 / tiny,
            d = 1 / b,
            h = d;
        for (var i = 1; i < 10_000; i++)
        {
            var numerator = -i * (i - a);
            b += 2;
            d = numerator * d + b;
            d = 1 / (Math.Abs(d) < tiny ? tiny : d);
            c = b + numerator / c;
            if (Math.Abs(c) < tiny)
                c = tiny;
            var change = d * c;
            h *= change;
            if (Math.Abs(change - 1) < 1e-15)
                break;
        }
        return front * h;
    }
}
