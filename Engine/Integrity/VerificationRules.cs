namespace IoBench.Engine;

internal static class VerificationRules
{
    public static void Check(IoTestSpecification specification)
    {
        if (!specification.Verify)
            return;
        Require(
            !BackendCatalog.IsModeled(specification.Backend),
            $"{OptionNames.Verify} needs a file: {OptionNames.Backend.WithValue(specification.Backend)} has none."
        );
        foreach (var target in specification.Targets)
        {
            var pattern = specification.GetPattern(target);
            if (pattern.WritePercent > 0 || pattern.Depths is not null)
            {
                Require(
                    pattern.Content is IoContent.RandomBytes { DedupablePercent: 0 },
                    $"{OptionNames.Verify}: only random content shows where it belongs and which write it was.",
                    advice: $"Leave {(pattern.Content is IoContent.RandomBytes ? OptionNames.DedupablePercent : OptionNames.WriteContent)} out."
                );
                Require(
                    pattern.Order is not IoOrder.Sequential { SameOffset: true },
                    $"{OptionNames.Verify}: of several writes to one place at once no read can say which had to be there.",
                    advice: "Let them go to places of their own."
                );
            }
            foreach (var size in GetSizes(pattern, target))
                Require(
                    size % BlockPayload.SectorSize == 0,
                    $"{OptionNames.Verify} checks whole sectors of {BlockPayload.SectorSize} bytes: blocks, alignments, strides and offsets must be multiples of that, and {size} is not."
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
            _ = WitnessWriter.GetDurabilityLevel(plan.Specification);
        }
        var targets = plan.Targets.Where(t => t.Status is not null).ToArray();
        for (var i = 0; i < targets.Length; i++)
            if (Array.FindIndex(targets, t => t.Status!.Value.IsSame(targets[i].Status!.Value)) < i)
                throw IoBenchException.Usage(
                    "IoBench.ConflictingOptions",
                    $"{targets[i].Path} is named twice: {OptionNames.Verify} checks a file once per test.",
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
                    $"{plan.Targets[target.Key].Path}: {OptionNames.Verify} gives each write in flight a place of its own and needs at least {new IoSize(2 * flight).ToDisplayString()}.",
                    plan.Targets[target.Key].Path,
                    advice: "Use a larger file, or fewer outstanding I/Os."
                );
            }
        }
    }

    public static int GetGroupSize(IoTestSpecification specification) =>
        specification.Targets.TrueForAll(t => GetSizes(specification.GetPattern(t), t).All(size => size % BlockHeader.BlockSize == 0))
            ? BlockHeader.BlockSize
            : BlockPayload.SectorSize;

    public static long GetMemoryBytes(IoTestSpecification specification, long size) =>
        specification.Verify ? size / GetGroupSize(specification) * ChecksumMap.BytesPerGroup : 0;

    private static IEnumerable<long> GetSizes(IoPattern pattern, IoTargetSpecification target)
    {
        var (alignment, stride, threadStride) = SpecificationValidator.GetDistances(pattern.Order);
        var mix = pattern.BlockMix is { } blocks ? blocks.Reads.Concat(blocks.Writes).Select(s => s.Size) : [];
        return mix.Concat(new[] { pattern.BlockSize, alignment ?? 0, stride ?? 0, threadStride ?? 0, target.BaseOffset });
    }

    private static void Require(bool condition, IoMessage what, IoMessage? advice = null)
    {
        if (!condition)
            throw IoBenchException.Usage("IoBench.ConflictingOptions", what, advice: advice);
    }
}
