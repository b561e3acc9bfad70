using System.Management.Automation;

namespace IoBench.PowerShell.Cmdlets;

/// <summary>Options of a test whose pace is the caller's, which that of a search for a limit is not.</summary>
/// <typeparam name="TText"><see cref="string"/>, or a list of them.</typeparam>
/// <typeparam name="TSize"><see cref="IoSize"/>, or a list of them.</typeparam>
/// <typeparam name="TCount"><see cref="int"/>, or a list of them.</typeparam>
/// <typeparam name="TPattern"><see cref="IoAccessPattern"/>, or a list of them.</typeparam>
public abstract class RunOptionCmdlet<TText, TSize, TCount, TPattern> : TestOptionCmdlet<TText, TSize, TCount, TPattern>
{
    /// <summary>Open loop: this many I/Os per second.</summary>
    [Parameter]
    [ValidateRange(0.001, 1e9)]
    public double TargetIops { get; set; }

    /// <summary>I/Os per burst.</summary>
    [Parameter]
    [ValidateRange(1, int.MaxValue)]
    public int BurstSize { get; set; }

    /// <summary>Rest after each burst.</summary>
    [Parameter]
    public IoDuration ThinkTime { get; set; }

    /// <summary>Several block sizes in one test with their shares: 8KB:60,64KB:40.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [JoinedText]
    public string? BlockMix { get; set; }

    /// <summary>Outstanding reads, beside outstanding writes of their own.</summary>
    [Parameter]
    [ValidateRange(1, SpecificationValidator.MaxOutstanding - 1)]
    public int ReadOutstanding { get; set; }

    /// <summary>Outstanding writes, beside outstanding reads of their own.</summary>
    [Parameter]
    [ValidateRange(1, SpecificationValidator.MaxOutstanding - 1)]
    public int WriteOutstanding { get; set; }

    /// <summary>Of random offsets; default the block size.</summary>
    [Parameter]
    public IoSize Alignment { get; set; }

    /// <summary>Distance between the first offsets of a target's threads.</summary>
    [Parameter]
    public IoSize ThreadStride { get; set; }

    /// <summary>First byte that may be touched.</summary>
    [Parameter]
    public IoSize BaseOffset { get; set; }

    /// <summary>End of what may be touched.</summary>
    [Parameter]
    public IoSize MaxOffset { get; set; }

    /// <summary>Hot spots: zipf:1.1, pareto:0.2, or 90/10, 10/90 = share of the I/Os / percent of the range.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string[]? Distribution { get; set; }

    /// <summary>Share of each written 4 KB that compresses.</summary>
    [Parameter]
    [ValidateRange(0, 100)]
    public int CompressiblePercent { get; set; }

    /// <summary>Share of the written 4 KB blocks that are copies of a few.</summary>
    [Parameter]
    [ValidateRange(0, 100)]
    public int DedupablePercent { get; set; }

    /// <summary>io_uring: who polls in place of system calls and interrupts.</summary>
    [Parameter]
    public IoPolling Polling { get; set; }

    /// <summary>Length of an interval of the timeline; default 1 s.</summary>
    [Parameter]
    public IoDuration TimelineInterval { get; set; }
}
