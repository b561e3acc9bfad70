namespace IoBench.Engine.Results;

/// <summary>A figure that may be unknown, in eight bytes.</summary>
internal readonly struct CompactFigure
{
    // One of the many bit patterns that are no number, which no calculation gives: a figure nobody has set, all bits of which are zero, is unknown.
    private const long Unknown = 0x7FF8_6E6F_6E65_0001;

    private readonly long _bits;

    /// <summary>Keeps a figure; null = unknown.</summary>
    public CompactFigure(double? value) => _bits = value is { } number ? BitConverter.DoubleToInt64Bits(number) ^ Unknown : 0;

    /// <summary>The figure; null when it is unknown.</summary>
    public double? Value => _bits == 0 ? null : BitConverter.Int64BitsToDouble(_bits ^ Unknown);
}
