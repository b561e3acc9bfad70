namespace IoBench.Engine.Specification;

/// <summary>What a run does to its targets.</summary>
public enum IoOperation
{
    /// <summary>Reads only.</summary>
    Read,

    /// <summary>Writes only.</summary>
    Write,

    /// <summary>Reads and writes.</summary>
    Mixed,
}

/// <summary>When the I/Os of an open loop are due.</summary>
public enum IoArrivals
{
    /// <summary>At even distances, as a metronome: kinder to the storage than any real load.</summary>
    Even,

    /// <summary>At random, as the requests of many independent users (a Poisson process).</summary>
    Poisson,
}

/// <summary>Who looks whether there is work, in place of interrupts and system calls. For io_uring; each costs processor time all the while.</summary>
public enum IoPolling
{
    /// <summary>Nobody: the device interrupts, the program calls.</summary>
    None,

    /// <summary>A thread of the kernel per worker looks for submissions (SQPOLL): no system call per batch.</summary>
    Submission,

    /// <summary>The worker asks the device for completions (IOPOLL): no interrupts. The device's driver needs queues for it.</summary>
    Completion,

    /// <summary>The same, after a sleep of half of the time that I/Os took lately (HYBRID_IOPOLL, kernel 6.13).</summary>
    Hybrid,
}

/// <summary>In which order blocks are touched.</summary>
public enum IoAccessPattern
{
    /// <summary>Aligned blocks of the whole range, drawn at random.</summary>
    Random,

    /// <summary>Each thread its own sequence: thread k of n stays in the k-th n-th of the range, and wraps within it.</summary>
    Sequential,

    /// <summary>One sequence per target, shared by its threads.</summary>
    Interlocked,

    /// <summary>A share of random jumps in a sequential run.</summary>
    PartRandom,

    /// <summary>Columns of a two-dimensional array of blocks, one after the other.</summary>
    Stride,
}

/// <summary>Which caches an I/O may use.</summary>
public enum IoBuffering
{
    /// <summary>Unbuffered and write-through, SQL Server's way (Linux: O_DIRECT and O_DSYNC).</summary>
    None,

    /// <summary>Unbuffered, the device's write cache may be used (<c>-BH</c>, <c>-Su</c>; O_DIRECT).</summary>
    Hardware,

    /// <summary>Write-through by way of the file cache (<c>-BS</c>, <c>-Sw</c>; O_DSYNC).</summary>
    Software,

    /// <summary>All caches (<c>-BY</c>, <c>-Sb</c>).</summary>
    Both,
}

/// <summary>What paces the I/O.</summary>
public enum IoLoadModel
{
    /// <summary>The next I/O starts when one ends: so many outstanding at any time.</summary>
    Closed,

    /// <summary>I/Os start on a schedule, whatever the device does; response time counts from the intended start.</summary>
    Open,
}

/// <summary>How a run ended.</summary>
public enum IoResultStatus
{
    /// <summary>It ran as specified.</summary>
    Complete,

    /// <summary>It was cancelled: figures for the time that passed.</summary>
    Cancelled,

    /// <summary>An I/O or a target failed: figures, if any, for the time before.</summary>
    Failed,

    /// <summary>An imported run that ends before its results, or a part of them.</summary>
    Incomplete,
}

/// <summary>How several paths are tested.</summary>
public enum IoPathMode
{
    /// <summary>One after the other.</summary>
    Each,

    /// <summary>All in one run, each with its own totals.</summary>
    Together,

    /// <summary>First one after the other, then all at once.</summary>
    Both,
}

/// <summary>What test writes consist of.</summary>
public enum IoWriteContentKind
{
    /// <summary>Incompressible, with offset and sequence in every 4 KB so that nothing deduplicates (the default).</summary>
    Random,
    Zero,

    /// <summary>The bytes 0 to 255 over and over.</summary>
    Pattern,

    /// <summary>Bytes of a file.</summary>
    File,
}

/// <summary>Priority of a run's I/O.</summary>
public enum IoPriority
{
    /// <summary>As any program's.</summary>
    Normal,
    Low,

    /// <summary>Very low: background.</summary>
    VeryLow,
}
