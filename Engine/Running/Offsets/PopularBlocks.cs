using System.Runtime.CompilerServices;

namespace IoBench.Engine.Running.Offsets;

/// <summary>
/// Draws blocks of unequal popularity in constant time, without powers or logarithms: an alias table (A. J. Walker, 1977; built as M. D. Vose, "A linear algorithm for
/// generating random numbers with a given distribution", 1991) over the first ranks one by one, and over ever wider groups of the others. A group's share is exact; within it,
/// where the ranks differ by less than 2 % x the law's power, all are equally likely.
/// </summary>
internal sealed class PopularBlocks
{
    private const int SingleRanks = 1024;
    private const int GroupsPerDoubling = 64;
    private readonly Entry[] _entries;
    private readonly BlockScatter _scatter;

    /// <summary>Blocks from 0 to below <paramref name="count"/>.</summary>
    /// <param name="popularity">The law.</param>
    /// <param name="count">How many blocks.</param>
    /// <param name="key">Says which blocks are popular.</param>
    public PopularBlocks(Popularity popularity, long count, ulong key)
    {
        _scatter = new BlockScatter(count, key);
        var groups = new List<(long First, long Count)>();
        for (long first = 0; first < count; )
        {
            var size = Math.Min(first < SingleRanks ? 1 : first / GroupsPerDoubling, count - first);
            groups.Add((first, size));
            first += size;
        }
        _entries = Table(groups, groups.ConvertAll(g => popularity.Of(g.First, g.First + g.Count)));
    }

    /// <summary>The number of a block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Draw(ref RandomSource random) => _scatter.Of(DrawRank(ref random));

    /// <summary>A rank, from 0 = the most popular.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long DrawRank(ref RandomSource random)
    {
        // One number gives both: which entry (the product's upper half), and where within it (the lower half).
        var at = (int)Math.BigMul(random.Next(), (ulong)_entries.Length, out var within);
        ref var entry = ref _entries[at];
        if (within >= entry.Below)
            entry = ref _entries[entry.Alias];
        return entry.Count == 1 ? entry.First : entry.First + random.Below(entry.Count);
    }

    private static Entry[] Table(List<(long First, long Count)> groups, List<double> weights)
    {
        var scale = groups.Count / weights.Sum();
        var filled = weights.ConvertAll(w => w * scale);
        var entries = new Entry[groups.Count];
        var (poor, rich) = (new Stack<int>(), new Stack<int>());
        for (var i = 0; i < entries.Length; i++)
        {
            entries[i] = new Entry(ulong.MaxValue, groups[i].First, groups[i].Count, i);
            (filled[i] < 1 ? poor : rich).Push(i);
        }
        // Each entry holds 1 in all: its own weight, and what is left of one that has too much.
        while (poor.Count > 0 && rich.Count > 0)
        {
            var (less, more) = (poor.Pop(), rich.Pop());
            entries[less] = entries[less] with { Below = (ulong)(filled[less] * ulong.MaxValue), Alias = more };
            filled[more] -= 1 - filled[less];
            (filled[more] < 1 ? poor : rich).Push(more);
        }
        return entries;
    }

    private readonly record struct Entry(ulong Below, long First, long Count, int Alias);
}
