using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Options of a test whose rate the user can set, unlike a search for the highest rate.</summary>
public abstract class RunOptionCmdlet<TText, TSize, TCount, TPattern> : PatternOptionCmdlet<TText, TSize, TCount, TPattern>
{
    /// <summary>Open loop: target rate in IOPS.</summary>
    [Parameter]
    [ValidateRange(0.001, 1e9)]
    public double TargetIops { get; set; }

    [Parameter]
    [ValidateRange(1, int.MaxValue)]
    public int BurstSize { get; set; }

    /// <summary>Idle time after each burst.</summary>
    [Parameter]
    public IoDuration ThinkTime { get; set; }

    /// <summary>Several block sizes in one test with their percentages: 8KB:60,64KB:40.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [Input(InputRule.JoinWithCommas)]
    public string? BlockMix { get; set; }

    /// <summary>Outstanding reads, in addition to separate outstanding writes.</summary>
    [Parameter]
    [ValidateRange(1, SpecificationValidator.MaxOutstanding - 1)]
    public int ReadOutstanding { get; set; }

    /// <summary>Outstanding writes, in addition to separate outstanding reads.</summary>
    [Parameter]
    [ValidateRange(1, SpecificationValidator.MaxOutstanding - 1)]
    public int WriteOutstanding { get; set; }

    /// <summary>Alignment of random offsets; the default is the block size.</summary>
    [Parameter]
    public IoSize Alignment { get; set; }

    /// <summary>Distance between the first offsets of the threads of a target.</summary>
    [Parameter]
    public IoSize ThreadStride { get; set; }

    /// <summary>First byte of the tested range.</summary>
    [Parameter]
    public IoSize BaseOffset { get; set; }

    /// <summary>End of the tested range.</summary>
    [Parameter]
    public IoSize MaxOffset { get; set; }

    /// <summary>Hot spots: zipf:1.1, pareto:0.2, or 90/10, 10/90 (percentage of the I/Os / percentage of the range).</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string[]? Distribution { get; set; }

    /// <summary>Percentage of each written 4 KB that can be compressed.</summary>
    [Parameter]
    [ValidateRange(0, 100)]
    public int CompressiblePercent { get; set; }

    /// <summary>Percentage of the written 4 KB blocks that are copies of a few blocks.</summary>
    [Parameter]
    [ValidateRange(0, 100)]
    public int DedupablePercent { get; set; }

    /// <summary>io_uring polling instead of system calls and interrupts.</summary>
    [Parameter]
    public IoPolling Polling { get; set; }

    /// <summary>Length of a timeline interval; default 1 second.</summary>
    [Parameter]
    public IoDuration TimelineInterval { get; set; }
}
