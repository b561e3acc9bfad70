namespace IoBench.Engine;

/// <summary>Latency of one kind of I/O over a period, in milliseconds.</summary>
/// <param name="MinMs">Minimum; null if unknown.</param>
/// <param name="MaxMs">Maximum; null if unknown.</param>
/// <param name="AverageMs">Average; null if unknown.</param>
/// <param name="StdDevMs">Standard deviation (population); null if unknown.</param>
public sealed record IoLatencySummary(double? MinMs, double? MaxMs, double? AverageMs, double? StdDevMs);
