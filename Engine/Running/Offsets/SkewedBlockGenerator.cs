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

    /// <param name="getWeight">Weight of the ranks from first to below end; see <see cref="BlockWeights"/>.</param>
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

    private readonly record struct AliasEntry(ulong Below, long First, long Count, int Alias);
}
