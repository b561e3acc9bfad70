using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Detailed options of a test. Invoke-IoTest takes them from New-IoTestSpecification or from the columns of a table.</summary>
public abstract class PatternOptionCmdlet<TText, TSize, TCount, TPattern> : TestOptionCmdlet<TText, TSize, TCount, TPattern>
{
    /// <summary>Duration of Cool-down: I/O after the measurement.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration CoolDown { get; set; }

    /// <summary>Open loop: I/Os are scheduled at even intervals, or at random as from many independent users.</summary>
    [Parameter]
    public IoArrivals Arrivals { get; set; }

    /// <summary>Percentage of random jumps in a sequential test.</summary>
    [Parameter]
    [ValidateRange(1, 100)]
    public int RandomPercent { get; set; }

    /// <summary>Distance from one sequential I/O to the next.</summary>
    [Parameter]
    public IoSize Stride { get; set; }

    /// <summary>Number of writes of a thread after which it flushes.</summary>
    [Parameter]
    [ValidateRange(1, int.MaxValue)]
    public int FlushEvery { get; set; }

    /// <summary>Random, Zero, Pattern, or a file that supplies the bytes.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string? WriteContent { get; set; }

    /// <summary>Off, RoundRobin, or numbers such as 0-3,8.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [Input(InputRule.JoinWithCommas)]
    public string? Affinity { get; set; }

    /// <summary>Random seed; the same seed gives the same offsets.</summary>
    [Parameter]
    public ulong Seed { get; set; }
}
