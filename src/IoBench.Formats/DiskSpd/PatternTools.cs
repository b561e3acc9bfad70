namespace IoBench.Formats.DiskSpd;

/// <summary>Patterns as DiskSpd has them: its defaults, and one pattern for the whole test where all targets have the same.</summary>
internal static class PatternTools
{
    /// <summary>DiskSpd's own defaults: 64 KB sequential reads through all caches, one thread per file, two outstanding, threads bound in turn.</summary>
    internal static IoPattern NewDefault() => SetDefaults(new IoPattern());

    /// <summary>Sets a pattern to DiskSpd's defaults.</summary>
    internal static T SetDefaults<T>(T pattern)
        where T : IoPattern
    {
        pattern.BlockSize = 64 * 1024;
        pattern.ThreadCount = 1;
        pattern.OutstandingIO = 2;
        pattern.WritePercent = 0;
        pattern.AccessPattern = IoAccessPattern.Sequential;
        pattern.ThreadStride = 0;
        pattern.Buffering = IoBuffering.Both;
        pattern.WriteContent = IoWriteContentKind.Pattern;
        pattern.AffinityMode = IoAffinityMode.RoundRobin;
        return pattern;
    }

    /// <summary>A test with DiskSpd's defaults.</summary>
    internal static IoTestSpecification NewSpecification() =>
        SetDefaults(
            new IoTestSpecification
            {
                Duration = TimeSpan.FromSeconds(10),
                WarmUp = TimeSpan.FromSeconds(5),
                Extension = new TestOrigin { DiskSpd = new DiskSpdOptions() },
            }
        );

    /// <summary>Which caches DiskSpd's two switches leave.</summary>
    internal static IoBuffering Buffering(bool unbuffered, bool writeThrough) =>
        (unbuffered, writeThrough) switch
        {
            (true, true) => IoBuffering.None,
            (true, false) => IoBuffering.Hardware,
            (false, true) => IoBuffering.Software,
            _ => IoBuffering.Both,
        };

    /// <summary>Gives a test its targets: a pattern that all of them have becomes the test's own, other patterns stay at their targets.</summary>
    internal static void SetTargets(
        IoTestSpecification specification,
        IReadOnlyList<(IoTargetSpecification Target, IoPattern Pattern)> targets
    )
    {
        if (targets.Count == 0)
            return;
        var first = targets[0].Pattern;
        DropTail(first);
        first.CopyPatternTo(specification);
        foreach (var (target, pattern) in targets)
        {
            DropTail(pattern);
            target.Pattern = ReferenceEquals(pattern, first) || pattern.IsSamePattern(first) ? null : pattern;
            specification.Targets.Add(target);
        }
    }

    /// <summary>
    /// DiskSpd notes the rest of a target as a last range of no length (-rdabs); in a specification the rest needs no range.
    /// </summary>
    private static void DropTail(IoPattern pattern)
    {
        if (pattern.DistributionIsAbsolute && pattern.Distribution is [.., { TargetPart: 0 }])
            pattern.Distribution = [.. pattern.Distribution.SkipLast(1)];
    }

    /// <summary>Sets alignment or stride; null where it is the block size, which is the default.</summary>
    internal static void SetAlignment(IoPattern pattern, long bytes)
    {
        long? value = bytes == pattern.BlockSize ? null : bytes;
        if (pattern.AccessPattern is IoAccessPattern.Random or IoAccessPattern.PartRandom)
            pattern.Alignment = value;
        if (pattern.AccessPattern is not IoAccessPattern.Random)
            pattern.Stride = value;
    }
}
