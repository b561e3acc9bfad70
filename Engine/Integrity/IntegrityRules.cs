namespace IoBench.Engine;

internal static class IntegrityRules
{
    public static void Check(IoTestSpecification specification)
    {
        if (!specification.Verify)
            return;
        Require(
            !BackendCatalog.IsModelled(specification.Backend),
            $"{Opt.Verify} needs a file: {Opt.Backend.With(specification.Backend)} has none."
        );
        foreach (var target in specification.Targets)
        {
            var pattern = specification.PatternOf(target);
            if (pattern.WritePercent > 0 || pattern.Depths is not null)
            {
                Require(
                    pattern.Content is IoContent.Random { DedupablePercent: 0 },
                    $"{Opt.Verify}: only random content shows where it belongs and which write it was.",
                    advice: $"Leave {(pattern.Content is IoContent.Random ? Opt.DedupablePercent : Opt.WriteContent)} out."
                );
                Require(
                    pattern.Order is not IoOrder.Sequential { SameOffset: true },
                    $"{Opt.Verify}: of several writes to one place at once no read can say which had to be there.",
                    advice: "Let them go to places of their own."
                );
            }
            foreach (var size in SizesOf(pattern, target))
                Require(
                    size % WriteBody.SectorSize == 0,
                    $"{Opt.Verify} checks whole sectors of {WriteBody.SectorSize} bytes: blocks, alignments, strides and offsets must be multiples of that, and {size} is none."
                );
        }
    }

    /// <summary>Checks the ranges of a plan, and whether a witness has writes to record.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.TargetTooSmall</c>: pending writes need separate offsets.</exception>
    public static void CheckPlan(RunPlan plan, string? witness)
    {
        if (!plan.Specification.Verify)
            return;
        if (witness is not null)
        {
            _ = WitnessPlace.Parse(witness);
            _ = Witness.PromiseOf(plan.Specification);
        }
        var targets = plan.Targets.Where(t => t.Status is not null).ToArray();
        for (var i = 0; i < targets.Length; i++)
            if (Array.FindIndex(targets, t => t.Status!.Value.IsSame(targets[i].Status!.Value)) < i)
                throw IoBenchException.Usage(
                    "IoBench.ConflictingOptions",
                    $"{targets[i].Path} is named twice: {Opt.Verify} checks a file once per test.",
                    targets[i].Path,
                    advice: "Name it once."
                );
        foreach (
            var target in plan
                .Workers.SelectMany(w => w.Streams.Select(s => (Stream: s, Worker: w)))
                .Where(p => p.Stream.Pattern.WritePercent > 0 || p.Stream.Pattern.Depths is not null)
                .GroupBy(p => p.Stream.TargetIndex)
        )
        {
            var flight = target.Sum(p => (p.Stream.SlotCount + 1) * p.Worker.LargestBlock);
            if (target.First().Stream.Range.Length < 2 * flight)
            {
                throw IoBenchException.Usage(
                    "IoBench.TargetTooSmall",
                    $"{plan.Targets[target.Key].Path}: {Opt.Verify} gives each write in flight a place of its own and needs at least {new IoSize(2 * flight).ToDisplayString()}.",
                    plan.Targets[target.Key].Path,
                    advice: "Use a larger file, or fewer outstanding I/Os."
                );
            }
        }
    }

    public static int GroupSizeOf(IoTestSpecification specification) =>
        specification.Targets.TrueForAll(t => SizesOf(specification.PatternOf(t), t).All(size => size % BlockStamp.BlockSize == 0))
            ? BlockStamp.BlockSize
            : WriteBody.SectorSize;

    public static long MemoryOf(IoTestSpecification specification, long size) =>
        specification.Verify ? size / GroupSizeOf(specification) * IntegrityMap.BytesPerGroup : 0;

    private static IEnumerable<long> SizesOf(IoPattern pattern, IoTargetSpecification target)
    {
        var (alignment, stride, threadStride) = SpecificationValidator.Distances(pattern.Order);
        var mix = pattern.BlockMix is { } blocks ? blocks.Reads.Concat(blocks.Writes).Select(s => s.Size) : [];
        return mix.Concat(new[] { pattern.BlockSize, alignment ?? 0, stride ?? 0, threadStride ?? 0, target.BaseOffset });
    }

    private static void Require(bool condition, IoText what, IoText? advice = null)
    {
        if (!condition)
            throw IoBenchException.Usage("IoBench.ConflictingOptions", what, advice: advice);
    }
}
