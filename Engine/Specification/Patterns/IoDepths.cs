namespace IoBench.Engine;

/// <summary>
/// Separate numbers of outstanding reads and writes. The write percentage of the result then depends on the speed of both.
/// </summary>
/// <param name="Reads">Outstanding reads per thread and target, at least 1.</param>
/// <param name="Writes">Outstanding writes per thread and target, at least 1.</param>
public sealed record IoDepths(int Reads, int Writes);
