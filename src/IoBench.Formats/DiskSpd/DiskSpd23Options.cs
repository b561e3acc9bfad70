namespace IoBench.Formats;

/// <summary>Settings of DiskSpd 2.3 that older versions do not have. IoBench stores them only to print them again.</summary>
public sealed record DiskSpd23Options
{
    /// <summary>Number or percentage of I/Os that are queued before a submission to an IoRing (<c>-u</c>); null without one.</summary>
    public int? IoRingBatch { get; set; }

    /// <summary>Whether <see cref="IoRingBatch"/> is a percentage of the outstanding I/Os.</summary>
    public bool IoRingBatchIsPercent { get; set; }

    /// <summary>Whether buffers are registered with the IoRing. False for <c>-un</c>.</summary>
    public bool RegistersBuffers { get; set; } = true;

    /// <summary>Whether each I/O buffer starts on its own boundary (<c>-bsp</c>, the default). False for <c>-bsn</c>.</summary>
    public bool SeparatesBuffers { get; set; } = true;

    /// <summary>Boundary of the I/O buffers in bytes; 0 = none, null if the source does not state it.</summary>
    public long? BufferBoundary { get; set; }

    /// <summary>Maximum number of completions per call of the completion port (<c>-oc</c>), 1 to 16; null means the default, 16.</summary>
    public int? CompletionDepth { get; set; }

    /// <summary>Whether threads use the first processor of every core before the second ones (<c>-ac</c>).</summary>
    public bool IsCoreAware { get; set; }

    /// <summary>Whether threads alternate between processor groups instead of filling one group after the other (<c>-as</c>).</summary>
    public bool SpansGroups { get; set; }

    /// <summary>Order of P-cores and E-cores (<c>-ap</c>, <c>-aP</c>, <c>-ae</c>, <c>-aE</c>, <c>-aup</c>).</summary>
    public DiskSpdCoreOrder CoreOrder { get; set; }

    /// <summary>Bit mask of processor groups that were named as a whole (<c>-ag1</c>).</summary>
    public ulong WholeGroups { get; set; }

    /// <summary>Whether I/O should bypass file system filters and the storage stack (<c>-Sy</c>, <c>-SY</c>).</summary>
    public DiskSpdBypass BypassIO { get; set; }
}

/// <summary>Order in which DiskSpd 2.3 assigns threads to kinds of cores. It has no effect if all cores are of one kind.</summary>
public enum DiskSpdCoreOrder
{
    /// <summary>P-cores before E-cores in each pass over the cores (the default).</summary>
    PFirst,

    /// <summary>By processor number only, as in DiskSpd 2.2.</summary>
    Unordered,

    /// <summary>E-cores before P-cores in each pass over the cores.</summary>
    EFirst,

    /// <summary>All P-cores before any E-core.</summary>
    FillPFirst,

    /// <summary>All E-cores before any P-core.</summary>
    FillEFirst,
}

public enum DiskSpdBypass
{
    None,

    /// <summary>Bypassing file system filters or the storage stack is sufficient (<c>-Sy</c>).</summary>
    Partial,

    /// <summary>Both must be bypassed, or the run fails (<c>-SY</c>).</summary>
    Full,
}
