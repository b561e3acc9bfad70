namespace IoBench.Engine;

/// <summary>Weights of the ranks from first (from 0) to below end, in any unit that is the same for all ranks.</summary>
internal static class BlockWeights
{
    // From this rank on, the first terms of the Euler-Maclaurin formula are exact to the last digit.
    private const int Exact = 1024;

    /// <summary>Zipf's law: rank k (from 1) gets k^-theta times the I/Os of the first one (fio's <c>zipf:theta</c>).</summary>
    /// <remarks>Exact; fio approximates (J. Gray et al., "Quickly generating billion-record synthetic databases", 1994).</remarks>
    public static Func<long, long, double> CreateZipf(double theta) => (first, end) => GetZipfWeight(theta, first, end);

    /// <summary>Self-similar (Pareto's 80:20): a share h of the blocks gets 1 - h of the I/Os, also within that share.</summary>
    /// <remarks>The first x of N blocks get (x / N)^(log(1 - h) / log(h)), as with fio's <c>pareto:h</c> (lib/zipf.c).</remarks>
    public static Func<long, long, double> CreatePareto(double h, long count)
    {
        var power = Math.Log(1 - h) / Math.Log(h);
        return (first, end) => Math.Pow((double)end / count, power) - Math.Pow((double)first / count, power);
    }

    private static double GetZipfWeight(double theta, long first, long end)
    {
        var sum = 0.0;
        for (; first < end && first < Exact; first++)
            sum += Math.Pow(first + 1, -theta);
        return first < end ? sum + GetTail(theta, end) - GetTail(theta, first) + GetIntegral(theta, first, end) : sum;
    }

    // The sum over k in (a, b] of f(k) is the integral from a to b, + (f(b) - f(a)) / 2, + (f'(b) - f'(a)) / 12.
    private static double GetTail(double theta, double k) => Math.Pow(k, -theta) / 2 - theta * Math.Pow(k, -theta - 1) / 12;

    private static double GetIntegral(double theta, double a, double b)
    {
        var power = 1 - theta;
        var log = Math.Log(b / a);
        var t = power * log;
        // Near theta = 1, the difference would lose precision.
        return Math.Pow(a, power) * (Math.Abs(t) < 1e-4 ? log * (1 + t / 2 + t * t / 6) : (Math.Exp(t) - 1) / power);
    }
}
