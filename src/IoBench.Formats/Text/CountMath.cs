namespace IoBench.Formats.Text;

/// <summary>Sums of counts, of which a text or a saved result may claim more than a count holds.</summary>
internal static class CountMath
{
    /// <summary>The sum; null where one is not known, or where it is more than a count holds.</summary>
    internal static long? Sum(IEnumerable<long?> counts)
    {
        Int128 sum = 0;
        foreach (var count in counts)
        {
            if (count is not { } known)
                return null;
            sum += known;
        }
        return Fit(sum);
    }

    /// <summary>The sum, or the highest count where it is more than that.</summary>
    internal static long Sum(IEnumerable<long> counts)
    {
        Int128 sum = 0;
        foreach (var count in counts)
            sum += count;
        return (long)Int128.Clamp(sum, long.MinValue, long.MaxValue);
    }

    /// <summary>A sum as a count; null when it is more than a count holds.</summary>
    internal static long? Fit(Int128 sum) => sum >= long.MinValue && sum <= long.MaxValue ? (long)sum : null;
}
