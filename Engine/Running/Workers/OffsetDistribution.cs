namespace IoBench.Engine.Running.Workers;

/// <summary>
/// Hot spots: shares of the I/Os that go to parts of the range, in order. What shares are left over goes to
/// what range is left over; a share of 0 is a hole. Absolute parts beyond the end of the range fall away, and the shares of those that are left
/// are scaled up to all of the I/Os, as DiskSpd 2.2 does; percent of the range always fit.
/// </summary>
internal sealed class OffsetDistribution
{
    private readonly List<Part> _parts = [];

    /// <summary>The parts of a range whose blocks start every <paramref name="step"/> bytes.</summary>
    /// <exception cref="IoBenchException">The shares or parts do not add up, or a part holds no block.</exception>
    public OffsetDistribution(IoDistribution.Parts parts, long blockSize, TargetRange range, long step, long positions)
    {
        var isAbsolute = parts is IoDistribution.Absolute;
        long at = 0;
        var share = 0;
        long percent = 0;
        foreach (var (io, part) in parts.List)
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

        // False when nothing that comes after can have a place either.
        bool Add(int io, long start, long end)
        {
            if (io == 0)
                return true;
            // Blocks belong to the part they start in.
            var first = (start + step - 1) / step;
            var count = Math.Min(positions, (end + step - 1) / step) - first;
            if (count > 0)
            {
                PlacedPercent += io;
                _parts.Add(new Part(PlacedPercent, first, count));
                return true;
            }
            if (isAbsolute && first >= positions && _parts.Count > 0)
                return false;
            throw IoBenchException.Usage(
                "IoBench.InvalidDistribution",
                $"the distribution's part from {start} to {Math.Min(end, range.Length)} bytes holds no block of {new IoSize(blockSize)}, and {io} % of the I/Os are to go there.",
                advice: "Use larger parts or a larger file."
            );
        }
    }

    /// <summary>Sum of the shares that have a place in the range, in percent; below 100 when parts fell away.</summary>
    public int PlacedPercent { get; private set; }

    /// <summary>The parts that have a place: their share in percent of <see cref="PlacedPercent"/>, first block and number of blocks.</summary>
    public IEnumerable<(int Percent, long First, long Count)> Parts =>
        _parts.Select((part, i) => (part.Below - (i == 0 ? 0 : _parts[i - 1].Below), part.First, part.Count));

    /// <summary>The number of a block.</summary>
    public long Draw(ref RandomSource random)
    {
        var draw = random.Below(PlacedPercent);
        var at = 0;
        while (draw >= _parts[at].Below)
            at++;
        return _parts[at].First + random.Below(_parts[at].Count);
    }

    private readonly record struct Part(int Below, long First, long Count);
}
