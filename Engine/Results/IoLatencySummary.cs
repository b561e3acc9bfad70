namespace IoBench.Engine.Results;

/// <summary>Latency of one kind of I/O over a time, in milliseconds.</summary>
/// <param name="MinMs">Lowest; null when not known.</param>
/// <param name="MaxMs">Highest; null when not known.</param>
/// <param name="AverageMs">Average; null when not known.</param>
/// <param name="StdDevMs">Standard deviation (population); null when not known.</param>
public sealed record IoLatencySummary(double? MinMs, double? MaxMs, double? AverageMs, double? StdDevMs);
