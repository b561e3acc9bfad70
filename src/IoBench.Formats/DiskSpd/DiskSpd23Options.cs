namespace IoBench.Formats.DiskSpd;

/// <summary>
/// What a command line, profile or output of DiskSpd 2.3 says and an older one cannot. It describes how DiskSpd issues I/O; IoBench issues it in its own way
/// and keeps this to show it again.
/// </summary>
public sealed record DiskSpd23Options
{
    /// <summary>I/Os queued before they are submitted to an IoRing (<c>-u</c>): a count or a percentage; null = no IoRing.</summary>
    public int? IoRingBatch { get; set; }

    /// <summary><see cref="IoRingBatch"/> is a percentage of the outstanding I/Os.</summary>
    public bool IoRingBatchIsPercent { get; set; }

    /// <summary>The buffers are registered with the IoRing; <c>-un</c> leaves that out.</summary>
    public bool RegistersBuffers { get; set; } = true;

    /// <summary>Each I/O buffer lies on a boundary of its own (<c>-bsp</c>, the default); <c>-bsn</c> leaves the place to Windows, as 2.2 does.</summary>
    public bool SeparatesBuffers { get; set; } = true;

    /// <summary>That boundary in bytes; null = not said, 0 = none.</summary>
    public long? BufferBoundary { get; set; }

    /// <summary>Completions taken at once from a port (<c>-oc</c>), 1 to 16; null = not said, which is 16.</summary>
    public int? CompletionDepth { get; set; }

    /// <summary>Threads are bound to the first processor of every core before the second ones (<c>-ac</c>).</summary>
    public bool IsCoreAware { get; set; }

    /// <summary>Threads are bound across processor groups and do not fill one group after the other (<c>-as</c>).</summary>
    public bool SpansGroups { get; set; }

    /// <summary>Which kind of core comes first (<c>-ap</c>, <c>-aP</c>, <c>-ae</c>, <c>-aE</c>, <c>-aup</c>).</summary>
    public DiskSpdCoreOrder CoreOrder { get; set; }

    /// <summary>Processor groups that were named as a whole (<c>-ag1</c>), a bit each.</summary>
    public ulong WholeGroups { get; set; }

    /// <summary>Whether I/O is to pass by file system filters and the storage stack (<c>-Sy</c>, <c>-SY</c>).</summary>
    public DiskSpdBypass BypassIO { get; set; }
}

/// <summary>Which kind of core DiskSpd 2.3 gives to threads first; no difference where all cores are alike.</summary>
public enum DiskSpdCoreOrder
{
    /// <summary>P-cores before E-cores within each pass over the cores: the default.</summary>
    PFirst,

    /// <summary>Processors by their number only, as DiskSpd 2.2 does.</summary>
    Unordered,

    /// <summary>E-cores before P-cores within each pass.</summary>
    EFirst,

    /// <summary>All P-cores before any E-core.</summary>
    FillPFirst,

    /// <summary>All E-cores before any P-core.</summary>
    FillEFirst,
}

/// <summary>What DiskSpd 2.3 asks of BypassIO.</summary>
public enum DiskSpdBypass
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>Bypassing either file system filters or the storage stack is enough (<c>-Sy</c>).</summary>
    Partial,

    /// <summary>Both, or the run fails (<c>-SY</c>).</summary>
    Full,
}
