using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace IoBench.Engine;

/// <summary>Finalizer of SplitMix64 (Steele, Lea, and Flood, "Fast splittable pseudorandom number generators", 2014).</summary>
internal static class SplitMix64
{
    /// <summary>The odd number nearest to 2^64 / the golden ratio: the distance between two states.</summary>
    public const ulong GoldenGamma = 0x9E3779B97F4A7C15;

    /// <summary>A bijection of 64-bit numbers in which every input bit changes about half of the output bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Mix(ulong value)
    {
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }

    public static ulong Unmix(ulong value)
    {
        // Repeating a shift undoes it; multiplying by the inverse modulo 2^64 undoes a multiplication.
        value = (value ^ (value >> 31) ^ (value >> 62)) * 0x319642B2D24D8EC3;
        value = (value ^ (value >> 27) ^ (value >> 54)) * 0x96DE1B173F119089;
        return value ^ (value >> 30) ^ (value >> 60);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Vector256<ulong> Mix(Vector256<ulong> values)
    {
        values = (values ^ Vector256.ShiftRightLogical(values, 30)) * Vector256.Create(0xBF58476D1CE4E5B9);
        values = (values ^ Vector256.ShiftRightLogical(values, 27)) * Vector256.Create(0x94D049BB133111EB);
        return values ^ Vector256.ShiftRightLogical(values, 31);
    }
}
