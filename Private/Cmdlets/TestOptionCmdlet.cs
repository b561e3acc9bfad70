using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>
/// Options of every cmdlet that describes a test. The type arguments decide whether a parameter takes one value or a list, because
/// PowerShell reads the parameter's type from them. A cmdlet overrides a parameter to change its position or its parameter sets.
/// </summary>
public abstract class TestOptionCmdlet<TText, TSize, TCount, TPattern> : TestCmdlet
{
    /// <summary>SQL Server workload by name.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public virtual TText? Workload { get; set; }

    /// <summary>Size of the test file; default 20 GB, at most 10% of the free space.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public virtual TSize? FileSize { get; set; }

    /// <summary>Duration of the measurement.</summary>
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

    /// <summary>Outstanding I/Os per thread and target; default 8.</summary>
    [Parameter]
    [Alias("QueueDepth", "QD")]
    [ValidateRange(1, SpecificationValidator.MaxOutstanding)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public virtual TCount? OutstandingIO { get; set; }

    /// <summary>Write percentage.</summary>
    [Parameter]
    [ValidateRange(0, 100)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public virtual TCount? WritePercent { get; set; }

    [Parameter]
    public virtual TPattern? AccessPattern { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public virtual TText? Label { get; set; }

    /// <summary>Duration of Warm-up: I/O before the measurement.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration WarmUp { get; set; }

    /// <summary>Caches that can serve the I/O; default None.</summary>
    [Parameter]
    public IoBuffering Buffering { get; set; }

    /// <summary>I/O interface of the operating system.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string? Backend { get; set; }
}
