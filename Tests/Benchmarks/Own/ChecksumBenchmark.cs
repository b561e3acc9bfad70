using System.Diagnostics;
using System.Globalization;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using IoBench.Engine;

namespace IoBench.Benchmarks;

internal static class ChecksumBenchmark
{
    private const int Group = 4096;

    public static unsafe void Run()
    {
        var bytes = (byte*)NativeMemory.AlignedAlloc(256 << 20, Group);
        new Span<byte>(bytes, 256 << 20).Fill(0x5A);
        Console.WriteLine("| checksum of 4 KB | GB/s, 16 KB again and again | GB/s, 256 MB once |");
        Console.WriteLine("|---|---|---|");
        PrintRow("rounds of AES (used)", bytes, &ComputeBlockChecksum);
        PrintRow("CRC32C, three streams side by side", bytes, &ComputeCrcInThreeStreams);
        PrintRow("CRC32C, one stream", bytes, &ComputeCrc);
        NativeMemory.AlignedFree(bytes);
    }

    private static unsafe void PrintRow(string name, byte* bytes, delegate* <byte*, ulong> sum) =>
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"| {name} | {MeasureRate(bytes, 16 << 10, sum):0.0} | {MeasureRate(bytes, 256 << 20, sum):0.0} |"
            )
        );

    private static unsafe double MeasureRate(byte* bytes, int length, delegate* <byte*, ulong> sum)
    {
        var (best, kept) = (0.0, 0UL);
        for (var round = 0; round < 9; round++)
        {
            var began = Stopwatch.GetTimestamp();
            var done = 0L;
            do
            {
                for (var at = 0; at < length; at += Group)
                    kept ^= sum(bytes + at);
                done += length;
            } while (Stopwatch.GetElapsedTime(began).TotalMilliseconds < 50);
            best = Math.Max(best, done / Stopwatch.GetElapsedTime(began).TotalSeconds / 1e9);
        }
        GC.KeepAlive(kept);
        return best;
    }

    private static unsafe ulong ComputeBlockChecksum(byte* bytes) => BlockChecksum.Compute(bytes, Group);

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe ulong ComputeCrc(byte* bytes)
    {
        var words = (ulong*)bytes;
        uint crc = 0;
        for (var i = 0; i < Group / sizeof(ulong); i++)
            crc = BitOperations.Crc32C(crc, words[i]);
        return crc;
    }

    // The three CRCs are joined without the shift that a correct CRC of all 512 words needs, so this is a lower bound of the cost.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe ulong ComputeCrcInThreeStreams(byte* bytes)
    {
        var words = (ulong*)bytes;
        uint a = 1,
            b = 2,
            c = 3;
        for (var i = 0; i < 170; i++)
        {
            a = BitOperations.Crc32C(a, words[i]);
            b = BitOperations.Crc32C(b, words[170 + i]);
            c = BitOperations.Crc32C(c, words[340 + i]);
        }
        a = BitOperations.Crc32C(BitOperations.Crc32C(a, words[510]), words[511]);
        return ((ulong)a << 32 | b) ^ BitOperations.RotateLeft(c, 17);
    }
}
