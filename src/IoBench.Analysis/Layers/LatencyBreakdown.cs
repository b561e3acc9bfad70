using IoBench.Engine;

namespace IoBench.Analysis;

public enum LatencyCause : long
{
    /// <summary>No layer is responsible for the latency with sufficient evidence.</summary>
    Inconclusive,

    /// <summary>A layer of the storage.</summary>
    Layer,

    /// <summary>A layer of the storage, and I/Os of other programs on its device.</summary>
    OtherLoad,

    /// <summary>This computer: it did not run IoBench, or the threads that the storage needs.</summary>
    Host,

    /// <summary>IoBench itself, on storage that is as fast as memory.</summary>
    IoBench,
}

/// <summary>Average latency of reads or writes with one outstanding I/O, by layer.</summary>
public sealed record LatencyBreakdown
{
    public required IoOperation Operation { get; init; }

    public required double AverageMs { get; init; }

    public double? P50Ms { get; init; }

    public double? P99Ms { get; init; }

    public double? MaxMs { get; init; }

    public required long IOCount { get; init; }

    /// <summary>From the top. The times add up to <see cref="AverageMs"/>.</summary>
    public required IReadOnlyList<LatencyLayer> Layers { get; init; }

    public required LatencyCause Cause { get; init; }

    /// <summary>Layer that the verdict names; null if it names none.</summary>
    public string? NamedLayer { get; init; }

    /// <summary>Device that completed I/Os of other programs during the test; null if none did, or if they were few.</summary>
    public string? OtherLoadDevice { get; init; }

    /// <summary>I/Os per second of other programs on <see cref="OtherLoadDevice"/>.</summary>
    public double? OtherIops { get; init; }

    /// <summary>One to three sentences.</summary>
    public required string Verdict { get; init; }

    /// <summary>What to do, in the imperative and without a period.</summary>
    public required string Advice { get; init; }

    public override string ToString() => Verdict;
}
