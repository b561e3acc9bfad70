namespace IoBench.Engine.Planning;

/// <summary>Where the I/Os of a distribution really go on a target: parts beyond its end fall away, and the shares of the others are scaled up to all I/Os.</summary>
/// <param name="PlacedPercent">Sum of the shares that have a place, in percent.</param>
/// <param name="Parts">Share in percent of <paramref name="PlacedPercent"/>, first byte and end (exclusive) of each part.</param>
public sealed record EffectiveDistribution(int PlacedPercent, IReadOnlyList<(int Percent, long From, long To)> Parts)
{
    /// <summary>The parts on a target of so many bytes; none without a distribution.</summary>
    /// <exception cref="IoBenchException">The distribution or a block does not fit the target.</exception>
    public static EffectiveDistribution On(IoTargetSpecification target, IoPattern pattern, long size)
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
