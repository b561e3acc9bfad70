using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace IoBench.Engine;

/// <summary>
/// The checksum of a group of sectors: two running sums over all of its bytes, as wide as the processor's vectors, folded by its CRC32C instruction. The
/// second sum depends on the order, so that neither changed nor moved bytes go unseen; any bits that change in one word change it for certain.
/// </summary>
/// <remarks>
/// A CRC32C of every byte moves 8 bytes per cycle at best, which a page-cached read of 64 KB feels; this moves 16 to 64. Sums are compared within one
/// process only: processors with other vectors have others.
/// </remarks>
internal static unsafe class BlockSum
{
    private const int Lanes = 32;
    // A changed bit at a word's upper end would leave the sum by the carry. An odd turn brings it to 64 places before it meets itself: a group has no more steps.
    private const int Turn = 23;

    /// <summary>The checksum of bytes.</summary>
    /// <param name="bytes">The first one.</param>
    /// <param name="length">How many: a multiple of 512.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    [SkipLocalsInit]
    public static ulong Of(byte* bytes, int length)
    {
        var words = stackalloc ulong[Lanes];
        if (Avx512F.IsSupported)
        {
            SumWide(bytes, length, words);
            return Fold(words, Lanes / 4);
        }
        Sum(bytes, length, words);
        return Fold(words, Lanes / 8);
    }

    /// <summary>The checksum of bytes whose number is a multiple of 512.</summary>
    public static ulong Of(ReadOnlySpan<byte> bytes)
    {
        fixed (byte* first = bytes)
            return Of(first, bytes.Length);
    }

    // Two sums of each kind side by side: the processor begins a step before the one before it is done.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void SumWide(byte* bytes, int length, ulong* words)
    {
        Vector512<ulong> first = default, firstOrder = default, second = default, secondOrder = default;
        for (var end = bytes + length; bytes < end; bytes += 2 * Vector512<byte>.Count)
        {
            first += Vector512.Load((ulong*)bytes);
            second += Vector512.Load((ulong*)(bytes + Vector512<byte>.Count));
            firstOrder = Avx512F.RotateLeft(firstOrder, Turn) + first;
            secondOrder = Avx512F.RotateLeft(secondOrder, Turn) + second;
        }
        first.Store(words);
        firstOrder.Store(words + 8);
        second.Store(words + 16);
        secondOrder.Store(words + 24);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Sum(byte* bytes, int length, ulong* words)
    {
        Vector256<ulong> first = default, firstOrder = default, second = default, secondOrder = default;
        for (var end = bytes + length; bytes < end; bytes += 2 * Vector256<byte>.Count)
        {
            first += Vector256.Load((ulong*)bytes);
            second += Vector256.Load((ulong*)(bytes + Vector256<byte>.Count));
            firstOrder = Rotate(firstOrder) + first;
            secondOrder = Rotate(secondOrder) + second;
        }
        first.Store(words);
        firstOrder.Store(words + 4);
        second.Store(words + 8);
        secondOrder.Store(words + 12);
    }

    private static Vector256<ulong> Rotate(Vector256<ulong> value) => Vector256.ShiftLeft(value, Turn) | Vector256.ShiftRightLogical(value, 64 - Turn);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Fold(ulong* words, int length)
    {
        uint a = 0x10BE, b = 0x4C8B, c = 0x0D1E, d = 0x5EED;
        for (var i = 0; i < length; i++)
        {
            a = BitOperations.Crc32C(a, words[i]);
            b = BitOperations.Crc32C(b, words[length + i]);
            c = BitOperations.Crc32C(c, words[2 * length + i]);
            d = BitOperations.Crc32C(d, words[3 * length + i]);
        }
        return ((ulong)a << 32 | b) ^ BitOperations.RotateLeft((ulong)c << 32 | d, 19);
    }
}
