using IoBench.Engine;

namespace IoBench.Analysis;

public enum LatencyStepKind
{
    /// <summary>Reads as SQL Server does them: unbuffered.</summary>
    Read,

    /// <summary>Log writes as SQL Server does them: sequential, unbuffered, and write-through.</summary>
    Write,

    /// <summary>Unbuffered writes that can stay in a volatile cache of the storage.</summary>
    WriteWithoutWriteThrough,

    /// <summary>Unbuffered reads of the device itself, without the file system.</summary>
    RawRead,

    /// <summary>Reads from the file cache of the operating system.</summary>
    CachedRead,

    /// <summary>No I/O: the null backend.</summary>
    NoIO,
}

/// <summary>One test of the ladder.</summary>
public sealed record LatencyStep
{
    public required LatencyStepKind Step { get; init; }

    public required double AverageMs { get; init; }

    public double? P50Ms { get; init; }

    public double? P99Ms { get; init; }

    public double? MaxMs { get; init; }

    public required double Iops { get; init; }

    public required long IOCount { get; init; }

    public string Description => Describe(Step);

    public static string Describe(LatencyStepKind step) =>
        step switch
        {
            LatencyStepKind.Read => "read like SQL Server",
            LatencyStepKind.Write => "write like SQL Server",
            LatencyStepKind.WriteWithoutWriteThrough => "write without write-through",
            LatencyStepKind.RawRead => "read from the raw device",
            LatencyStepKind.CachedRead => "read from memory",
            _ => "no I/O (null backend)",
        };

    public static LatencyStep FromResult(LatencyStepKind step, IoTestResult result)
    {
        return new LatencyStep
        {
            Step = step,
            AverageMs = result.AverageLatencyMs ?? 0,
            P50Ms = result.P50Ms,
            P99Ms = result.P99Ms,
            MaxMs = result.MaxLatencyMs,
            Iops = result.IOPS ?? 0,
            IOCount = result.IOCount ?? 0,
        };
    }
}

/// <summary>A slow I/O with its absolute time, for comparison with the log of an array.</summary>
/// <param name="Offset">Offset in the file in bytes.</param>
public sealed record SlowRequest(
    DateTimeOffset StartUtc,
    DateTimeOffset EndUtc,
    double LatencyMs,
    IoRequestKind Kind,
    long? Offset,
    int? Size
);
