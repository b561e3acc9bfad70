namespace IoBench.Analysis;

/// <param name="Alpha">Maximum probability of a false alarm across all patterns.</param>
/// <param name="MinChangePercent">Smallest change that is reported, however certain it is.</param>
/// <param name="MinSingleChangePercent">Without repeats, the smallest change that gets a verdict.</param>
public sealed record ComparisonOptions(double Alpha = 0.01, double MinChangePercent = 5, double MinSingleChangePercent = 30);
