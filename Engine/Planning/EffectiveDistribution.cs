namespace IoBench.Engine;

/// <summary>Ranges beyond the end of the target are dropped, and the percentages of the others are scaled up.</summary>
/// <param name="Parts">Percentage (of <paramref name="PlacedPercent"/>), first byte, and end (exclusive) of each range.</param>
public sealed record EffectiveDistribution(int PlacedPercent, IReadOnlyList<(int Percent, long From, long To)> Parts)
{
    /// <exception cref="IoBenchException">The distribution or a block does not fit into the target.</exception>
    public static EffectiveDistribution ForTarget(IoTargetSpecification target, IoPattern pattern, long size)
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(pattern);
        var offsets = new OffsetGenerator(
            pattern,
            new TargetRange(target, pattern, size, target.Path),
            thread: 0,
            threads: 1,
            outstanding: 1
        );
        return new EffectiveDistribution(offsets.PlacedPercent, [.. offsets.EffectiveParts]);
    }
}
