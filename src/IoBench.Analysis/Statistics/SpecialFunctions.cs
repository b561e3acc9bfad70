namespace IoBench.Analysis;

/// <summary>
/// Special functions for probability distributions. Sources: Abramowitz and Stegun, Handbook of Mathematical Functions, 6.3.5 and 6.3.18
/// (psi),
/// 6.4.6 and 6.4.12 (its derivative), 6.5.29 and 6.5.31 (incomplete gamma function).
/// </summary>
internal static class SpecialFunctions
{
    // From this value on, the asymptotic series is exact to 1e-13. The recurrence leads smaller values there.
    private const double AsymptoticFrom = 12;

    /// <summary>Logarithm of the gamma function by Lanczos' approximation (g = 7, n = 9); relative error below 1e-14 for x > 0.</summary>
    public static double LogGamma(double x)
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
    public static double Digamma(double x)
    {
        double sum = 0;
        for (; x < AsymptoticFrom; x++)
            sum -= 1 / x;
        var r = 1 / (x * x);
        return sum + Math.Log(x) - 0.5 / x - r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r * (1.0 / 240 - r / 132))));
    }

    /// <summary>Derivative of <see cref="Digamma"/>, for x > 0.</summary>
    public static double Trigamma(double x)
    {
        double sum = 0;
        for (; x < AsymptoticFrom; x++)
            sum += 1 / (x * x);
        var r = 1 / (x * x);
        return sum + 1 / x + r / 2 + r / x * (1.0 / 6 - r * (1.0 / 30 - r * (1.0 / 42 - r * (1.0 / 30 - r * (5.0 / 66)))));
    }

    /// <summary>Trigamma decreases monotonically, so bisection finds the x above 0.</summary>
    public static double InverseTrigamma(double y)
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
    public static double ChiSquaredP(double value, double degreesOfFreedom) => value <= 0 ? 1 : UpperGamma(degreesOfFreedom / 2, value / 2);

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
