namespace IoBench.Engine;

/// <summary>Ways in which a log record can reach stable storage.</summary>
public enum CommitMethod : long
{
    /// <summary>Unbuffered and write-through (O_DIRECT and O_DSYNC). The operating system uses FUA, or flushes after each write.</summary>
    WriteThrough,

    /// <summary>Unbuffered, with a flush after each write.</summary>
    FlushEach,

    /// <summary>Unbuffered. One flush covers all writes that completed before the flush began (group commit).</summary>
    GroupedFlush,

    /// <summary>Through the file cache, with a flush after each write.</summary>
    BufferedFlush,
}

/// <param name="Committers">Threads that commit concurrently, each with one commit at a time.</param>
/// <param name="WriteSize">Bytes of a commit.</param>
/// <param name="Extends">Whether each write extends the file; otherwise, writes overwrite it.</param>
/// <param name="IsMisaligned">Whether each write begins one logical sector after the start of a physical sector.</param>
/// <param name="IsReplicated">Whether each commit also waits for a synchronous replica.</param>
/// <param name="HasRedo">Whether the replica writes to data pages meanwhile.</param>
public sealed record CommitCase(
    CommitMethod Method,
    int Committers,
    int WriteSize,
    bool Extends = false,
    bool IsMisaligned = false,
    bool IsReplicated = false,
    bool HasRedo = false
);

/// <summary>Requests that the block layer of Linux sent to the devices of a file in a span of time.</summary>
public sealed record CommitDeviceCounts
{
    /// <summary>Devices that were counted, such as <c>sda</c>; several for a volume on several disks.</summary>
    public required IReadOnlyList<string> Devices { get; init; }

    /// <summary>Writes with data; null if they cannot be counted separately from flushes.</summary>
    public long? Writes { get; init; }

    public required long WriteBytes { get; init; }

    public required long Reads { get; init; }

    /// <summary>Null if the operating system does not count flushes.</summary>
    public long? Flushes { get; init; }

    /// <summary>Writes with FUA; null if they were not counted.</summary>
    public long? FuaWrites { get; init; }

    /// <summary>Returns the sum; a value that was not counted in one of them is null.</summary>
    public static CommitDeviceCounts Add(CommitDeviceCounts one, CommitDeviceCounts other)
    {
        ArgumentNullException.ThrowIfNull(one);
        ArgumentNullException.ThrowIfNull(other);
        return new()
        {
            Devices = [.. one.Devices.Union(other.Devices)],
            Writes = one.Writes + other.Writes,
            WriteBytes = one.WriteBytes + other.WriteBytes,
            Reads = one.Reads + other.Reads,
            Flushes = one.Flushes + other.Flushes,
            FuaWrites = one.FuaWrites + other.FuaWrites,
        };
    }
}

/// <summary>One round of a case: commits that began within the measured time.</summary>
public sealed record CommitSample
{
    public required CommitCase Case { get; init; }

    public required LatencyHistogram Latencies { get; init; }

    /// <summary>Latencies by part; null without a replica.</summary>
    public ReplicaLatencies? Replica { get; init; }

    public required double CommitsPerSecond { get; init; }

    /// <summary>Writes of IoBench in the span that <see cref="Counts"/> covers, which includes the warm-up.</summary>
    public required long Writes { get; init; }

    /// <summary>Flushes that IoBench requested in the same span.</summary>
    public required long FlushCalls { get; init; }

    /// <summary>Null if the devices of the file are not known or their counters cannot be read.</summary>
    public CommitDeviceCounts? Counts { get; init; }

    /// <summary>CPU time of other programs and of the system in percent of all CPUs; null if the system does not report it.</summary>
    public double? OtherCpuPercent { get; init; }

    /// <summary>Percent of the CPU time that the hypervisor gave to other virtual machines.</summary>
    public double StolenCpuPercent { get; init; }
}
