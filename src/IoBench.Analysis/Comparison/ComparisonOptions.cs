namespace IoBench.Analysis;

/// <summary>How strict a comparison is.</summary>
/// <param name="Alpha">Highest probability of any false alarm over all patterns.</param>
/// <param name="MinChangePercent">Smaller changes are noise, however certain.</param>
/// <param name="MinSingleChangePercent">Without repeats: smaller changes have no verdict.</param>
public sealed record ComparisonOptions(double Alpha = 0.01, double MinChangePercent = 5, double MinSingleChangePercent = 15)
{
    /// <summary>The least change in percent while a handful of repeats is all there is.</summary>
    internal const double MinFewChangePercent = 10;
    /// <summary>The least change of a 99th percentile in percent, with repeats.</summary>
    internal const double MinTailChangePercent = 10;
    /// <summary>Without repeats a 99th percentile must have doubled or halved: it spreads more than an average, and one run does not show how much.</summary>
    internal const double MinSingleTailChangePercent = 100;
    /// <summary>Where a change of so many percent would have been seen and was not, two sides are called no different.</summary>
    internal const double MinSeenForNoise = 10;
}
