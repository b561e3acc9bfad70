namespace IoBench.Engine;

/// <summary>Hot spots: percentages of the I/Os that go to parts of the range. The rest goes to the remaining range.</summary>
/// <remarks>As in DiskSpd 2.2, absolute parts beyond the end are dropped, and the other percentages are scaled up.</remarks>
internal sealed class HotSpotDistribution
{
    private readonly List<(int Below, long First, long Count)> _parts = [];

    public HotSpotDistribution(IoDistribution distribution, long blockSize, TargetRange range, long step, long positions)
    {
        var isAbsolute = distribution.IsAbsolute;
        long at = 0;
        var share = 0;
        long percent = 0;
        foreach (var (io, part) in distribution.Ranges)
        {
            percent += part;
            var end = isAbsolute ? at + part : (long)((Int128)range.Length * percent / 100);
            if (!Add(io, at, end))
                return;
            share += io;
            at = end;
        }
        if (share < 100)
            Add(100 - share, at, range.Length);

        // Returns false if no later part can fit either.
        bool Add(int io, long start, long end)
        {
            if (io == 0)
                return true;
            // A block belongs to the part in which it starts.
            var first = (start + step - 1) / step;
            var count = Math.Min(positions, (end + step - 1) / step) - first;
            if (count > 0)
            {
                PlacedPercent += io;
                _parts.Add((PlacedPercent, first, count));
                return true;
            }
            if (isAbsolute && first >= positions && _parts.Count > 0)
                return false;
            throw IoBenchException.Usage(
                "IoBench.InvalidDistribution",
                $"The part of the distribution from byte {start} to byte {Math.Min(end, range.Length)} is smaller than a block of "
                    + $"{new IoSize(blockSize)}, but this part should receive {io}% of the I/Os.",
                advice: "Use larger parts, or a larger file."
            );
        }
    }

    public int PlacedPercent { get; private set; }

    /// <summary>Parts that fit in the range: percentage of <see cref="PlacedPercent"/>, first block, and number of blocks.</summary>
    public IEnumerable<(int Percent, long First, long Count)> Parts =>
        _parts.Select((part, i) => (part.Below - (i == 0 ? 0 : _parts[i - 1].Below), part.First, part.Count));

    public long NextBlock(ref RandomSource random)
    {
        var randomValue = random.NextBelow(PlacedPercent);
        var at = 0;
        while (randomValue >= _parts[at].Below)
            at++;
        return _parts[at].First + random.NextBelow(_parts[at].Count);
    }
}
