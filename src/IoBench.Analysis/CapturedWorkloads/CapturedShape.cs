using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Sizes, order, and hot spots of the reads or writes of a file role, which only a trace of single I/Os shows.</summary>
/// <param name="Sizes">Block sizes, the smallest first; 100% in total.</param>
/// <param name="SequentialPercent">Percentage of the I/Os that begin where another I/O of the same file ended.</param>
/// <param name="HotSpots">Distribution of the random I/Os over the files; empty if it is even.</param>
/// <param name="OperationPercent">Reads or writes as a percentage of all I/Os of the file role.</param>
public sealed record CapturedShape(
    IReadOnlyList<IoBlockShare> Sizes,
    int SequentialPercent,
    IReadOnlyList<IoDistributionRange> HotSpots,
    int OperationPercent
)
{
    internal void ApplyTo(IoPattern pattern)
    {
        if (Sizes.Count > 1)
            pattern.SetBlockMix(new IoBlockMix(Sizes, Sizes));
        pattern.AccessPattern = SequentialPercent switch
        {
            0 => IoAccessPattern.Random,
            100 => IoAccessPattern.Sequential,
            _ => IoAccessPattern.PartRandom,
        };
        pattern.RandomPercent = SequentialPercent == 100 ? 100 : 100 - SequentialPercent;
        if (SequentialPercent < 100 && HotSpots.Count > 0)
            pattern.SetDistribution(new IoDistribution { Ranges = HotSpots });
    }

    public override string ToString() =>
        $"{OperationPercent}% of the I/Os of the file role, {SequentialPercent}% sequential, block sizes {string.Join(',', Sizes)}"
        + (HotSpots.Count > 0 ? $", hot spots {string.Join(',', HotSpots)} (% of the random I/Os / % of the file)" : "");
}
