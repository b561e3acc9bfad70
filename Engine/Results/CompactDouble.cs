namespace IoBench.Engine;

/// <summary>A nullable double in eight bytes.</summary>
internal readonly struct CompactDouble
{
    // A NaN bit pattern that no calculation returns. XOR with it makes all-zero bits, the default value, mean null.
    private const long Unknown = 0x7FF8_6E6F_6E65_0001;

    private readonly long _bits;

    public CompactDouble(double? value) => _bits = value is { } number ? BitConverter.DoubleToInt64Bits(number) ^ Unknown : 0;

    public double? Value => _bits == 0 ? null : BitConverter.Int64BitsToDouble(_bits ^ Unknown);
}
