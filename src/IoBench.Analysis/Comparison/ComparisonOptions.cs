namespace IoBench.Analysis;

/// <summary>Thresholds of a comparison.</summary>
/// <param name="Alpha">Highest probability of a false alarm over all patterns.</param>
/// <param name="MinChangePercent">Smallest change that is reported, however certain it is.</param>
/// <param name="MinSingleChangePercent">Without repeats, the smallest change that gets a verdict.</param>
public sealed record ComparisonOptions(double Alpha = 0.01, double MinChangePercent = 5, double MinSingleChangePercent = 15)
{
    internal const double MinFewChangePercent = 10;

    internal const double MinTailChangePercent = 10;

    /// <summary>
    /// Without repeats, a 99th percentile must double or halve: it varies more than an average, and a single run does not show how much.
    /// </summary>
    internal const double MinSingleTailChangePercent = 100;

    /// <summary>
    /// For runs of a few seconds, a 99th percentile must quadruple: 20 ms are 1% of 2 s, so one disturbance of that length becomes the 99th
    /// percentile.
    /// </summary>
    internal const double MinShortSingleTailChangePercent = 300;

    /// <summary>
    /// Without repeats on a busy host. On a virtual machine with shared CPUs, six runs of nine patterns varied by 10 to 19%. All patterns
    /// of a suite varied together, so the
    /// scatter of the patterns does not show this.
    /// </summary>
    internal const double MinBusySingleChangePercent = 40;

    /// <summary>The same for a 99th percentile, which varied by up to two thirds in those runs.</summary>
    internal const double MinBusySingleTailChangePercent = 700;

    /// <summary>If a change of this size in percent would be detected and was not, the verdict is "no detectable change".</summary>
    internal const double MaxDetectableForNoChange = 10;
}
