using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>DiskSpd's defaults for tests and patterns.</summary>
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

    /// <summary>
    /// Sets the targets of a test. A pattern that all targets share becomes the pattern of the test. Other patterns stay with their
    /// targets.
    /// </summary>
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

    /// <summary>
    /// Removes the last range if it has no length. DiskSpd writes it for the rest of the target (-rdabs), but a specification needs no
    /// range for the rest.
    /// </summary>
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
