using System.Runtime.CompilerServices;

namespace IoBench.Engine;

internal sealed class BlockSizeTable(IoBlockMix mix)
{
    private readonly int[] _reads = CreateTable(mix.Reads);
    private readonly int[] _writes = CreateTable(mix.Writes);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int NextSize(bool write, ref RandomSource random)
    {
        var table = write ? _writes : _reads;
        return table[random.NextBelow(table.Length)];
    }

    private static int[] CreateTable(IReadOnlyList<IoBlockShare> shares) =>
        [.. shares.SelectMany(share => Enumerable.Repeat((int)share.Size, share.Percent))];
}
