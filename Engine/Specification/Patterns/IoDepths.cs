namespace IoBench.Engine.Specification.Patterns;

/// <summary>Outstanding I/Os of reads and writes apart: each direction keeps its own, and how many of the I/Os are writes comes out of how fast both are.</summary>
/// <param name="Reads">Outstanding reads per thread and target, at least 1.</param>
/// <param name="Writes">Outstanding writes per thread and target, at least 1.</param>
public sealed record IoDepths(int Reads, int Writes);
