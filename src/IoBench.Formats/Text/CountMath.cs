namespace IoBench.Formats;

internal static class CountMath
{
    /// <summary>Returns the sum; null if a count is unknown or if the sum does not fit.</summary>
    internal static long? Sum(IEnumerable<long?> counts)
    {
        Int128 sum = 0;
        foreach (var count in counts)
        {
            if (count is not { } known)
                return null;
            sum += known;
        }
        return ToCount(sum);
    }

    /// <summary>Returns the sum, or the highest possible count if the sum does not fit.</summary>
    internal static long Sum(IEnumerable<long> counts)
    {
        Int128 sum = 0;
        foreach (var count in counts)
            sum += count;
        return (long)Int128.Clamp(sum, long.MinValue, long.MaxValue);
    }

    /// <summary>Converts a sum to a count; null if it does not fit.</summary>
    internal static long? ToCount(Int128 sum) => sum >= long.MinValue && sum <= long.MaxValue ? (long)sum : null;
}
