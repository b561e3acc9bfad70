namespace IoBench.Engine;

internal static class MixRules
{
    /// <exception cref="IoBenchException">The first error found.</exception>
    public static void Check(IoPattern p)
    {
        if (p.BlockMix is { } mix)
            CheckMix(p, mix);
        if (p.Depths is { } depths)
            CheckDepths(p, depths);
    }

    /// <exception cref="IoBenchException">A size of the mix is not a multiple of the sector size.</exception>
    public static void CheckSector(IoPattern p, int sector)
    {
        if (p.BlockMix is { } mix && mix.Reads.Concat(mix.Writes).FirstOrDefault(share => share.Size % sector != 0) is { } odd)
            throw IoBenchException.Usage(
                "IoBench.InvalidBlockMix",
                $"{Opt.BlockMix.With(mix)}: with unbuffered I/O each block size must be a multiple of the sector size, {sector} bytes; {new IoSize(odd.Size)} is not."
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
                $"{Opt.BlockMix.With(mix)}: 1 to {IoBlockMix.MaxSizes} sizes whose shares add up to 100 % are possible."
            );
            Require(
                shares.All(share => share.Size is >= SpecificationValidator.SmallestSector and <= SpecificationValidator.MaxBlockSize),
                "IoBench.InvalidBlockMix",
                $"{Opt.BlockMix.With(mix)}: a block has {SpecificationValidator.SmallestSector} bytes to {new IoSize(SpecificationValidator.MaxBlockSize)}."
            );
        }
        Require(
            p.BlockSize == mix.Largest(),
            "IoBench.InvalidBlockMix",
            $"{Opt.BlockMix.With(mix)}: the block size beside a mix is its largest, {new IoSize(mix.Largest())}."
        );
        Require(
            p.Order is IoOrder.Random or IoOrder.PartRandom { Stride: null } or IoOrder.Sequential { Stride: null, SameOffset: false },
            "IoBench.ConflictingOptions",
            $"{Opt.BlockMix} goes with random, part random and sequential I/O without a stride: {Opt.AccessPattern.With(IoAccessPattern.Interlocked)}, {Opt.Stride} and I/Os at the same offset need blocks of one size."
        );
        if (p.Buffering is IoBuffering.None or IoBuffering.Hardware)
            CheckSector(p, SpecificationValidator.SmallestSector);
    }

    private static void CheckDepths(IoPattern p, IoDepths depths)
    {
        Require(
            depths is { Reads: >= 1, Writes: >= 1 } && depths.Reads + depths.Writes <= SpecificationValidator.MaxOutstanding,
            "IoBench.InvalidOutstanding",
            $"{Opt.ReadOutstanding.With(depths.Reads)}, {Opt.WriteOutstanding.With(depths.Writes)}: both are needed, at least 1 each and at most {SpecificationValidator.MaxOutstanding} together."
        );
        Require(
            p.OutstandingIO == depths.Reads + depths.Writes,
            "IoBench.InvalidOutstanding",
            $"{Opt.OutstandingIO.With(p.OutstandingIO)}: beside {Opt.ReadOutstanding} and {Opt.WriteOutstanding} it is their sum."
        );
        Require(
            p.WritePercent is > 0 and < 100,
            "IoBench.ConflictingOptions",
            $"{Opt.ReadOutstanding} and {Opt.WriteOutstanding}: there are reads and writes; their shares come out of how fast both are."
        );
        Require(
            !p.Pace.IsLimited && p.Order is not IoOrder.Sequential { SameOffset: true },
            "IoBench.ConflictingOptions",
            $"{Opt.ReadOutstanding} and {Opt.WriteOutstanding} keep so many I/Os in flight at all times: a rate ({Opt.TargetIops}, {Opt.MaxRate}), bursts and I/Os at the same offset exclude that.",
            advice: "Leave one out."
        );
    }

    private static void Require(bool condition, string id, IoText what, IoText? advice = null)
    {
        if (!condition)
            throw IoBenchException.Usage(id, what, advice: advice);
    }
}
