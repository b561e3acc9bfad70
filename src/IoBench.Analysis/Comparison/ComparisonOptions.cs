namespace IoBench.Analysis.Comparison;

/// <summary>How strict a comparison is.</summary>
/// <param name="Alpha">Highest probability of any false alarm over all patterns.</param>
/// <param name="MinChangePercent">Smaller changes are noise, however certain.</param>
/// <param name="MinSingleChangePercent">Without repeats: smaller changes have no verdict.</param>
public sealed record ComparisonOptions(double Alpha = 0.01, double MinChangePercent = 5, double MinSingleChangePercent = 15)
{
    /// <summary>The smallest change in percent while a handful of repeats is all there is.</summary>
    internal const double MinFewChangePercent = 10;

    /// <summary>The smallest change of a 99th percentile in percent, with repeats.</summary>
    internal const double MinTailChangePercent = 10;

    /// <summary>Without repeats a 99th percentile must have doubled or halved: it spreads more than an average, and one run does not show how much.</summary>
    internal const double MinSingleTailChangePercent = 100;

    /// <summary>
    /// The same of runs of a few seconds, quadrupled: 20 ms that anything else takes are a hundredth of 2 s, and one such moment is then the 99th percentile.
    /// </summary>
    internal const double MinShortSingleTailChangePercent = 300;

    /// <summary>
    /// Without repeats, on a computer that was busy itself: six runs of nine patterns on a virtual machine whose processors others used too spread by 10 to 19 %, all patterns of a
    /// suite together, so that how far the patterns lie apart shows nothing of it.
    /// </summary>
    internal const double MinBusySingleChangePercent = 40;

    /// <summary>The same of a 99th percentile: those runs' spread by up to two thirds.</summary>
    internal const double MinBusySingleTailChangePercent = 700;

    /// <summary>Where a change of so many percent would have been seen and was not, two sides are called no different.</summary>
    internal const double MinSeenForNoise = 10;
}
