using IoBench.Engine;

namespace IoBench.Formats;

internal static class DiskSpdDefaults
{
    internal static IoPattern CreatePattern() => SetDefaults(new IoPattern());

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

    internal static IoTestSpecification CreateSpecification() =>
        SetDefaults(
            new IoTestSpecification
            {
                Duration = TimeSpan.FromSeconds(10),
                WarmUp = TimeSpan.FromSeconds(5),
                Extension = new TestOrigin { DiskSpd = new DiskSpdOptions() },
            }
        );

    internal static IoBuffering GetBuffering(bool unbuffered, bool writeThrough) =>
        (unbuffered, writeThrough) switch
        {
            (true, true) => IoBuffering.None,
            (true, false) => IoBuffering.Hardware,
            (false, true) => IoBuffering.Software,
            _ => IoBuffering.Both,
        };

    /// <summary>A pattern that all targets share becomes the pattern of the test.</summary>
    internal static void SetTargets(
        IoTestSpecification specification,
        IReadOnlyList<(IoTargetSpecification Target, IoPattern Pattern)> targets
    )
    {
        if (targets.Count == 0)
            return;
        var first = targets[0].Pattern;
        RemoveEmptyTail(first);
        first.CopyPatternTo(specification);
        foreach (var (target, pattern) in targets)
        {
            RemoveEmptyTail(pattern);
            target.Pattern = ReferenceEquals(pattern, first) || pattern.HasSamePattern(first) ? null : pattern;
            specification.Targets.Add(target);
        }
    }

    internal static void SetThreads(IoTestSpecification specification, int threads)
    {
        specification.ThreadCount = threads;
        foreach (var target in specification.Targets)
        {
            if (target.Pattern is not null)
                target.Pattern.ThreadCount = threads;
        }
    }

    /// <summary>DiskSpd writes a last range without length for the rest of the target (-rdabs). A specification needs none.</summary>
    private static void RemoveEmptyTail(IoPattern pattern)
    {
        if (pattern.DistributionIsAbsolute && pattern.Distribution is [.., { TargetPart: 0 }])
            pattern.Distribution = [.. pattern.Distribution.SkipLast(1)];
    }

    internal static void SetAlignment(IoPattern pattern, long bytes)
    {
        long? value = bytes == pattern.BlockSize ? null : bytes;
        if (pattern.AccessPattern is IoAccessPattern.Random or IoAccessPattern.PartRandom)
            pattern.Alignment = value;
        if (pattern.AccessPattern is not IoAccessPattern.Random)
            pattern.Stride = value;
    }
}
