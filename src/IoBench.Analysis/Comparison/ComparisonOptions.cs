namespace IoBench.Analysis;

/// <param name="Alpha">Highest probability of a false alarm over all patterns.</param>
/// <param name="MinChangePercent">Smallest change that is reported, however certain it is.</param>
/// <param name="MinSingleChangePercent">Without repeats, the smallest change that gets a verdict.</param>
public sealed record ComparisonOptions(double Alpha = 0.01, double MinChangePercent = 5, double MinSingleChangePercent = 30);
