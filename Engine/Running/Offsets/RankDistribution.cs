namespace IoBench.Engine;

internal abstract class RankDistribution
{
    /// <summary>
    /// Returns the weight of the ranks from <paramref name="first"/> (from 0) to below <paramref name="end"/>, in any unit that is the same
    /// for all ranks.
    /// </summary>
    public abstract double GetWeight(long first, long end);
}

/// <summary>
/// Zipf's law: the block of rank k, counted from 1, gets k^-theta times as many I/Os as the first one (fio's <c>zipf:theta</c>; a theta
/// around 1 is usual). Exact for any theta above 0 and any number of blocks. fio's generator is an approximation (J. Gray et al., "Quickly
/// generating billion-record synthetic databases", 1994), and its hash maps several ranks to one block.
/// </summary>
internal sealed class ZipfDistribution(double theta) : RankDistribution
{
    // From this rank on, the first terms of the Euler-Maclaurin formula are exact to the last digit.
    private const int Exact = 1024;

    public override double GetWeight(long first, long end)
    {
        var sum = 0.0;
        for (; first < end && first < Exact; first++)
            sum += Math.Pow(first + 1, -theta);
        return first < end ? sum + GetTail(end) - GetTail(first) + GetIntegral(first, end) : sum;
    }

    // The sum over k in (a, b] of f(k) is the integral from a to b, + (f(b) - f(a)) / 2, + (f'(b) - f'(a)) / 12.
    private double GetTail(double k) => Math.Pow(k, -theta) / 2 - theta * Math.Pow(k, -theta - 1) / 12;

    private double GetIntegral(double a, double b)
    {
        var power = 1 - theta;
        var log = Math.Log(b / a);
        var t = power * log;
        // Near theta = 1, the difference would lose precision.
        return Math.Pow(a, power) * (Math.Abs(t) < 1e-4 ? log * (1 + t / 2 + t * t / 6) : (Math.Exp(t) - 1) / power);
    }
}

/// <summary>
/// Self-similar distribution (Pareto's 80:20): a share h of the blocks gets 1 - h of the I/Os, and the same applies within that share. The
/// first x of N blocks get (x / N)^(log(1 - h) / log(h)). fio's <c>pareto:h</c> computes the same by u^(log(h) / log(1 - h)) (lib/zipf.c;
/// J. Gray et al., 1994).
/// </summary>
internal sealed class ParetoDistribution(double h, long count) : RankDistribution
{
    private readonly double _power = Math.Log(1 - h) / Math.Log(h);

    public override double GetWeight(long first, long end) =>
        Math.Pow((double)end / count, _power) - Math.Pow((double)first / count, _power);
}
