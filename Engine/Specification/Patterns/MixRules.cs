namespace IoBench.Engine;

internal static class MixRules
{
    /// <exception cref="IoBenchException">The first error found.</exception>
    public static void CheckMixAndDepths(IoPattern p)
    {
        if (p.BlockMix is { } mix)
            CheckMix(p, mix);
        if (p.Depths is { } depths)
            CheckDepths(p, depths);
    }

    /// <exception cref="IoBenchException">A size of the mix is not a multiple of the sector size.</exception>
    public static void CheckMixAlignment(IoPattern p, int sector)
    {
        if (p.BlockMix is { } mix && mix.Reads.Concat(mix.Writes).FirstOrDefault(share => share.Size % sector != 0) is { } odd)
            throw IoBenchException.Usage(
                "IoBench.InvalidBlockMix",
                $"{OptionNames.BlockMix.WithValue(mix)}: with unbuffered I/O each block size must be a multiple of the sector size, {sector} bytes; {new IoSize(odd.Size)} is not."
            );
    }

    private static void CheckMix(IoPattern p, IoBlockMix mix)
    {
        foreach (var shares in new[] { mix.Reads, mix.Writes })
        {
            Require(
                shares.Count is >= 1 and <= IoBlockMix.MaxSizes
                    && shares.All(share => share is { Percent: >= 1 and <= 100 })
                    && shares.Sum(share => share.Percent) == 100,
                "IoBench.InvalidBlockMix",
                $"{OptionNames.BlockMix.WithValue(mix)}: 1 to {IoBlockMix.MaxSizes} sizes whose shares add up to 100 % are possible."
            );
            Require(
                shares.All(share => share.Size is >= SpecificationValidator.SmallestSector and <= SpecificationValidator.MaxBlockSize),
                "IoBench.InvalidBlockMix",
                $"{OptionNames.BlockMix.WithValue(mix)}: a block has {SpecificationValidator.SmallestSector} bytes to {new IoSize(SpecificationValidator.MaxBlockSize)}."
            );
        }
        Require(
            p.BlockSize == mix.GetLargestSize(),
            "IoBench.InvalidBlockMix",
            $"{OptionNames.BlockMix.WithValue(mix)}: the block size beside a mix is its largest, {new IoSize(mix.GetLargestSize())}."
        );
        Require(
            p.Order
                is IoOrder.RandomBlocks
                    or IoOrder.PartRandom { Stride: null }
                    or IoOrder.Sequential { Stride: null, SameOffset: false },
            "IoBench.ConflictingOptions",
            $"{OptionNames.BlockMix} goes with random, part random and sequential I/O without a stride: {OptionNames.AccessPattern.WithValue(IoAccessPattern.Interlocked)}, {OptionNames.Stride} and I/Os at the same offset need blocks of one size."
        );
        if (p.Buffering is IoBuffering.None or IoBuffering.Hardware)
            CheckMixAlignment(p, SpecificationValidator.SmallestSector);
    }

    private static void CheckDepths(IoPattern p, IoDepths depths)
    {
        Require(
            depths is { Reads: >= 1, Writes: >= 1 } && depths.Reads + depths.Writes <= SpecificationValidator.MaxOutstanding,
            "IoBench.InvalidOutstanding",
            $"{OptionNames.ReadOutstanding.WithValue(depths.Reads)}, {OptionNames.WriteOutstanding.WithValue(depths.Writes)}: both are needed, at least 1 each and at most {SpecificationValidator.MaxOutstanding} together."
        );
        Require(
            p.OutstandingIO == depths.Reads + depths.Writes,
            "IoBench.InvalidOutstanding",
            $"{OptionNames.OutstandingIO.WithValue(p.OutstandingIO)}: beside {OptionNames.ReadOutstanding} and {OptionNames.WriteOutstanding} it is their sum."
        );
        Require(
            p.WritePercent is > 0 and < 100,
            "IoBench.ConflictingOptions",
            $"{OptionNames.ReadOutstanding} and {OptionNames.WriteOutstanding}: there are reads and writes; their shares come out of how fast both are."
        );
        Require(
            !p.Pace.IsLimited && p.Order is not IoOrder.Sequential { SameOffset: true },
            "IoBench.ConflictingOptions",
            $"{OptionNames.ReadOutstanding} and {OptionNames.WriteOutstanding} keep so many I/Os in flight at all times: a rate ({OptionNames.TargetIops}, {OptionNames.MaxRate}), bursts and I/Os at the same offset exclude that.",
            advice: "Leave one out."
        );
    }

    private static void Require(bool condition, string id, IoMessage what, IoMessage? advice = null)
    {
        if (!condition)
            throw IoBenchException.Usage(id, what, advice: advice);
    }
}
