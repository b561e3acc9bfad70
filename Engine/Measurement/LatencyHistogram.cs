using System.Numerics;
using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>Latencies of one kind of I/O of one thread and target. Count, minimum, maximum, and sums are exact.</summary>
/// <remarks>fio's buckets (stat.h, plat_val_to_idx): 64 in each of 34 groups, to 550 s, with midpoints at most 0.8% off.</remarks>
public sealed class LatencyHistogram
{
    private const int SubBits = 6;
    private const int SubBuckets = 1 << SubBits;
    private const int Groups = 34;

    public const int BucketCount = Groups * SubBuckets;

    /// <summary>Latencies that must be beyond a percentile to make it reliable.</summary>
    public const int MinBeyond = 10;

    private readonly long[] _counts = new long[BucketCount];

    public long Count { get; private set; }

    /// <summary>Lowest latency in nanoseconds; <see cref="long.MaxValue"/> if there is none.</summary>
    public long Min { get; private set; } = long.MaxValue;

    /// <summary>Highest latency in nanoseconds; 0 if there is none.</summary>
    public long Max { get; private set; }

    /// <summary>Sum in nanoseconds. The ages of a backlog overflow 64 bits within an hour.</summary>
    public UInt128 Sum => new(_sumHigh, _sumLow);

    /// <summary>Sum of squares in nanoseconds squared. A double, because 64 bits overflow after about a second.</summary>
    public double SumOfSquares { get; private set; }

    private ulong _sumHigh;
    private ulong _sumLow;

    public ReadOnlySpan<long> Counts => _counts;

    public long CountInBuckets(int first, int buckets)
    {
        long sum = 0;
        foreach (var count in _counts.AsSpan(first, buckets))
            sum += count;
        return sum;
    }

    public void AddTo(Span<long> wider)
    {
        var each = BucketCount / wider.Length;
        var last = GetBucketIndex(Max) / each;
        for (var i = GetBucketIndex(Math.Min(Min, Max)) / each; i <= last; i++)
            wider[i] += CountInBuckets(i * each, each);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(long nanoseconds) => Add(nanoseconds, 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(long nanoseconds, int times)
    {
        _counts[GetBucketIndex(nanoseconds)] += times;
        Count += times;
        if (nanoseconds < Min)
            Min = nanoseconds;
        if (nanoseconds > Max)
            Max = nanoseconds;
        // Even thousands of latencies of days are below 2^64.
        var sum = (ulong)nanoseconds * (ulong)times;
        _sumLow += sum;
        if (_sumLow < sum)
            _sumHigh++;
        double value = nanoseconds;
        SumOfSquares += value * value * times;
    }

    /// <summary>Adds latencies that are spread evenly from the lowest to the highest, without a loop over each of millions.</summary>
    public void AddEvenly(long count, long lowest, long highest)
    {
        if (count <= 0)
            return;
        var step = count == 1 ? 0 : (double)(highest - lowest) / (count - 1);
        var done = 0L;
        for (var i = GetBucketIndex(lowest); done < count; i++)
        {
            // Number of latencies below the end of the bucket: the number of steps to it.
            var below =
                i == BucketCount - 1 || step == 0 ? count : Math.Min(count, (long)Math.Ceiling((GetLowerEdge(i + 1) - lowest) / step));
            _counts[i] += Math.Max(0, below - done);
            done = Math.Max(done, below);
        }
        Count += count;
        Min = Math.Min(Min, lowest);
        Max = Math.Max(Max, highest);
        var mean = (lowest + (double)highest) / 2;
        AddSum((UInt128)(mean * count));
        SumOfSquares += count * (mean * mean + step * step * ((double)count * count - 1) / 12);
    }

    /// <summary>Adds a latency that is known but not counted, because its I/O completed after the measured time.</summary>
    public void RaiseMax(long nanoseconds) => Max = Math.Max(Max, nanoseconds);

    public void Add(LatencyHistogram other)
    {
        for (var i = 0; i < BucketCount; i++)
            _counts[i] += other._counts[i];
        Count += other.Count;
        Min = Math.Min(Min, other.Min);
        Max = Math.Max(Max, other.Max);
        AddSum(other.Sum);
        SumOfSquares += other.SumOfSquares;
    }

    private void AddSum(UInt128 value)
    {
        var sum = Sum + value;
        _sumHigh = (ulong)(sum >> 64);
        _sumLow = (ulong)sum;
    }

    /// <summary>Average in nanoseconds; null if there is none.</summary>
    public double? Average => Count == 0 ? null : (double)Sum / Count;

    /// <summary>Population standard deviation in nanoseconds; null if there is none.</summary>
    public double? StandardDeviation
    {
        get
        {
            if (Average is not { } average)
                return null;
            return Math.Sqrt(Math.Max(0, SumOfSquares / Count - average * average));
        }
    }

    /// <summary>Nearest-rank percentile in nanoseconds: the bucket's midpoint, within the measured range. Null if empty.</summary>
    public double? GetPercentile(double percent)
    {
        if (Count == 0)
            return null;
        var rank = Math.Clamp((long)Math.Ceiling((decimal)percent / 100 * Count), 1, Count);
        if (rank == Count)
            return Max;
        long seen = 0;
        for (var i = 0; i < BucketCount; i++)
        {
            seen += _counts[i];
            if (seen >= rank)
                return Math.Clamp(GetMidPoint(i), Min, Max);
        }
        return Max;
    }

    public double? GetTrustedPercentile(double percent)
    {
        if (percent is 0)
            return Count == 0 ? null : Min;
        if (percent is 100)
            return Count == 0 && Max == 0 ? null : Max;
        return Count * (100 - (decimal)percent) / 100 < MinBeyond ? null : GetPercentile(percent);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int GetBucketIndex(long nanoseconds)
    {
        var value = (ulong)nanoseconds;
        if (value < 2 * SubBuckets)
            return (int)value;
        var shift = BitOperations.Log2(value) - SubBits;
        var index = ((shift + 1) << SubBits) + ((int)(value >> shift) & (SubBuckets - 1));
        return Math.Min(index, BucketCount - 1);
    }

    public static long GetLowerEdge(int index)
    {
        if (index < 2 * SubBuckets)
            return index;
        var shift = (index >> SubBits) - 1;
        return (long)(SubBuckets + (index & (SubBuckets - 1))) << shift;
    }

    public static double GetMidPoint(int index) => index < 2 * SubBuckets ? index : (GetLowerEdge(index) + GetLowerEdge(index + 1)) / 2.0;
}
