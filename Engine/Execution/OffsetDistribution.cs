namespace IoBench.Engine;

/// <summary>
/// Hot spots: shares of the I/Os that go to parts of the range, in order (DiskSpd's -rdpct and -rdabs). What shares are left over goes to
/// what range is left over; a share of 0 is a hole.
/// </summary>
internal sealed class OffsetDistribution
{
    private readonly List<Part> _parts = [];

    /// <summary>The parts of a range whose blocks start every <paramref name="step"/> bytes.</summary>
    /// <exception cref="IoBenchException">The shares or parts do not add up, or a part holds no block.</exception>
    public OffsetDistribution(IoPattern pattern, TargetRange range, long step, long positions)
    {
        long at = 0;
        var share = 0;
        long percent = 0;
        foreach (var (io, part) in pattern.Distribution)
        {
            percent += part;
            var end = pattern.DistributionIsAbsolute ? at + part : (long)((Int128)range.Length * percent / 100);
            Add(io, share, at, end);
            share += io;
            at = end;
        }
        if (share < 100)
            Add(100 - share, share, at, range.Length);

        void Add(int io, int from, long start, long end)
        {
            if (io == 0)
                return;
            // Blocks belong to the part they start in.
            var first = (start + step - 1) / step;
            var count = Math.Min(positions, (end + step - 1) / step) - first;
            if (count <= 0)
            {
                throw IoBenchException.Usage("IoBench.InvalidDistribution",
                    $"the distribution's part from {start} to {Math.Min(end, range.Length)} bytes holds no block of {new IoSize(pattern.BlockSize)}, and {io} % of the I/Os shall go there. Use larger parts or a larger file.");
            }
            _parts.Add(new Part(from + io, first, count));
        }
    }

    /// <summary>The number of a block.</summary>
    public long Draw(ref RandomSource random)
    {
        var draw = random.Below(100);
        foreach (var part in _parts)
            if (draw < part.Below)
                return part.First + random.Below(part.Count);
        return _parts[^1].First;
    }

    private readonly record struct Part(int Below, long First, long Count);
}
