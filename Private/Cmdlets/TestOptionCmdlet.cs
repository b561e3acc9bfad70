using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>
/// Options that every cmdlet has which says what a test is, be it to run it, to search a limit with it or to make a specification. A list of values, or a default
/// of its own, is the cmdlet's.
/// </summary>
public abstract class TestOptionCmdlet : TestCmdlet
{
    /// <summary>I/O before the measured time.</summary>
    [Parameter]
    public IoDuration WarmUp { get; set; }

    /// <summary>I/O after the measured time.</summary>
    [Parameter]
    public IoDuration CoolDown { get; set; }

    /// <summary>Caches that may answer; default None.</summary>
    [Parameter]
    public IoBuffering Buffering { get; set; }

    /// <summary>Open loop: I/Os are due at even distances, or at random as of many independent users.</summary>
    [Parameter]
    public IoArrivals Arrivals { get; set; }

    /// <summary>Share of random jumps in a sequential test.</summary>
    [Parameter]
    [ValidateRange(1, 100)]
    public int RandomPercent { get; set; }

    /// <summary>Distance from one sequential I/O to the next.</summary>
    [Parameter]
    public IoSize Stride { get; set; }

    /// <summary>A flush after every so many writes of a thread.</summary>
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
    public string? Affinity { get; set; }

    /// <summary>Way to the operating system.</summary>
    [Parameter]
    public IoBackendKind Backend { get; set; }

    /// <summary>Same seed, same offsets.</summary>
    [Parameter]
    public ulong Seed { get; set; }
}
