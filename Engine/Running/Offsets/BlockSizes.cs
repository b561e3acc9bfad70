using System.Runtime.CompilerServices;

namespace IoBench.Engine;

internal sealed class BlockSizes(IoBlockMix mix)
{
    private readonly int[] _reads = Table(mix.Reads);
    private readonly int[] _writes = Table(mix.Writes);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Draw(bool write, ref RandomSource random)
    {
        var table = write ? _writes : _reads;
        return table[random.Below(table.Length)];
    }

    private static int[] Table(IReadOnlyList<IoBlockShare> shares) =>
        [.. shares.SelectMany(share => Enumerable.Repeat((int)share.Size, share.Percent))];
}
