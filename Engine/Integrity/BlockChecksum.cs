using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace IoBench.Engine;

/// <summary>
/// Checksum of a group of sectors. With AES instructions, each 16 bytes are the round key for one of eight running values. Otherwise, two
/// running vector sums are folded with CRC32C. Both depend on the order of the bytes, so that moved bytes are detected.
/// </summary>
/// <remarks>
/// A CRC32C of every byte would slow down checked reads from the file cache (docs/concepts/performance.md). Compare checksums only within
/// one process, because they depend on the CPU's instructions.
/// </remarks>
internal static unsafe class BlockChecksum
{
    private const int Lanes = 32;

    // Without rotation, a changed top bit of a word would be lost in the carry. An odd rotation moves the bit to 64 positions before it
    // cancels itself. A group has no more steps than that.
    private const int RotateBits = 23;

    /// <param name="length">Number of bytes; a multiple of 512.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    [SkipLocalsInit]
    public static ulong Compute(byte* bytes, int length)
    {
        if (Aes.IsSupported)
            return ComputeAes(bytes, length);
        var words = stackalloc ulong[Lanes];
        if (Avx512F.IsSupported)
        {
            Sum512(bytes, length, words);
            return Fold(words, Lanes / 4);
        }
        Sum256(bytes, length, words);
        return Fold(words, Lanes / 8);
    }

    public static ulong Compute(ReadOnlySpan<byte> bytes)
    {
        fixed (byte* first = bytes)
            return Compute(first, bytes.Length);
    }

    // Eight values, because a round takes four cycles and two rounds can start in each cycle. A round is reversible, so that a change
    // within 16 bytes always changes the value. Only the last step, from 128 to 64 bits, can map two values to the same checksum.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong ComputeAes(byte* bytes, int length)
    {
        var a = Vector128.Create(0x243F6A8885A308D3UL, 0x13198A2E03707344UL).AsByte();
        var b = Vector128.Create(0xA4093822299F31D0UL, 0x082EFA98EC4E6C89UL).AsByte();
        var c = Vector128.Create(0x452821E638D01377UL, 0xBE5466CF34E90C6CUL).AsByte();
        var d = Vector128.Create(0xC0AC29B7C97C50DDUL, 0x3F84D5B5B5470917UL).AsByte();
        var e = ~a;
        var f = ~b;
        var g = ~c;
        var h = ~d;
        for (var end = bytes + length; bytes < end; bytes += 8 * Vector128<byte>.Count)
        {
            a = Aes.Encrypt(a, Vector128.Load(bytes));
            b = Aes.Encrypt(b, Vector128.Load(bytes + 16));
            c = Aes.Encrypt(c, Vector128.Load(bytes + 32));
            d = Aes.Encrypt(d, Vector128.Load(bytes + 48));
            e = Aes.Encrypt(e, Vector128.Load(bytes + 64));
            f = Aes.Encrypt(f, Vector128.Load(bytes + 80));
            g = Aes.Encrypt(g, Vector128.Load(bytes + 96));
            h = Aes.Encrypt(h, Vector128.Load(bytes + 112));
        }
        a = Aes.Encrypt(Aes.Encrypt(Aes.Encrypt(a, b), Aes.Encrypt(c, d)), Aes.Encrypt(Aes.Encrypt(e, f), Aes.Encrypt(g, h)));
        // After two more rounds, every bit depends on every other bit.
        a = Aes.Encrypt(Aes.Encrypt(a, a), a);
        return a.AsUInt64()[0] ^ a.AsUInt64()[1];
    }

    // Two sums of each kind, so that the CPU can overlap consecutive steps.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Sum512(byte* bytes, int length, ulong* words)
    {
        Vector512<ulong> first = default,
            firstOrder = default,
            second = default,
            secondOrder = default;
        for (var end = bytes + length; bytes < end; bytes += 2 * Vector512<byte>.Count)
        {
            first += Vector512.Load((ulong*)bytes);
            second += Vector512.Load((ulong*)(bytes + Vector512<byte>.Count));
            firstOrder = Avx512F.RotateLeft(firstOrder, RotateBits) + first;
            secondOrder = Avx512F.RotateLeft(secondOrder, RotateBits) + second;
        }
        first.Store(words);
        firstOrder.Store(words + 8);
        second.Store(words + 16);
        secondOrder.Store(words + 24);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Sum256(byte* bytes, int length, ulong* words)
    {
        Vector256<ulong> first = default,
            firstOrder = default,
            second = default,
            secondOrder = default;
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

    private static Vector256<ulong> Rotate(Vector256<ulong> value) =>
        Vector256.ShiftLeft(value, RotateBits) | Vector256.ShiftRightLogical(value, 64 - RotateBits);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Fold(ulong* words, int length)
    {
        uint a = 0x10BE,
            b = 0x4C8B,
            c = 0x0D1E,
            d = 0x5EED;
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
