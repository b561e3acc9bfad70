using System.Management.Automation;

namespace IoBench.PowerShell.Cmdlets;

/// <summary>
/// Options of every cmdlet that says what a test is, be it to run it, to search a limit with it or to make a specification. The type arguments say whether the
/// cmdlet takes one value or a list: PowerShell reads the parameter's type from them. A cmdlet overrides what it shows first, or limits to some parameter sets.
/// </summary>
/// <typeparam name="TText"><see cref="string"/>, or a list of them.</typeparam>
/// <typeparam name="TSize"><see cref="IoSize"/>, or a list of them.</typeparam>
/// <typeparam name="TCount"><see cref="int"/>, or a list of them.</typeparam>
/// <typeparam name="TPattern"><see cref="IoAccessPattern"/>, or a list of them.</typeparam>
public abstract class TestOptionCmdlet<TText, TSize, TCount, TPattern> : TestCmdlet
{
    /// <summary>SQL Server's I/O by name.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(WorkloadCompleter))]
    public virtual TText? Workload { get; set; }

    /// <summary>Default 20 GB, at most 10 % of the free space.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(FileSizeCompleter))]
    public virtual TSize? FileSize { get; set; }

    /// <summary>Measured time.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public virtual IoDuration Duration { get; set; }

    /// <summary>Bytes per I/O; default 8 KB.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public virtual TSize? BlockSize { get; set; }

    /// <summary>Threads per target, or Auto; default 4.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [ValidateThreadCount]
    public virtual TText? ThreadCount { get; set; }

    /// <summary>Per thread and target; default 8.</summary>
    [Parameter]
    [Alias("QueueDepth", "QD")]
    [ValidateRange(1, SpecificationValidator.MaxOutstanding)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public virtual TCount? OutstandingIO { get; set; }

    /// <summary>Share of writes.</summary>
    [Parameter]
    [ValidateRange(0, 100)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public virtual TCount? WritePercent { get; set; }

    /// <summary>Order of blocks.</summary>
    [Parameter]
    public virtual TPattern? AccessPattern { get; set; }

    /// <summary>Your name for the results.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(LabelCompleter))]
    public virtual TText? Label { get; set; }

    /// <summary>I/O before the measured time.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration WarmUp { get; set; }

    /// <summary>I/O after the measured time.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration CoolDown { get; set; }

    /// <summary>Caches that may answer; default None.</summary>
    [Parameter]
    public IoBuffering Buffering { get; set; }

    /// <summary>Open loop: I/Os are due at even intervals, or at random as from many independent users.</summary>
    [Parameter]
    public IoArrivals Arrivals { get; set; }

    /// <summary>Share of random jumps in a sequential test.</summary>
    [Parameter]
    [ValidateRange(1, 100)]
    public int RandomPercent { get; set; }

    /// <summary>Distance from one sequential I/O to the next.</summary>
    [Parameter]
    public IoSize Stride { get; set; }

    /// <summary>A flush after this many writes of a thread.</summary>
    [Parameter]
    [ValidateRange(1, int.MaxValue)]
    public int FlushEvery { get; set; }

    /// <summary>Random, Zero, Pattern, or a file that the bytes come from.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string? WriteContent { get; set; }

    /// <summary>Off, RoundRobin, or numbers such as 0-3,8.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [JoinedText]
    public string? Affinity { get; set; }

    /// <summary>Interface to the operating system.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string? Backend { get; set; }

    /// <summary>Same seed, same offsets.</summary>
    [Parameter]
    public ulong Seed { get; set; }
}
