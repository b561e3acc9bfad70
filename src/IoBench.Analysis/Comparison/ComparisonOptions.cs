namespace IoBench.Analysis;

/// <param name="Alpha">Highest probability of a false alarm over all patterns.</param>
/// <param name="MinChangePercent">Smallest change that is reported, however certain it is.</param>
/// <param name="MinSingleChangePercent">Without repeats, the smallest change that gets a verdict.</param>
public sealed record ComparisonOptions(double Alpha = 0.01, double MinChangePercent = 5, double MinSingleChangePercent = 15)
{
    internal const double MinFewChangePercent = 10;

    internal const double MinTailChangePercent = 10;

    /// <summary>A 99th percentile varies more than an average, and a single run does not show how much.</summary>
    internal const double MinSingleTailChangePercent = 100;

    /// <summary>In a run of a few seconds, one disturbance of 20 ms (1% of 2 s) becomes the 99th percentile.</summary>
    internal const double MinShortSingleTailChangePercent = 300;

    /// <summary>On a virtual machine with shared CPUs, six runs of nine patterns varied by 10 to 19%, all patterns together.</summary>
    internal const double MinBusySingleChangePercent = 40;

    /// <summary>A 99th percentile varied by up to two thirds in those runs.</summary>
    internal const double MinBusySingleTailChangePercent = 700;

    /// <summary>If a change of this size in percent would be detected and was not, the verdict is "no detectable change".</summary>
    internal const double MaxDetectableForNoChange = 10;
}
