namespace IoBench.Engine;

internal sealed partial class RunVerification
{
    public static void Check(IoTestSpecification specification)
    {
        if (!specification.Verify)
            return;
        Require(
            !BackendCatalog.IsModeled(specification.Backend),
            $"{OptionNames.Verify} requires a file, but {OptionNames.Backend.WithValue(specification.Backend)} does not use one."
        );
        foreach (var target in specification.Targets)
        {
            var pattern = specification.GetPattern(target);
            if (pattern.WritePercent > 0 || pattern.Depths is not null)
            {
                Require(
                    pattern is { WriteContent: IoWriteContentKind.Random, DedupablePercent: 0 },
                    $"{OptionNames.Verify} requires random content. Only random content shows which write produced the data, and at which offset.",
                    advice: $"Remove {(pattern.WriteContent == IoWriteContentKind.Random ? OptionNames.DedupablePercent : OptionNames.WriteContent)}."
                );
                Require(
                    !pattern.HasSharedOffsets,
                    $"{OptionNames.Verify} does not work if several writes to the same offset can be outstanding, because their order is not defined.",
                    advice: "Use a pattern in which concurrent writes have different offsets."
                );
            }
            foreach (var size in GetSizes(pattern, target))
                Require(
                    size % TestFileContent.SectorSize == 0,
                    $"{OptionNames.Verify} checks whole sectors. Blocks, alignments, strides, and offsets must be multiples of {TestFileContent.SectorSize} bytes; {size} is not."
                );
        }
    }

    /// <exception cref="IoBenchException"><c>IoBench.TargetTooSmall</c>: pending writes need separate offsets.</exception>
    public static void CheckPlan(RunPlan plan, string? witness)
    {
        if (!plan.Specification.Verify)
            return;
        if (witness is not null)
        {
            _ = WitnessAddress.ParseWithSecret(witness);
            _ = WitnessWriter.HasDurableWrites(plan.Specification);
        }
        var targets = plan.Targets.Where(t => t.Status is not null).ToArray();
        for (var i = 0; i < targets.Length; i++)
            if (Array.FindIndex(targets, t => t.Status!.Value.IsSame(targets[i].Status!.Value)) < i)
                throw IoBenchException.Usage(
                    "IoBench.ConflictingOptions",
                    $"{targets[i].Path} is specified twice, but {OptionNames.Verify} checks a file once per test.",
                    targets[i].Path,
                    advice: "Specify the file once."
                );
        foreach (
            var target in plan
                .Workers.SelectMany(w => w.Streams.Select(s => (Stream: s, Worker: w)))
                .Where(p => p.Stream.Pattern.WritePercent > 0 || p.Stream.Pattern.Depths is not null)
                .GroupBy(p => p.Stream.TargetIndex)
        )
        {
            var flight = target.Sum(p => (p.Stream.Outstanding + 1) * p.Worker.LargestBlock);
            if (target.First().Stream.Range.Length < 2 * flight)
            {
                throw IoBenchException.Usage(
                    "IoBench.TargetTooSmall",
                    $"{plan.Targets[target.Key].Path}: {OptionNames.Verify} uses a separate offset for each outstanding write, so the file must be at least {IoSize.Format(2 * flight)}.",
                    plan.Targets[target.Key].Path,
                    advice: "Use a larger file or fewer outstanding I/Os."
                );
            }
        }
    }

    public static int GetGroupSize(IoTestSpecification specification) =>
        specification.Targets.TrueForAll(t => GetSizes(specification.GetPattern(t), t).All(size => size % BlockHeader.BlockSize == 0))
            ? BlockHeader.BlockSize
            : TestFileContent.SectorSize;

    public static long GetMemoryBytes(IoTestSpecification specification, long size) =>
        specification.Verify ? size / GetGroupSize(specification) * ChecksumMap.BytesPerGroup : 0;

    private static IEnumerable<long> GetSizes(IoPattern pattern, IoTargetSpecification target)
    {
        var (alignment, stride, threadStride) = SpecificationValidator.GetDistances(pattern);
        var mix = pattern.BlockMix is { } blocks ? blocks.Reads.Concat(blocks.Writes).Select(s => s.Size) : [];
        return mix.Concat(new[] { pattern.BlockSize, alignment ?? 0, stride ?? 0, threadStride ?? 0, target.BaseOffset });
    }

    private static void Require(bool condition, IoMessage what, IoMessage? advice = null)
    {
        if (!condition)
            throw IoBenchException.Usage("IoBench.ConflictingOptions", what, advice: advice);
    }
}
