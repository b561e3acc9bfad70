using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>Chooses blocks of unequal popularity in constant time with an alias table (A. J. Walker, 1977).</summary>
/// <remarks>Built as in M. D. Vose, "A linear algorithm for generating random numbers with a given distribution", 1991. The first
/// ranks have their own entries. The others form groups of exact share, whose ranks differ by less than 2% x the exponent.</remarks>
internal sealed class SkewedBlockGenerator
{
    private const int SingleRanks = 1024;
    private const int GroupsPerDoubling = 64;
    private readonly AliasEntry[] _entries;
    private readonly BlockPermutation _permutation;

    /// <param name="getWeight">Weight of the ranks from first (from 0) to below end, in any unit that is the same for all ranks.</param>
    public SkewedBlockGenerator(Func<long, long, double> getWeight, long count, ulong key)
    {
        _permutation = new BlockPermutation(count, key);
        var groups = new List<(long First, long Count)>();
        for (long first = 0; first < count; )
        {
            var size = Math.Min(first < SingleRanks ? 1 : first / GroupsPerDoubling, count - first);
            groups.Add((first, size));
            first += size;
        }
        _entries = CreateAliasTable(groups, groups.ConvertAll(g => getWeight(g.First, g.First + g.Count)));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long NextBlock(ref RandomSource random) => _permutation.GetBlock(NextRank(ref random));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long NextRank(ref RandomSource random)
    {
        // One random number gives both: the entry (upper half of the product) and the position within it (lower half).
        var at = (int)Math.BigMul(random.Next(), (ulong)_entries.Length, out var within);
        ref var entry = ref _entries[at];
        if (within >= entry.Below)
            entry = ref _entries[entry.Alias];
        return entry.Count == 1 ? entry.First : entry.First + random.NextBelow(entry.Count);
    }

    private static AliasEntry[] CreateAliasTable(List<(long First, long Count)> groups, List<double> weights)
    {
        var scale = groups.Count / weights.Sum();
        var filled = weights.ConvertAll(w => w * scale);
        var entries = new AliasEntry[groups.Count];
        var poor = new Stack<int>();
        var rich = new Stack<int>();
        for (var i = 0; i < entries.Length; i++)
        {
            entries[i] = new AliasEntry(ulong.MaxValue, groups[i].First, groups[i].Count, i);
            (filled[i] < 1 ? poor : rich).Push(i);
        }
        // Each entry has a total of 1: its own weight, and a part of an entry that has more than 1.
        while (poor.Count > 0 && rich.Count > 0)
        {
            var less = poor.Pop();
            var more = rich.Pop();
            entries[less] = entries[less] with { Below = (ulong)(filled[less] * ulong.MaxValue), Alias = more };
            filled[more] -= 1 - filled[less];
            (filled[more] < 1 ? poor : rich).Push(more);
        }
        return entries;
    }

    // From this rank on, the first terms of the Euler-Maclaurin formula are exact to the last digit.
    private const int ExactRanks = 1024;

    /// <summary>Zipf's law: rank k (from 1) gets k^-theta times the I/Os of the first one (fio's <c>zipf:theta</c>).</summary>
    /// <remarks>Exact; fio approximates (J. Gray et al., "Quickly generating billion-record synthetic databases", 1994).</remarks>
    public static Func<long, long, double> CreateZipfWeights(double theta) => (first, end) => GetZipfWeight(theta, first, end);

    /// <summary>Self-similar (Pareto's 80:20): a share h of the blocks gets 1 - h of the I/Os, also within that share.</summary>
    /// <remarks>The first x of N blocks get (x / N)^(log(1 - h) / log(h)), as with fio's <c>pareto:h</c> (lib/zipf.c).</remarks>
    public static Func<long, long, double> CreateParetoWeights(double h, long count)
    {
        var power = Math.Log(1 - h) / Math.Log(h);
        return (first, end) => Math.Pow((double)end / count, power) - Math.Pow((double)first / count, power);
    }

    private static double GetZipfWeight(double theta, long first, long end)
    {
        var sum = 0.0;
        for (; first < end && first < ExactRanks; first++)
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

    private readonly record struct AliasEntry(ulong Below, long First, long Count, int Alias);
}
