namespace IoBench.Engine;

/// <summary>Operation of a run: reads, writes, or both.</summary>
public enum IoOperation : long
{
    Read,
    Write,
    Mixed,
}

/// <summary>Schedule of the I/Os of an open loop.</summary>
public enum IoArrivals : long
{
    /// <summary>At even intervals. This is easier on the storage than any real load.</summary>
    Even,

    /// <summary>At random times, like the requests of many independent users (a Poisson process).</summary>
    Poisson,
}

/// <summary>Polling that replaces interrupts and system calls. Applies to io_uring; each kind uses CPU time during the whole run.</summary>
public enum IoPolling : long
{
    /// <summary>No polling: the device interrupts and the worker makes system calls.</summary>
    None,

    /// <summary>A kernel thread per worker polls for submissions (SQPOLL), so a batch needs no system call.</summary>
    Submission,

    /// <summary>The worker polls the device for completions (IOPOLL). Requires a device driver with polling queues.</summary>
    Completion,

    /// <summary>Like <see cref="Completion"/>, after a sleep of half the time that recent I/Os took (HYBRID_IOPOLL, kernel 6.13).</summary>
    Hybrid,
}

/// <summary>Order in which blocks are accessed.</summary>
public enum IoAccessPattern : long
{
    /// <summary>Aligned blocks of the whole range, chosen at random.</summary>
    Random,

    /// <summary>One sequence per thread: thread k of n stays in the k-th of n equal parts of the range, and wraps within it.</summary>
    Sequential,

    /// <summary>One sequence per target, shared by its threads.</summary>
    Interlocked,

    /// <summary>Sequential access with a percentage of random jumps.</summary>
    PartRandom,

    /// <summary>Columns of a two-dimensional array of blocks, column by column.</summary>
    Stride,
}

/// <summary>Caches that an I/O may use.</summary>
public enum IoBuffering : long
{
    /// <summary>Unbuffered and write-through, as SQL Server does it (Linux: O_DIRECT and O_DSYNC).</summary>
    None,

    /// <summary>Unbuffered; the device's write cache can be used (<c>-BH</c>, <c>-Su</c>; O_DIRECT).</summary>
    Hardware,

    /// <summary>Write-through with the file cache (<c>-BS</c>, <c>-Sw</c>; O_DSYNC).</summary>
    Software,

    /// <summary>All caches (<c>-BY</c>, <c>-Sb</c>).</summary>
    Both,
}

public enum IoLoadModel : long
{
    /// <summary>The next I/O starts when one completes, at a fixed queue depth.</summary>
    Closed,

    /// <summary>I/Os start on a schedule, independent of the device. Response time counts from the scheduled start.</summary>
    Open,
}

/// <summary>Status of a result.</summary>
public enum IoResultStatus : long
{
    /// <summary>The run completed as specified.</summary>
    Complete,

    /// <summary>The run was canceled. The results cover the time until then.</summary>
    Cancelled,

    /// <summary>An I/O or a target failed. The results, if any, cover the time until then.</summary>
    Failed,

    /// <summary>An imported run whose text ends before all of its results.</summary>
    Incomplete,
}

/// <summary>How several paths are tested.</summary>
public enum IoPathMode
{
    /// <summary>One after the other.</summary>
    Each,

    /// <summary>All in one run, each with its own totals.</summary>
    Together,

    /// <summary>First one after the other, then all concurrently.</summary>
    Both,
}

/// <summary>Content of test writes.</summary>
public enum IoWriteContentKind : long
{
    /// <summary>Incompressible, with offset and sequence number in every 4 KB so that no two blocks deduplicate (the default).</summary>
    Random,
    Zero,

    /// <summary>The bytes 0 to 255, repeated.</summary>
    Pattern,

    /// <summary>Bytes of a file.</summary>
    File,
}

/// <summary>Priority of a run's I/O.</summary>
public enum IoPriority : long
{
    /// <summary>The same priority as other programs.</summary>
    Normal,
    Low,

    /// <summary>Very low (background).</summary>
    VeryLow,
}

/// <summary>How worker threads are bound to CPUs.</summary>
public enum IoAffinityMode : long
{
    /// <summary>The scheduler decides.</summary>
    Off,

    /// <summary>One thread per CPU in turn, node by node; or over <see cref="IoPattern.Processors"/> in the listed order.</summary>
    RoundRobin,

    /// <summary>Every thread can run on any of <see cref="IoPattern.Processors"/>.</summary>
    Mask,
}
